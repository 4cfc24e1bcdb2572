//! Tags: by address, by item, by household.

use sqlx::{AssertSqlSafe, Row};

use super::{
    plan::{Plan, Scan},
    statements::statements,
    stock::stocked,
};
use crate::support::{run, texts};

/// How the one statement that contains this text reads the tags; and that it does not sort them.
async fn scan_of_statement(text: &str) -> Scan {
    let words = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let found: Vec<_> = statements().into_iter().filter(|sql| words(sql).contains(text)).collect();
    let [statement] = &found[..] else { panic!("{} statements contain {text}", found.len()) };
    let sql = format!("EXPLAIN (GENERIC_PLAN, FORMAT JSON) {statement}");
    let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(&mut stocked().await).await;
    let plan = Plan::parse(&row.expect("the planner explains it").get(0));
    assert!(!plan.sorts, "{plan:#?}");
    plan.scan_of("nfc_urls").clone()
}

#[tokio::test]
async fn a_tag_is_found_by_its_address_alone() {
    let scan = scan_of_statement("FROM nfc_urls t WHERE t.url_id = $1").await;
    assert_eq!(scan.index.as_deref(), Some("nfc_urls_pkey"));
    assert!(scan.condition.contains("url_id"), "{}", scan.condition);
}

#[tokio::test]
async fn lists_of_tags_are_read_newest_first_from_their_indexes() {
    for (text, index) in [
        ("WHERE t.household_id = $1 AND (t.created_at, t.url_id) <", "idx_nfc_urls_household"),
        ("WHERE t.household_id = $1 AND t.item_id = $2 AND (t.created_at,", "idx_nfc_urls_item"),
    ] {
        let scan = scan_of_statement(text).await;
        assert_eq!(scan.index.as_deref(), Some(index), "{text}");
        assert!(scan.condition.contains("ROW("), "{text} {}", scan.condition);
    }
}

/// EXPLAIN does not show statements inside a function; the server's statistics count its scans.
#[tokio::test]
async fn a_tap_finds_everything_by_an_index() {
    let mut runtime = stocked().await;
    run(
        &mut runtime,
        "SELECT set_config('app.url_id', (SELECT min(url_id) FROM nfc_urls), true),
           set_config('app.household_id', '', true)",
    )
    .await;
    let tap = "SELECT result FROM tap_tag('a-new-nonce', 1, 9999999999, now() + interval '1 day')";
    assert_eq!(texts(&mut runtime, tap).await, ["done"]);
    let read = "SELECT format('%s %s', relname, seq_tup_read) FROM pg_stat_xact_user_tables
                WHERE idx_scan > 0 AND relname = ANY (ARRAY['inventory_items', 'nfc_urls', 'tap_nonces'])
                ORDER BY 1";
    let by_index = ["inventory_items 0", "nfc_urls 0", "tap_nonces 0"];
    assert_eq!(texts(&mut runtime, read).await, by_index);
}
