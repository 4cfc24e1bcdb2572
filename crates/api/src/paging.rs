//! Paging of lists: one way to read `limit` and `cursor`.

use std::fmt;

use axum::{extract::FromRequestParts, http::request::Parts};
use larder_http::{InvalidCursor, ListCursors, PagePosition, Params, Problem};
use utoipa::IntoParams;

use crate::Api;

/// The default page size.
const DEFAULT_LIMIT: usize = 50;

/// The maximum page size of most lists.
const USUAL_MOST: i64 = 200;

/// The query parameters of every list. Also an extractor, if a list has no others.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// 1 to 200, default 50
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub(crate) limit: usize,
    /// `nextCursor` of the page before
    cursor: Option<String>,
}

impl PageQuery {
    pub(crate) fn read(params: &mut Params) -> Self {
        Self::read_up_to(params, USUAL_MOST)
    }

    /// The parameters of a list with pages of up to `most` entries.
    pub(crate) fn read_up_to(params: &mut Params, most: i64) -> Self {
        let limit = params.integer("limit", 1..=most);
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT);
        Self { limit, cursor: params.text("cursor") }
    }

    /// The position that the page starts after; `None` for the first page.
    pub(crate) fn after<P: PagePosition>(
        &self,
        list: &ListCursors<'_>,
    ) -> Result<Option<P>, InvalidCursor> {
        list.after(self.cursor.as_deref())
    }
}

impl<S: Sync> FromRequestParts<S> for PageQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let mut params = Params::from_request_parts(parts, state).await?;
        let query = Self::read(&mut params);
        params.finish(|| Some(query))
    }
}

impl Api {
    /// The cursors of the list that `binding` identifies: its content, owner and query.
    pub(crate) fn list(&self, binding: fmt::Arguments<'_>) -> ListCursors<'_> {
        ListCursors::new(&self.cursors, binding)
    }
}

#[cfg(test)]
mod tests {
    use larder_http::CursorKey;

    use super::*;

    #[test]
    fn a_page_begins_where_its_cursor_leads_and_otherwise_at_the_beginning() {
        let key = CursorKey::new(&[7; 32]);
        let list = ListCursors::new(&key, format_args!("devices of one"));
        let query = PageQuery { limit: 1, cursor: list.seal(Some(&7_u64)) };
        assert_eq!(query.after(&list), Ok(Some(7_u64)));
        let elsewhere = ListCursors::new(&key, format_args!("devices of two"));
        assert_eq!(query.after::<u64>(&elsewhere), Err(InvalidCursor));
        let first = PageQuery { limit: 1, cursor: None };
        assert_eq!(first.after::<u64>(&list), Ok(None));
    }
}
