//! `POST /things/{urn}/members` and `/remove`: membership in groups, from either end.

use axum::{extract::State, response::Response};
use larder_app::AppError;
use larder_domain::CollectionMemberRelationship;
use serde::Deserialize;

use super::{PathUrn, address_of, read_urn};
use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Belonging {
    collection: String,
    member: String,
    /// Whether grants on the group also apply to the member.
    conveys: Option<String>,
}

pub(super) async fn change(
    State(web): State<WebState>,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<Belonging>,
) -> Result<Response, Failure> {
    let (group, belonging) = (read_urn(&form.collection)?, read_urn(&form.member)?);
    let link = CollectionMemberRelationship::new(group, belonging, form.conveys.is_some());
    web.app.add_to_collection(&member.caller, &link.map_err(AppError::from)?).await?;
    Ok(done(&address_of(&urn), "thing-group-changed"))
}

pub(super) async fn remove(
    State(web): State<WebState>,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<Belonging>,
) -> Result<Response, Failure> {
    let (group, belonging) = (read_urn(&form.collection)?, read_urn(&form.member)?);
    web.app.remove_from_collection(&member.caller, &group, &belonging).await?;
    Ok(done(&address_of(&urn), "thing-group-left"))
}
