//! The lists of items: each order, filter and search.

use std::sync::Arc;

use jiff::{
    civil::{Date, date},
    tz::TimeZone,
};
use larder_domain::{
    CATEGORIES, ExpirationDate, Expiring, ItemFilter, ItemId, ItemPosition, ItemSort, Owner,
    ProductId, SearchTerm, StorageLocationId, find_category,
};
use larder_storage::Scope;
use larder_storage_postgres::queries::list_items;
use sqlx::{PgConnection, Row};

use super::{
    plan::{PLANNING, Plan},
    stock::{COLLECTOR, LARGE_HOUSEHOLD, stocked},
};
use crate::support::run;

const TODAY: Date = date(2026, 6, 1);
const SORTS: [ItemSort; 3] = [ItemSort::Created, ItemSort::Name, ItemSort::Expiration];

#[expect(clippy::disallowed_methods, reason = "tests act as whom they like")]
fn scopes() -> [Scope; 2] {
    [Owner::Household(LARGE_HOUSEHOLD), Owner::User(COLLECTOR)]
        .map(|owner| Scope::assume_authorized(owner, COLLECTOR))
}

/// A position in the middle of a list.
fn middle(sort: ItemSort) -> ItemPosition {
    let id = ItemId::fixed(0x8000_0000_0000_4000_8000_0000_0000_0000);
    let created = date(2026, 1, 8).to_zoned(TimeZone::UTC).expect("UTC has every day").timestamp();
    match sort {
        ItemSort::Created => ItemPosition::Created(created, id),
        ItemSort::Name => ItemPosition::Name("thing 18".to_owned(), id),
        ItemSort::Expiration => ItemPosition::Expiration(
            Some(ExpirationDate::parse("2027-01-01").expect("it is a date")),
            id,
        ),
    }
}

async fn explain(
    runtime: &mut PgConnection,
    scope: Scope,
    filter: &ItemFilter,
    sort: ItemSort,
    after: Option<&ItemPosition>,
) -> Plan {
    let mut query = list_items("EXPLAIN (FORMAT JSON) ", scope, filter, TODAY, sort, after, 50);
    let row = query.build().fetch_one(runtime).await.expect("the planner explains it");
    Plan::parse(&row.get(0))
}

#[tokio::test]
async fn every_order_is_read_from_its_index_beginning_where_the_page_does() {
    let mut runtime = stocked().await;
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        for (scope, indexes) in scopes().into_iter().zip([
            [
                "idx_inventory_household_created",
                "idx_inventory_search",
                "idx_inventory_household_expiration",
            ],
            [
                "idx_inventory_personal_created",
                "idx_inventory_search_personal",
                "idx_inventory_personal_expiration",
            ],
        ]) {
            for (sort, index) in SORTS.into_iter().zip(indexes) {
                let filter = ItemFilter::default();
                let first = explain(&mut runtime, scope, &filter, sort, None).await;
                let next = explain(&mut runtime, scope, &filter, sort, Some(&middle(sort))).await;
                for plan in [&first, &next] {
                    assert!(!plan.sorts, "{planning}: {sort:?} {plan:#?}");
                    let scan = plan.scan_of("inventory_items");
                    assert_eq!(
                        scan.index.as_deref(),
                        Some(index),
                        "{planning}: {sort:?} {plan:#?}"
                    );
                }
                let condition = &next.scan_of("inventory_items").condition;
                assert!(condition.contains("ROW("), "{planning}: {sort:?} {condition}");
            }
        }
    }
}

#[tokio::test]
async fn every_filter_finds_its_items_by_an_index_in_every_order() {
    let none = ItemFilter::default();
    let category = CATEGORIES[3].id;
    assert!(find_category(category).is_some());
    let location = StorageLocationId::from_bytes(*LARGE_HOUSEHOLD.as_bytes());
    let low = Some(Arc::new((1..=3).map(ProductId::fixed).collect()));
    let filters = [
        ItemFilter { include_depleted: true, ..none.clone() },
        ItemFilter { only_depleted: true, ..none.clone() },
        ItemFilter { category: Some(category), ..none.clone() },
        ItemFilter { location: Some(location), ..none.clone() },
        ItemFilter { low: low.clone(), ..none.clone() },
        ItemFilter { expiring: Some(Expiring::Soon), ..none.clone() },
        ItemFilter { expiring: Some(Expiring::Expired), ..none.clone() },
        ItemFilter { search: SearchTerm::parse("word12"), ..none.clone() },
        ItemFilter { search: SearchTerm::parse("t"), ..none.clone() },
        ItemFilter {
            search: SearchTerm::parse("thing 1"),
            category: Some(category),
            location: Some(location),
            expiring: Some(Expiring::Soon),
            low: low.clone(),
            include_depleted: true,
            only_depleted: false,
        },
    ];
    let mut runtime = stocked().await;
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        for (scope, filter) in scopes().iter().flat_map(|s| filters.iter().map(move |f| (*s, f))) {
            for sort in SORTS {
                for after in [None, Some(middle(sort))] {
                    let plan = explain(&mut runtime, scope, filter, sort, after.as_ref()).await;
                    assert_eq!(
                        plan.read_whole(),
                        [""; 0],
                        "{planning}: {filter:?} {sort:?} {plan:#?}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn a_search_is_a_range_of_the_words_index() {
    let mut runtime = stocked().await;
    let filter = ItemFilter { search: SearchTerm::parse("word12"), ..ItemFilter::default() };
    for scope in scopes() {
        let plan = explain(&mut runtime, scope, &filter, ItemSort::Created, None).await;
        let scan = plan.scan_of("inventory_item_words");
        assert_eq!(scan.index.as_deref(), Some("inventory_item_words_pkey"), "{plan:#?}");
        assert!(scan.condition.contains("suffix >= 'word12'"), "{plan:#?}");
        assert!(scan.condition.contains("suffix < 'word13'"), "{plan:#?}");
    }
}

#[tokio::test]
async fn what_expires_soon_is_a_range_of_its_index() {
    let mut runtime = stocked().await;
    let filter = ItemFilter { expiring: Some(Expiring::Soon), ..ItemFilter::default() };
    for (scope, index) in scopes()
        .into_iter()
        .zip(["idx_inventory_household_expiration", "idx_inventory_personal_expiration"])
    {
        let plan = explain(&mut runtime, scope, &filter, ItemSort::Expiration, None).await;
        let scan = plan.scan_of("inventory_items");
        assert_eq!(scan.index.as_deref(), Some(index), "{plan:#?}");
        assert!(scan.condition.contains("2026-06-01"), "{plan:#?}");
        assert!(!plan.sorts, "{plan:#?}");
    }
}
