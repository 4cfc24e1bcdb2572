//! The caller's own account: one verb per file.

mod change_password;
mod delete;
mod end_session;
mod export;
mod get;
mod sessions;
mod tokens;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(get::me, update::update_me, delete::delete_me))
        .routes(routes!(change_password::change_password))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(end_session::end_session))
        .routes(routes!(export::export))
        .merge(tokens::routes())
}
