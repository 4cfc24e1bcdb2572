//! `POST /things/{urn}/grants` and `/remove`: grants on a thing and everything in it.

use axum::response::Response;
use larder_domain::{AccessAction, GrantedActions, Urn};
use serde::Deserialize;

use super::{PathUrn, address_of, read_urn};
use crate::{Failure, Form, Member, Rule, WebState, done, wrong};

#[derive(Deserialize)]
pub(super) struct NewGrant {
    principal: String,
    #[serde(default)]
    action: Vec<String>,
}

pub(super) async fn add(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<NewGrant>,
) -> Result<Response, Failure> {
    let principal: Urn = form.principal.trim().parse().map_err(wrong("things-field-principal"))?;
    let actions: Result<Vec<_>, _> =
        form.action.iter().map(|name| AccessAction::parse(name)).collect();
    let actions = actions.map_err(|_| Failure::Malformed)?;
    let actions = GrantedActions::new(actions)
        .map_err(|_| Failure::Wrong("things-field-actions", Rule::Nothing))?;
    web.app.put_grant(&member.caller, principal, urn.clone(), actions).await?;
    Ok(done(&address_of(&urn), "thing-grant-added"))
}

#[derive(Deserialize)]
pub(super) struct OldGrant {
    principal: String,
}

pub(super) async fn remove(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<OldGrant>,
) -> Result<Response, Failure> {
    web.app.remove_grant(&member.caller, &read_urn(&form.principal)?, &urn).await?;
    Ok(done(&address_of(&urn), "thing-grant-removed"))
}
