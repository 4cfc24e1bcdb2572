//! The one mapping from errors of use cases to HTTP.

use std::fmt;

use axum::http::StatusCode;
use larder_app::ErrorKind;

use crate::Problem;

/// The status of an error, in the API and on pages alike.
pub const fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Gone => StatusCode::GONE,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Defect => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl Problem {
    /// The problem of an error without a code of its own. The cause of a 5xx is only logged.
    pub fn of_kind(kind: ErrorKind, cause: &dyn fmt::Display) -> Self {
        match kind {
            ErrorKind::Unavailable => Self::unavailable(cause),
            ErrorKind::Defect => Self::internal(cause),
            other => Self::for_status(status_of(other)),
        }
    }
}
