//! Registration and login: one verb per file.

pub(crate) mod dto;
mod forgot;
mod login;
mod logout;
mod refresh;
mod register;
mod reset;

use larder_app::{GuessablePassword, NewPassword};
use larder_domain::Password;
use larder_http::Problem;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

/// A new password of somebody, about whom this is known, unless it is easily guessed.
pub(crate) fn choose_password(
    field: &'static str,
    password: Password,
    about: &[&str],
) -> Result<NewPassword, Problem> {
    NewPassword::choose(password, about).map_err(|reason| guessable(field, reason))
}

fn guessable(field: &'static str, reason: GuessablePassword) -> Problem {
    Problem::bad_request("INVALID_FIELDS", "Validation failed")
        .field_error(field, reason.to_string())
}

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(register::register))
        .routes(routes!(login::login))
        .routes(routes!(refresh::refresh))
        .routes(routes!(logout::logout))
        .routes(routes!(forgot::forgot))
        .routes(routes!(reset::reset))
}
