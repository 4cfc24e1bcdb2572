//! Households and their members: one verb per file.

mod change_role;
mod create;
mod current;
mod delete;
mod dto;
mod invite_code;
mod join;
mod members;
mod remove_member;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(create::create_household))
        .routes(routes!(join::join_household))
        .routes(routes!(
            current::current_household,
            update::update_household,
            delete::delete_household
        ))
        .routes(routes!(invite_code::replace_invite_code))
        .routes(routes!(members::list_members))
        .routes(routes!(change_role::change_role, remove_member::remove_member))
}
