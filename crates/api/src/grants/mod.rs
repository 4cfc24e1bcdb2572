//! Grants on resources: one verb per file.

mod dto;
mod get;
mod list;
mod path;
mod put;
mod remove;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) use dto::words;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(list::list_grants)).routes(routes!(
        get::get_grant,
        put::put_grant,
        remove::remove_grant
    ))
}
