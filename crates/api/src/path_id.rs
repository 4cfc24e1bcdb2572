//! Ids in paths.

use std::str::FromStr;

use larder_app::AppError;

use crate::http::Problem;

/// An id from a path. What is no id names nothing, and is answered as an unknown one is: probing learns nothing.
pub(crate) fn path_id<T: FromStr>(text: &str, unknown: AppError) -> Result<T, Problem> {
    text.parse().map_err(|_| unknown.into())
}
