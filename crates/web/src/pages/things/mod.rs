//! Things: content, parents and groups.

mod add;
mod attributes;
mod choose;
mod delete;
mod edit;
mod grants;
mod job;
mod links;
mod list;
pub(super) mod naming;
mod numbers;
mod photo;
mod refused;
mod rows;
mod thing;
mod tree;

use axum::{
    Router,
    extract::{FromRequestParts, Path},
    http::request::Parts,
    routing::{get, post},
};
use larder_domain::Urn;

use crate::{Failure, WebState, address::escape};

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/things", get(list::page).post(add::add))
        .route("/things/move", post(links::relocate))
        .route("/things/jobs/{id}", get(job::page))
        .route("/things/{urn}", get(thing::page))
        .route("/things/{urn}/edit", get(edit::page).post(edit::save))
        .route("/things/{urn}/photo", post(photo::set))
        .route("/things/{urn}/photo/remove", post(photo::remove))
        .route("/things/{urn}/numbers", post(numbers::add))
        .route("/things/{urn}/numbers/remove", post(numbers::remove))
        .route("/things/{urn}/choose/{purpose}", get(choose::page).post(choose::chosen))
        .route("/things/{urn}/members", post(links::change))
        .route("/things/{urn}/members/remove", post(links::remove))
        .route("/things/{urn}/grants", post(grants::add))
        .route("/things/{urn}/grants/remove", post(grants::remove))
        .route("/things/{urn}/delete", get(delete::page).post(delete::delete))
}

/// The URL of a thing's page.
pub(super) fn address_of(urn: &Urn) -> String {
    format!("/things/{}", escape(urn.as_str()))
}

/// A URN in a form or query. A malformed one is not found.
fn read_urn(text: &str) -> Result<Urn, Failure> {
    text.trim().parse().map_err(|_| Failure::NotFound)
}

/// An optional URN.
fn read_optional_urn(text: Option<&str>) -> Result<Option<Urn>, Failure> {
    text.filter(|text| !text.trim().is_empty()).map(read_urn).transpose()
}

/// The thing that a path names.
struct PathUrn(Urn);

impl<S: Send + Sync> FromRequestParts<S> for PathUrn {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let path = Path::<Vec<String>>::from_request_parts(parts, state).await;
        let Path(segments) = path.map_err(|_| Failure::NotFound)?;
        let urn = segments.first().ok_or(Failure::NotFound)?;
        read_urn(urn).map(Self)
    }
}
