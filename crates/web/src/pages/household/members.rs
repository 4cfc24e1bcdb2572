//! `POST /household/members/{userId}/role`, `…/remove` and `POST /household/leave`.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::{Role, UserId};
use serde::Deserialize;

use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct RoleChange {
    role: String,
}

pub(super) async fn change_role(
    State(web): State<WebState>,
    member: Member,
    Path(user): Path<String>,
    Form(form): Form<RoleChange>,
) -> Result<Response, Failure> {
    let user = read_id(&user)?;
    let role: Role = form.role.parse().map_err(|_| Failure::Malformed)?;
    web.app.change_role(&member.caller, user, role).await?;
    Ok(done("/household", "role-changed"))
}

pub(super) async fn remove(
    State(web): State<WebState>,
    member: Member,
    Path(user): Path<String>,
) -> Result<Response, Failure> {
    web.app.remove_member(&member.caller, read_id(&user)?).await?;
    Ok(done("/household", "member-removed"))
}

/// Without a household, the user continues on the welcome page.
pub(super) async fn leave(
    State(web): State<WebState>,
    member: Member,
) -> Result<Response, Failure> {
    web.app.remove_member(&member.caller, member.caller.user_id()).await?;
    Ok(done("/welcome", "left"))
}

fn read_id(text: &str) -> Result<UserId, Failure> {
    text.parse().map_err(|_| Failure::NotFound)
}
