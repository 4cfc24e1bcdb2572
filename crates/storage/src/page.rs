//! Pages of lists.

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, P> {
    /// Its entries. Never empty while more follow.
    pub items: Vec<T>,
    /// The exclusive start of the next page; `None` on the last page.
    pub next: Option<P>,
}

impl<T, P> Page<T, P> {
    /// The page of an empty list.
    pub const EMPTY: Self = Self { items: Vec::new(), next: None };

    /// A page from up to `limit` + 1 entries in order: the one too many shows that more follow.
    pub fn cut(mut items: Vec<T>, limit: usize, position: impl FnOnce(&T) -> P) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(position) } else { None };
        Self { items, next }
    }
}
