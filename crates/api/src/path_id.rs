//! Ids in paths.

use std::str::FromStr;

use larder_app::AppError;

use crate::problems::ApiError;

/// An id from a path. A malformed one is answered like an unknown one, so that probing reveals
/// nothing.
pub(crate) fn path_id<T: FromStr>(text: &str, unknown: AppError) -> Result<T, ApiError> {
    text.parse().map_err(|_| unknown.into())
}
