//! Links between things: into another thing or to the top, and membership in groups, from either
//! end.

use axum::response::Response;
use larder_app::AppError;
use larder_domain::CollectionMemberRelationship;
use serde::Deserialize;

use super::{PathUrn, address_of, read_optional_urn, read_urn};
use crate::{Failure, Form, Member, WebState, back_or, done};

#[derive(Deserialize)]
pub(super) struct Relocation {
    thing: String,
    /// Empty: to the top.
    parent: Option<String>,
    back: Option<String>,
}

pub(super) async fn relocate(
    web: WebState,
    member: Member,
    Form(form): Form<Relocation>,
) -> Result<Response, Failure> {
    let thing = read_urn(&form.thing)?;
    match read_optional_urn(form.parent.as_deref())? {
        Some(parent) => web.app.attach_resource(&member.caller, thing, parent).await?,
        None => web.app.detach_resource(&member.caller, &thing).await?,
    };
    Ok(done(back_or(form.back.as_deref(), "/things"), "thing-moved"))
}

#[derive(Deserialize)]
pub(super) struct Belonging {
    collection: String,
    member: String,
    /// Whether grants on the group also apply to the member.
    conveys: Option<String>,
}

pub(super) async fn change(
    web: WebState,
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
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<Belonging>,
) -> Result<Response, Failure> {
    let (group, belonging) = (read_urn(&form.collection)?, read_urn(&form.member)?);
    web.app.remove_from_collection(&member.caller, &group, &belonging).await?;
    Ok(done(&address_of(&urn), "thing-group-left"))
}
