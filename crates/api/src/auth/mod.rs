//! Registration and login: one verb per file.

pub(crate) mod dto;
mod login;
mod logout;
mod refresh;
mod register;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(register::register))
        .routes(routes!(login::login))
        .routes(routes!(refresh::refresh))
        .routes(routes!(logout::logout))
}
