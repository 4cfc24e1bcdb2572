//! The caller's tokens for programs: one verb per file.

mod add;
mod dto;
mod list;
mod revoke;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(super) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_tokens, add::add_token))
        .routes(routes!(revoke::revoke_token))
}
