//! `GET /household/places` and its forms: storage locations and shops.

use askama::Template;
use axum::response::Response;
use larder_app::StoreChanges;
use larder_domain::{
    LocationName, SEEDED_LOCATIONS, StorageLocation, StorageLocationId, Store, StoreAddress,
    StoreId, StoreName, text,
};
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, Member, PathId, Section, WebState, address, done, render, see_other,
    wrong,
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

pub(super) async fn page(web: WebState, member: Member) -> Result<Response, Failure> {
    let frame = member.frame(Section::Household);
    let mut locations = web.app.locations(&member.caller).await?;
    let stores = web.app.stores(&member.caller).await?;
    locations.sort_by_cached_key(|location| text::fold(location.name.as_str()));
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
    web: WebState,
    member: Member,
    Form(form): Form<LocationForm>,
) -> Result<Response, Failure> {
    web.app.add_location(&member.caller, form.read()?, None, None).await?;
    Ok(done(PLACES, "place-added"))
}

pub(super) async fn rename_location(
    web: WebState,
    member: Member,
    PathId(id): PathId<StorageLocationId>,
    Form(form): Form<LocationForm>,
) -> Result<Response, Failure> {
    web.app.update_location(&member.caller, id, Some(form.read()?), None).await?;
    Ok(done(PLACES, "place-saved"))
}

pub(super) async fn delete_location(
    web: WebState,
    member: Member,
    PathId(id): PathId<StorageLocationId>,
) -> Result<Response, Failure> {
    web.app.delete_location(&member.caller, id).await?;
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
    web: WebState,
    member: Member,
    Form(form): Form<StoreForm>,
) -> Result<Response, Failure> {
    let (name, address) = form.read()?;
    web.app.add_store(&member.caller, name, address, None, None).await?;
    Ok(done(PLACES, "place-added"))
}

pub(super) async fn change_store(
    web: WebState,
    member: Member,
    PathId(id): PathId<StoreId>,
    Form(form): Form<StoreForm>,
) -> Result<Response, Failure> {
    let (name, address) = form.read()?;
    let changes = StoreChanges { name: Some(name), address: Some(address), sort_order: None };
    web.app.update_store(&member.caller, id, changes).await?;
    Ok(done(PLACES, "place-saved"))
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Up,
    Down,
}

#[derive(Deserialize)]
pub(super) struct Shift {
    to: Direction,
}

/// Moves a shop by one place in the order of shops.
pub(super) async fn shift_store(
    web: WebState,
    member: Member,
    PathId(id): PathId<StoreId>,
    Form(shift): Form<Shift>,
) -> Result<Response, Failure> {
    web.app.shift_store(&member.caller, id, matches!(shift.to, Direction::Up)).await?;
    Ok(see_other(PLACES))
}

pub(super) async fn delete_store(
    web: WebState,
    member: Member,
    PathId(id): PathId<StoreId>,
) -> Result<Response, Failure> {
    web.app.delete_store(&member.caller, id).await?;
    Ok(done(PLACES, "place-deleted"))
}
