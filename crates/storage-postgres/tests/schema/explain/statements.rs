//! Every statement that is checked when the program is built.

use std::{fs, path::Path};

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Row};

use super::{plan::Plan, stock::stocked};
use crate::support::run;

/// The texts of all statements, from the descriptions that the build checks them against.
pub(super) fn statements() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(".sqlx");
    let files = fs::read_dir(directory).expect("tools/prepare-queries writes the descriptions");
    let texts = files.map(|file| {
        let path = file.expect("the directory can be listed").path();
        let text = fs::read_to_string(&path).expect("the descriptions can be read");
        let description: Value = serde_json::from_str(&text).expect("the descriptions are JSON");
        description["query"].as_str().expect("each has a statement").to_owned()
    });
    texts.collect()
}

/// The one statement that contains this text.
pub(super) fn statement(text: &str) -> String {
    let words = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found: Vec<_> =
        statements().into_iter().filter(|sql| words(sql).contains(text)).collect();
    assert_eq!(found.len(), 1, "statements that contain {text}");
    found.remove(0)
}

/// How a statement is done with these values.
pub(super) async fn plan_of(runtime: &mut PgConnection, statement: &str, values: &str) -> Plan {
    run(runtime, &format!("PREPARE asked AS {statement}")).await;
    let sql = format!("EXPLAIN (FORMAT JSON) EXECUTE asked ({values})");
    let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(&mut *runtime).await;
    run(runtime, "DEALLOCATE asked").await;
    Plan::parse(&row.expect("the planner explains it").get(0))
}

#[tokio::test]
async fn no_statement_reads_a_table_from_end_to_end() {
    let mut runtime = stocked().await;
    let statements = statements();
    assert!(statements.len() > 20, "{} statements", statements.len());
    let mut explained = 0;
    for statement in &statements {
        let first_word = statement.split_whitespace().next().unwrap_or_default();
        if !["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(&first_word) {
            continue;
        }
        let sql = format!("EXPLAIN (GENERIC_PLAN, FORMAT JSON) {statement}");
        // The simple protocol leaves the placeholders to the planner.
        let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(&mut runtime).await;
        let row = row.unwrap_or_else(|error| panic!("{error}\n{statement}"));
        let plan = Plan::parse(&row.get(0));
        let mut whole = plan.read_whole();
        // Its key allows one row, so no index is shorter.
        whole.retain(|table| *table != "first_account");
        assert_eq!(whole, [""; 0], "{statement}\n{plan:#?}");
        explained += 1;
    }
    assert!(explained > 20, "{explained} statements explained");
}
