//! `GET /household/places` and its forms: storage locations and shops.

use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::{
    LocationName, SEEDED_LOCATIONS, StorageLocation, Store, StoreAddress, StoreName, text,
};
use serde::Deserialize;

use crate::{
    address,
    failure::{Failure, wrong},
    form::{Form, done},
    frame::{Frame, Section, render},
    state::WebState,
    visit::Member,
};

const PLACES: &str = "/household/places";

#[derive(Template)]
#[template(path = "household/places.html")]
struct PlacesPage {
    frame: Frame,
    /// The predefined storage locations.
    given: Vec<String>,
    locations: Vec<StorageLocation>,
    stores: Vec<Store>,
}

pub(super) async fn page(State(web): State<WebState>, member: Member) -> Result<Response, Failure> {
    let frame = member.frame(Section::Household);
    let mut locations = web.app.locations(&member.caller).await?;
    let mut stores = web.app.stores(&member.caller).await?;
    locations.sort_by_cached_key(|location| text::fold(location.name.as_str()));
    stores.sort_by_cached_key(|store| text::fold(store.name.as_str()));
    let given = SEEDED_LOCATIONS.iter().map(|seeded| frame.location(seeded.id, &[])).collect();
    Ok(render(&PlacesPage { frame, given, locations, stores }))
}

#[derive(Deserialize)]
pub(super) struct LocationForm {
    name: String,
}

impl LocationForm {
    fn read(&self) -> Result<LocationName, Failure> {
        LocationName::parse(self.name.trim()).map_err(wrong("places-location-name"))
    }
}

pub(super) async fn add_location(
    State(web): State<WebState>,
    member: Member,
    Form(form): Form<LocationForm>,
) -> Result<Response, Failure> {
    web.app.add_location(&member.caller, form.read()?, None, None).await?;
    Ok(done(PLACES, "place-added"))
}

pub(super) async fn rename_location(
    State(web): State<WebState>,
    member: Member,
    Path(location): Path<String>,
    Form(form): Form<LocationForm>,
) -> Result<Response, Failure> {
    let (id, name) = (read_id(&location)?, form.read()?);
    web.app.update_location(&member.caller, id, Some(name), None).await?;
    Ok(done(PLACES, "place-saved"))
}

pub(super) async fn delete_location(
    State(web): State<WebState>,
    member: Member,
    Path(location): Path<String>,
) -> Result<Response, Failure> {
    web.app.delete_location(&member.caller, read_id(&location)?).await?;
    Ok(done(PLACES, "place-deleted"))
}

#[derive(Deserialize)]
pub(super) struct StoreForm {
    name: String,
    #[serde(default)]
    address: String,
}

impl StoreForm {
    fn read(&self) -> Result<(StoreName, Option<StoreAddress>), Failure> {
        let name = StoreName::parse(self.name.trim()).map_err(wrong("places-store-name"))?;
        let address = match self.address.trim() {
            "" => None,
            text => {
                let address = StoreAddress::parse(text);
                Some(address.map_err(wrong("places-store-address"))?)
            }
        };
        Ok((name, address))
    }
}

pub(super) async fn add_store(
    State(web): State<WebState>,
    member: Member,
    Form(form): Form<StoreForm>,
) -> Result<Response, Failure> {
    let (name, address) = form.read()?;
    web.app.add_store(&member.caller, name, address, None).await?;
    Ok(done(PLACES, "place-added"))
}

pub(super) async fn change_store(
    State(web): State<WebState>,
    member: Member,
    Path(store): Path<String>,
    Form(form): Form<StoreForm>,
) -> Result<Response, Failure> {
    let (id, (name, address)) = (read_id(&store)?, form.read()?);
    web.app.update_store(&member.caller, id, Some(name), Some(address)).await?;
    Ok(done(PLACES, "place-saved"))
}

pub(super) async fn delete_store(
    State(web): State<WebState>,
    member: Member,
    Path(store): Path<String>,
) -> Result<Response, Failure> {
    web.app.delete_store(&member.caller, read_id(&store)?).await?;
    Ok(done(PLACES, "place-deleted"))
}

fn read_id<T: std::str::FromStr>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::NotFound)
}
