//! Lists of items. The statement is built from the filters in use, so that the planner sees no
//! others; every order has an index that starts where a page does.

use jiff::civil::Date;
use larder_domain::{
    Expiring, Item, ItemFilter, ItemPosition, ItemSort, Owner, SearchTerm, last_day_of_soon,
};
use larder_storage::{Page, Result, Scope, StorageError};
use sqlx::{Postgres, QueryBuilder};

use super::SUFFIX_CHARS;
use crate::{
    PostgresStore,
    context::Context,
    database::one_more,
    ids::{inventory_id, uuid},
    items::{ItemRow, SELECT_ITEMS},
    types::{Day, Instant},
};

/// The day that counts; undated items sort last.
const DATE: &str = "i.good_until";

impl PostgresStore {
    pub(super) async fn list_page(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(StorageError::Defect("a position of another order".to_owned()));
        }
        let rows = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let mut query = list_items("", scope, filter, today, sort, after, limit);
            let rows = query.build_query_as::<ItemRow>().fetch_all(&mut transaction).await?;
            Ok(rows)
        });
        let items = rows.await?.into_iter().map(ItemRow::into_item).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(items, limit, |item| ItemPosition::of(item, sort)))
    }
}

/// The statement that reads a page and one more item. `prefix` lets tests prepend EXPLAIN.
pub fn list_items(
    prefix: &'static str,
    scope: Scope,
    filter: &ItemFilter,
    today: Date,
    sort: ItemSort,
    after: Option<&ItemPosition>,
    limit: usize,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(prefix);
    query.push(SELECT_ITEMS);
    push_owner(&mut query, scope);
    push_filter(&mut query, scope, filter, today);
    if let Some(after) = after {
        push_position(&mut query, after);
    }
    push_order(&mut query, sort, limit);
    query
}

/// The statement that reads a page of the lots that stand for their products, and one more: of the
/// lots of a product that match, the first in this order.
pub(crate) fn list_first_lots(
    scope: Scope,
    (filter, today): (&ItemFilter, Date),
    sort: ItemSort,
    after: Option<&ItemPosition>,
    limit: usize,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("");
    query.push(SELECT_ITEMS);
    push_owner(&mut query, scope);
    push_filter(&mut query, scope, filter, today);
    if let Some(after) = after {
        push_position(&mut query, after);
    }
    query.push(
        " AND NOT EXISTS (SELECT FROM inventory_items o WHERE o.product_id = i.product_id AND ",
    );
    query.push(match sort {
        ItemSort::Created => "(o.created_at, o.id) > (i.created_at, i.id)",
        ItemSort::Name => "(o.name_folded, o.id) < (i.name_folded, i.id)",
        ItemSort::Expiration => "(o.good_until, o.id) < (i.good_until, i.id)",
    });
    // All lots of a product have the same name, so that a search finds all or none of them.
    push_columns(&mut query, "o", filter, today);
    query.push(")");
    push_order(&mut query, sort, limit);
    query
}

fn push_owner(query: &mut QueryBuilder<Postgres>, scope: Scope) {
    match scope.owner() {
        Owner::Household(household) => {
            query.push("WHERE i.household_id = ").push_bind(uuid(household));
        }
        Owner::User(user) => {
            query.push("WHERE i.household_id IS NULL AND i.created_by = ").push_bind(uuid(user));
        }
    }
}

fn push_order(query: &mut QueryBuilder<Postgres>, sort: ItemSort, limit: usize) {
    query.push(" ORDER BY ");
    match sort {
        ItemSort::Created => query.push("i.created_at DESC, i.id DESC"),
        ItemSort::Name => query.push("i.name_folded, i.id"),
        ItemSort::Expiration => query.push(format_args!("{DATE}, i.id")),
    };
    query.push(" LIMIT ").push_bind(one_more(limit));
}

fn push_filter(query: &mut QueryBuilder<Postgres>, scope: Scope, filter: &ItemFilter, today: Date) {
    push_columns(query, "i", filter, today);
    if let Some(term) = &filter.search {
        push_search(query, scope, term);
    }
}

/// All of a filter but the search, on the items of this alias.
fn push_columns(
    query: &mut QueryBuilder<Postgres>,
    of: &'static str,
    filter: &ItemFilter,
    today: Date,
) {
    if filter.only_depleted {
        query.push(format_args!(" AND {of}.is_depleted"));
    } else if !filter.include_depleted {
        query.push(format_args!(" AND NOT {of}.is_depleted"));
    }
    if let Some(category) = filter.category {
        query.push(format_args!(" AND {of}.category_id = ")).push_bind(uuid(category));
    }
    if let Some(location) = filter.location {
        query.push(format_args!(" AND {of}.storage_location_id = ")).push_bind(uuid(location));
    }
    if let Some(low) = &filter.low {
        let ids: Vec<_> = low.ids().map(uuid).collect();
        query.push(format_args!(" AND {of}.product_id = ANY (")).push_bind(ids).push(")");
    }
    match filter.expiring {
        None => {}
        Some(Expiring::Soon) => {
            query.push(format_args!(" AND {of}.good_until BETWEEN ")).push_bind(Day(today));
            query.push(" AND ").push_bind(Day(last_day_of_soon(today)));
        }
        Some(Expiring::Expired) => {
            query.push(format_args!(" AND {of}.good_until < ")).push_bind(Day(today));
        }
    }
}

/// A prefix search is a range from the term to the next text of its length, byte by byte.
fn push_search(query: &mut QueryBuilder<Postgres>, scope: Scope, term: &SearchTerm) {
    let first: String = term.folded().chars().take(SUFFIX_CHARS).collect();
    query
        .push(" AND EXISTS (SELECT FROM inventory_item_words w WHERE w.item_id = i.id")
        .push(" AND w.inventory_id = ")
        .push_bind(inventory_id(scope.owner()))
        .push(" AND w.suffix >= ");
    let beyond = first_beyond(&first);
    query.push_bind(first);
    if let Some(beyond) = beyond {
        query.push(" AND w.suffix < ").push_bind(beyond);
    }
    query.push(")");
}

fn push_position(query: &mut QueryBuilder<Postgres>, after: &ItemPosition) {
    let id = match after {
        ItemPosition::Created(at, id) => {
            query.push(" AND (i.created_at, i.id) < (").push_bind(Instant(*at));
            id
        }
        ItemPosition::Name(name, id) => {
            query.push(" AND (i.name_folded, i.id) > (fn_folded_key(").push_bind(name.clone());
            query.push(")");
            id
        }
        ItemPosition::Expiration(date, id) => {
            query.push(format_args!(" AND ({DATE}, i.id) > (COALESCE("));
            query.push_bind(date.map(|date| Day(date.date()))).push(", 'infinity'::date)");
            id
        }
    };
    query.push(", ").push_bind(uuid(*id)).push(")");
}

/// The smallest text, in byte order, above all with this prefix; `None` if there is none.
fn first_beyond(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        // A range of characters skips surrogates, and ends after the last character.
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_a_term_ends_before_the_next_text() {
        assert_eq!(first_beyond("mil").as_deref(), Some("mim"));
        assert_eq!(first_beyond("a\u{d7ff}").as_deref(), Some("a\u{e000}"));
        assert_eq!(first_beyond("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(first_beyond("\u{10ffff}"), None);
        assert_eq!(first_beyond("\u{7f}").as_deref(), Some("\u{80}"));
    }
}
