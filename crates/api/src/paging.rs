//! How lists page.

use crate::http::Params;

/// How many entries a page has when nobody says.
const DEFAULT_LIMIT: usize = 50;

/// `limit`: 1 to 200, 50 by default.
pub(crate) fn page_limit(params: &mut Params) -> usize {
    let limit = params.integer("limit", 1..=200);
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT)
}
