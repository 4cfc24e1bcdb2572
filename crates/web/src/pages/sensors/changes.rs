//! The name of a device, and the storage location that it monitors.

use axum::response::Response;
use larder_domain::{FriendlyName, HardwareId, LocationName, StorageLocationId};
use serde::Deserialize;

use super::{address_of, fleet, watched_by};
use crate::{Failure, Form, Member, PathId, WebState, back_or, done, see_other, wrong};

#[derive(Deserialize)]
pub(super) struct NewName {
    name: String,
    back: Option<String>,
}

/// Renames a device; an empty name removes its name.
pub(super) async fn rename(
    web: WebState,
    member: Member,
    PathId(id): PathId<HardwareId>,
    Form(form): Form<NewName>,
) -> Result<Response, Failure> {
    let name = match form.name.trim() {
        "" => None,
        name => Some(FriendlyName::parse(name).map_err(wrong("field-name"))?),
    };
    web.app.rename_device(&fleet(&member.caller), id, name.as_ref()).await?;
    Ok(done(back_or(form.back.as_deref(), &address_of(id)), "sensors-renamed"))
}

/// Erases a device with its readings; admins only. Its places stay, and monitor nothing.
pub(super) async fn release(
    web: WebState,
    member: Member,
    PathId(id): PathId<HardwareId>,
) -> Result<Response, Failure> {
    let erasure = web.app.erase_device(&fleet(&member.caller), id).await?;
    let locations = web.app.locations(&member.caller).await?;
    for place in watched_by(id, &locations) {
        web.app.update_location(&member.caller, place.id, None, Some(None)).await?;
    }
    Ok(see_other(&format!("/me/deletions/{}", erasure.id)))
}

#[derive(Deserialize)]
pub(super) struct NewPlace {
    /// A location of the household, or none.
    #[serde(default)]
    place: String,
    /// The name of a new location; takes precedence.
    #[serde(default, rename = "new_place")]
    new: String,
    back: Option<String>,
}

/// The requested location of a device.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    Known(StorageLocationId),
    New(LocationName),
}

fn read(form: &NewPlace) -> Result<Place, Failure> {
    match (form.new.trim(), &*form.place) {
        ("", "") => Ok(Place::Nowhere),
        ("", place) => place.parse().map(Place::Known).map_err(wrong("sensors-place")),
        (name, _) => {
            let name = LocationName::parse(name);
            name.map(Place::New).map_err(wrong("sensors-new-place"))
        }
    }
}

/// Makes a device monitor one location, and no other.
pub(super) async fn place(
    web: WebState,
    member: Member,
    PathId(id): PathId<HardwareId>,
    Form(form): Form<NewPlace>,
) -> Result<Response, Failure> {
    web.app.device(&fleet(&member.caller), id).await?;
    let place = read(&form)?;
    let before = web.app.locations(&member.caller).await?;
    // The new link comes first: a later failure leaves the device in two places, not in none.
    let now = match place {
        Place::New(name) => {
            Some(web.app.add_location(&member.caller, name, Some(id), None).await?.id)
        }
        Place::Known(place) => {
            web.app.update_location(&member.caller, place, None, Some(Some(id))).await?;
            Some(place)
        }
        Place::Nowhere => None,
    };
    for left in watched_by(id, &before).into_iter().filter(|place| Some(place.id) != now) {
        web.app.update_location(&member.caller, left.id, None, Some(None)).await?;
    }
    Ok(done(back_or(form.back.as_deref(), &address_of(id)), "sensors-placed"))
}
