//! The keys that devices authenticate with, as admins and the operator see them: one verb per file.

mod add;
mod dto;
mod list;
mod revoke;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_api_keys, add::add_api_key))
        .routes(routes!(revoke::revoke_api_key))
}
