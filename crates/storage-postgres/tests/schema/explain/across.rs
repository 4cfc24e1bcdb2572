//! The statements of functions that work across households. EXPLAIN does not show statements inside
//! a function, so they are read from the catalog.

use sqlx::{AssertSqlSafe, Row};

use super::{plan::Plan, stock::stocked_across};
use crate::support::texts;

/// Values for the functions' parameters and variables.
const VALUES: [(&str, &str); 15] = [
    ("p_limit", "100"),
    ("p_behind_account", "'urn:pp:System.Account::1'"),
    ("p_behind_urn", "'urn:pp:Home.Box::1'"),
    ("p_urn", "'urn:pp:Home.Box::40000000-0000-4000-8000-000000000004'"),
    ("p_now", "now()"),
    ("p_after", "NULL::uuid"),
    ("p_inventories", "ARRAY['10000000-0000-4000-8000-000000000000'::uuid]"),
    ("p_households", "ARRAY['10000000-0000-4000-8000-000000000000'::uuid]"),
    ("p_items", "ARRAY['10000000-0000-4000-8000-000000000000'::uuid]"),
    ("p_urls", "ARRAY['0aaaaaaaaaaaaaaaaaaaaa']"),
    ("p_counts", "ARRAY[1::bigint]"),
    ("p_last", "ARRAY[now()]"),
    ("expired_at", "now()"),
    ("expired_s", "extract(epoch FROM now())::bigint"),
    ("journal_before", "(now() - interval '35 days')"),
];

/// The statements of a function's body that read or change rows.
fn statements(body: &str) -> Vec<String> {
    let without_comments: Vec<_> =
        body.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let without_comments = without_comments.join("\n");
    let statements = without_comments.split(';').map(str::trim);
    let statements = statements.map(|sql| sql.strip_prefix("RETURN QUERY").unwrap_or(sql).trim());
    let touching_rows = statements
        .filter(|sql| ["WITH", "SELECT", "UPDATE"].iter().any(|verb| sql.starts_with(verb)))
        .map(|sql| sql.replace("INTO outbox FROM", "FROM").replace("INTO account FROM", "FROM"));
    let with_values = touching_rows
        .map(|sql| VALUES.iter().fold(sql, |sql, (name, value)| sql.replace(name, value)));
    with_values.collect()
}

#[tokio::test]
async fn what_works_across_households_reads_no_table_from_end_to_end() {
    let mut owner = stocked_across().await;
    let sql = "SELECT prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
               AND prosecdef AND prosrc LIKE '%app.across_households%'
               -- These are about one household, person or device, by its key.
               AND proname !~ '_erasure$|^fn_refuse_closed_device$' ORDER BY proname";
    let mut explained = 0;
    for statement in texts(&mut owner, sql).await.iter().flat_map(|body| statements(body)) {
        let sql = format!("EXPLAIN (FORMAT JSON) {statement}");
        let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(&mut owner).await;
        let row = row.unwrap_or_else(|error| panic!("{error}\n{statement}"));
        let plan = Plan::parse(&row.get(0));
        assert_eq!(plan.read_whole(), [""; 0], "{statement}\n{plan:#?}");
        explained += 1;
    }
    // Eight of the sweep, two of that of telemetry, and one each of thirteen others.
    assert_eq!(explained, 23);
}
