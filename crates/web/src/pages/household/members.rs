//! `POST /household/members/{userId}/role`, `…/remove` and `POST /household/leave`.

use axum::response::Response;
use larder_domain::{Role, UserId};
use serde::Deserialize;

use crate::{Failure, Form, Member, PathId, WebState, done};

#[derive(Deserialize)]
pub(super) struct RoleChange {
    role: String,
}

pub(super) async fn change_role(
    web: WebState,
    member: Member,
    PathId(user): PathId<UserId>,
    Form(form): Form<RoleChange>,
) -> Result<Response, Failure> {
    let role: Role = form.role.parse().map_err(|_| Failure::Malformed)?;
    web.app.change_role(&member.caller, user, role).await?;
    Ok(done("/household", "role-changed"))
}

pub(super) async fn remove(
    web: WebState,
    member: Member,
    PathId(user): PathId<UserId>,
) -> Result<Response, Failure> {
    web.app.remove_member(&member.caller, user).await?;
    Ok(done("/household", "member-removed"))
}

/// Without a household, the user continues on the welcome page.
pub(super) async fn leave(web: WebState, member: Member) -> Result<Response, Failure> {
    web.app.remove_member(&member.caller, member.caller.user_id()).await?;
    Ok(done("/welcome", "left"))
}
