//! Ids in paths.

use std::str::FromStr;

use larder_app::AppError;

use crate::problems::ApiError;

/// An id from a path. What is no id names nothing, and is answered as an unknown one is: probing learns nothing.
pub(crate) fn path_id<T: FromStr>(text: &str, unknown: AppError) -> Result<T, ApiError> {
    text.parse().map_err(|_| unknown.into())
}
