//! An attacker with one household's context, on the rows of others.

use sqlx::{AssertSqlSafe, PgConnection};

use super::{
    ownership::{self, Ownership},
    world::{ATTACKER, LONER, SECRET, USER, inhabited},
};
use crate::support::{Migrated, begin_as, number, refusal, run, texts};

/// A role with read and write rights on every table, restricted only by the policies.
async fn unrestricted(database: &Migrated) -> PgConnection {
    let mut superuser = database.superuser().await;
    let role = format!("attacker_{}", database.name);
    run(&mut superuser, &format!("CREATE ROLE {role} LOGIN PASSWORD 'x'")).await;
    let grant =
        format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}");
    run(&mut superuser, &grant).await;
    run(&mut superuser, &format!("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}")).await;
    database.role(&role, "x").await
}

/// Every row of every protected table, as the superuser sees them.
async fn everything(database: &Migrated) -> Vec<String> {
    let mut superuser = database.superuser().await;
    let mut rows = Vec::new();
    for of in ownership::all() {
        let sql =
            format!("SELECT concat('{t} ', to_jsonb(t)) FROM {t} AS t ORDER BY 1", t = of.table);
        rows.extend(texts(&mut superuser, &sql).await);
    }
    rows
}

/// Runs one attack in its own transaction, and commits. Returns the number of changed rows; a
/// refusal counts as 0, and must not leak anything.
async fn attack(attacker: &mut PgConnection, sql: &str) -> u64 {
    run(attacker, &begin_as(&ATTACKER)).await;
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *attacker).await;
    let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
    run(attacker, end).await;
    match done {
        Ok(done) => done.rows_affected(),
        Err(error) => {
            let (code, text) = refusal(&error);
            assert!(!text.contains(SECRET), "{sql}\nreveals: {text}");
            let expected = ["42501", "23514", "23503", "428C9"];
            assert!(expected.contains(&code.as_str()), "{sql}\n{code} {text}");
            0
        }
    }
}

#[tokio::test]
async fn a_context_sees_its_own_rows_and_no_others_in_every_table() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    for Ownership { table, owned, also_seen, .. } in ownership::all() {
        let own = format!(
            "SELECT to_jsonb(t)::text FROM {table} AS t WHERE {owned} OR {also_seen} ORDER BY 1"
        );
        let own = texts(&mut superuser, &own).await;
        let all = number(&mut superuser, &format!("SELECT count(*) FROM {table}")).await;
        assert!(
            !own.is_empty() && own.len() < usize::try_from(all).unwrap(),
            "{table} has rows of both"
        );

        run(&mut runtime, &begin_as(&ATTACKER)).await;
        let sql = format!("SELECT to_jsonb(t)::text FROM {table} AS t ORDER BY 1");
        assert_eq!(texts(&mut runtime, &sql).await, own, "{table}");
        let sql = format!("SELECT count(*) FROM {table} WHERE NOT ({owned} OR {also_seen})");
        assert_eq!(number(&mut runtime, &sql).await, 0, "{table}");
        run(&mut runtime, "ROLLBACK").await;
    }
}

#[tokio::test]
async fn rows_of_others_cannot_be_changed_deleted_locked_or_taken() {
    let database = inhabited().await;
    let before = everything(&database).await;
    let mut superuser = database.superuser().await;
    for mut attacker in [database.runtime().await, unrestricted(&database).await] {
        for Ownership { table, owned, owner_column, .. } in ownership::all() {
            let sql = format!(
                "SELECT attname::text FROM pg_attribute
                 WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped"
            );
            for column in texts(&mut superuser, &sql).await {
                let sql = format!("UPDATE {table} SET {column} = {column} WHERE NOT ({owned})");
                assert_eq!(attack(&mut attacker, &sql).await, 0, "{sql}");
            }
            let (column, mine, _) = owner_column;
            for sql in [
                format!("UPDATE {table} SET {column} = '{mine}' WHERE NOT ({owned})"),
                format!("DELETE FROM {table} WHERE NOT ({owned})"),
                format!("SELECT FROM {table} WHERE NOT ({owned}) FOR UPDATE"),
                format!("SELECT FROM {table} WHERE NOT ({owned}) FOR KEY SHARE"),
            ] {
                assert_eq!(attack(&mut attacker, &sql).await, 0, "{sql}");
            }
        }
    }
    assert_eq!(everything(&database).await, before);
}

#[tokio::test]
async fn rows_cannot_be_given_to_others_or_made_for_them() {
    let database = inhabited().await;
    let before = everything(&database).await;
    let mut superuser = database.superuser().await;
    for mut attacker in [database.runtime().await, unrestricted(&database).await] {
        for Ownership { table, owned, also_seen, owner_column } in ownership::all() {
            let (column, _, theirs) = owner_column;
            let sql = format!("UPDATE {table} SET {column} = '{theirs}' WHERE {owned}");
            assert_eq!(attack(&mut attacker, &sql).await, 0, "{sql}");
            let sql = format!(
                "SELECT quote_literal(to_jsonb(t)::text) FROM {table} AS t WHERE NOT ({owned} OR {also_seen})"
            );
            for row in texts(&mut superuser, &sql).await {
                // The same row again: refused because of its owner, not because it exists.
                let insert = format!(
                    "INSERT INTO {table} SELECT * FROM jsonb_populate_record(NULL::{table}, {row})"
                );
                assert_eq!(attack(&mut attacker, &insert).await, 0, "{insert}");
                let upsert = format!("{insert} ON CONFLICT DO NOTHING");
                assert_eq!(attack(&mut attacker, &upsert).await, 0, "{upsert}");
            }
        }
    }
    assert_eq!(everything(&database).await, before);
}

#[tokio::test]
async fn personal_things_cannot_become_someone_elses() {
    let database = inhabited().await;
    let before = everything(&database).await;
    let mut attacker = unrestricted(&database).await;
    let mine = format!("household_id IS NULL AND created_by = '{USER}'");
    for sql in [
        format!("UPDATE inventory_items SET created_by = '{LONER}' WHERE {mine}"),
        format!(
            "UPDATE inventory_item_words SET inventory_id = '{LONER}' WHERE inventory_id = '{USER}'"
        ),
        format!("UPDATE outbox SET inventory_id = '{LONER}' WHERE inventory_id = '{USER}'"),
        "UPDATE storage_locations SET household_id = NULL WHERE household_id IS NOT NULL"
            .to_owned(),
    ] {
        assert_eq!(attack(&mut attacker, &sql).await, 0, "{sql}");
    }
    assert_eq!(everything(&database).await, before);
}

/// Proves that the attacks above are able to change rows at all.
#[tokio::test]
async fn the_same_statements_do_change_what_is_ones_own() {
    let database = inhabited().await;
    let mut attacker = unrestricted(&database).await;
    for Ownership { table, owned, owner_column, .. } in ownership::all() {
        let (column, ..) = owner_column;
        let sql = format!("UPDATE {table} SET {column} = {column} WHERE {owned}");
        assert!(attack(&mut attacker, &sql).await > 0, "{sql}");
    }
}
