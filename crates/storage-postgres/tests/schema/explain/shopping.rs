//! The shopping list: all of it, and each part that a filter names.

use jiff::{Timestamp, civil::date, tz::TimeZone};
use larder_domain::{
    ShoppingFilter, ShoppingItemId, ShoppingPosition, ShoppingStatus, StoreChoice, StoreId,
};
use larder_storage::HouseholdScope;
use larder_storage_postgres::queries::list_shopping_items;
use sqlx::{PgConnection, Row};

use super::{
    plan::{PLANNING, Plan},
    stock::{COLLECTOR, LARGE_HOUSEHOLD, stocked},
};
use crate::support::run;

/// A position in the middle of the list, and of the time.
fn middle() -> Timestamp {
    date(2026, 1, 10).to_zoned(TimeZone::UTC).expect("UTC has every day").timestamp()
}

#[expect(clippy::disallowed_methods, reason = "tests act as whom they like")]
async fn explain(
    runtime: &mut PgConnection,
    filter: &ShoppingFilter,
    after: Option<&ShoppingPosition>,
) -> Plan {
    let scope = HouseholdScope::assume_authorized(LARGE_HOUSEHOLD, COLLECTOR);
    let prefix = "EXPLAIN (FORMAT JSON) ";
    let mut query = list_shopping_items(prefix, scope, filter, middle(), after, 50);
    let row = query.build().fetch_one(runtime).await.expect("the planner explains it");
    Plan::parse(&row.get(0))
}

#[tokio::test]
async fn every_part_of_the_list_is_read_in_its_order_from_an_index() {
    let after = ShoppingPosition {
        created_at: middle(),
        id: ShoppingItemId::fixed(0x8000_0000_0000_4000_8000_0000_0000_0000),
    };
    let shop = StoreId::from_bytes(*LARGE_HOUSEHOLD.as_bytes());
    let stores = [
        (None, "idx_shopping_list_created"),
        (Some(StoreChoice::Unassigned), "idx_shopping_list_created"),
        (Some(StoreChoice::Store(shop)), "idx_shopping_list_store"),
    ];
    let statuses = [None, Some(ShoppingStatus::Pending), Some(ShoppingStatus::Purchased)];
    let mut runtime = stocked().await;
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        for (store, index) in stores {
            for status in statuses {
                let filter = ShoppingFilter { store, status };
                let first = explain(&mut runtime, &filter, None).await;
                let next = explain(&mut runtime, &filter, Some(&after)).await;
                for plan in [&first, &next] {
                    assert!(!plan.sorts, "{planning}: {filter:?} {plan:#?}");
                    let scan = plan.scan_of("shopping_list_items");
                    assert_eq!(scan.index.as_deref(), Some(index), "{planning}: {filter:?}");
                }
                let condition = &next.scan_of("shopping_list_items").condition;
                assert!(condition.contains("ROW("), "{planning}: {filter:?} {condition}");
            }
        }
    }
}
