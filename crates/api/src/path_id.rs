//! Ids in paths.

use std::str::FromStr;

use crate::http::Problem;

/// An id from a path. What is no id names nothing, and so is not found: probing learns nothing from it.
pub(crate) fn path_id<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::not_found())
}
