//! Audit trail and feed: written by every change and by nothing else, without gaps.

use sqlx::PgConnection;

use crate::{
    isolation::world::{ATTACKER, HOUSEHOLD, USER, inhabited},
    support::{Migrated, begin_as, number, run, texts},
};

/// The feed of an inventory after a number, one line each.
async fn feed(superuser: &mut PgConnection, inventory: &str, after: i64) -> Vec<String> {
    let sql = format!(
        "SELECT concat_ws(' ', o.sequence, o.entity, a.action, o.changed_by = '{USER}', o.changed_at AT TIME ZONE 'UTC',
           a.old_values->>'quantity', '->', a.new_values->>'quantity')
         FROM outbox o LEFT JOIN inventory_audit a
           ON (a.item_id, a.sequence, a.inventory_id) = (o.entity_id, o.sequence, o.inventory_id)
         WHERE o.inventory_id = '{inventory}' AND o.sequence > {after} ORDER BY o.sequence"
    );
    texts(superuser, &sql).await
}

async fn head(superuser: &mut PgConnection, inventory: &str) -> i64 {
    number(
        superuser,
        &format!("SELECT sequence FROM change_sequences WHERE inventory_id = '{inventory}'"),
    )
    .await
}

async fn change(database: &Migrated, sql: &str) {
    change_as(&mut database.runtime().await, sql).await;
}

async fn change_as(connection: &mut PgConnection, sql: &str) {
    let context = [&ATTACKER[..], &[("at", "2031-05-06T07:08:09.123Z")]].concat();
    run(connection, &begin_as(&context)).await;
    run(connection, sql).await;
    run(connection, "COMMIT").await;
}

#[tokio::test]
async fn every_change_is_recorded_with_who_and_when_and_what_changes_nothing_is_not() {
    let database = inhabited().await;
    // No entry may refer to the item deleted below.
    change(&database, "DELETE FROM shopping_list_items").await;
    let mut superuser = database.superuser().await;
    let start = head(&mut superuser, HOUSEHOLD).await;
    let shared = format!("WHERE household_id = '{HOUSEHOLD}'");
    change(&database, &format!("UPDATE inventory_items SET quantity = 3 {shared}")).await;
    change(&database, &format!("UPDATE inventory_items SET quantity = quantity {shared}")).await;
    change(
        &database,
        &format!("UPDATE households SET updated_at = now() WHERE id = '{HOUSEHOLD}'"),
    )
    .await;
    change(&database, &format!("UPDATE users SET moving_items = true WHERE id = '{USER}'")).await;
    change(&database, &format!("DELETE FROM inventory_items {shared}")).await;
    change(&database, &format!("UPDATE stores SET address = 'here' {shared}")).await;
    let time = "2031-05-06 07:08:09.123";
    assert_eq!(
        feed(&mut superuser, HOUSEHOLD, start).await,
        [
            format!("{} item UPDATE t {time} 1.00 -> 3.00", start + 1),
            format!("{} item DELETE t {time} 3.00 ->", start + 2),
            format!("{} store t {time} ->", start + 3),
        ]
    );
}

#[tokio::test]
async fn an_item_that_moves_leaves_one_inventory_and_enters_the_other() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let (personal, shared) =
        (head(&mut superuser, USER).await, head(&mut superuser, HOUSEHOLD).await);
    // With a different name, because the household has the same.
    let sql = format!(
        "UPDATE inventory_items SET household_id = '{HOUSEHOLD}', name_folded = 'other'
         WHERE household_id IS NULL AND created_by = '{USER}'"
    );
    // The server moves an item by deleting and inserting it, and has no right to this.
    change_as(&mut database.superuser().await, &sql).await;
    let time = "2031-05-06 07:08:09.123";
    let left = format!("{} item DELETE t {time} 1.00 ->", personal + 1);
    assert_eq!(feed(&mut superuser, USER, personal).await, [left]);
    let entered = format!("{} item INSERT t {time} -> 1.00", shared + 1);
    assert_eq!(feed(&mut superuser, HOUSEHOLD, shared).await, [entered]);
}

#[tokio::test]
async fn numbers_are_given_in_the_order_of_commits() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let start = head(&mut superuser, HOUSEHOLD).await;
    let (mut first, mut second) = (database.runtime().await, database.runtime().await);
    run(&mut first, &begin_as(&ATTACKER)).await;
    run(
        &mut first,
        &format!("UPDATE inventory_items SET quantity = 2 WHERE household_id = '{HOUSEHOLD}'"),
    )
    .await;

    // Another row of the same household: it has to wait for its number until the first is done.
    let waiting = tokio::spawn(async move {
        run(&mut second, &begin_as(&ATTACKER)).await;
        run(&mut second, "UPDATE stores SET address = 'second'").await;
        run(&mut second, "COMMIT").await;
    });
    let sql = "SELECT count(*) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while number(&mut superuser, sql).await == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(head(&mut superuser, HOUSEHOLD).await, start);
    run(&mut first, "COMMIT").await;
    waiting.await.unwrap();
    let kinds: Vec<_> = feed(&mut superuser, HOUSEHOLD, start)
        .await
        .iter()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(kinds, [format!("{} item", start + 1), format!("{} store", start + 2)]);
}

#[tokio::test]
async fn the_application_s_time_rules_and_where_it_is_silent_the_transaction_s() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let set =
        |sql: &str| format!("UPDATE inventory_items SET {sql} WHERE household_id = '{HOUSEHOLD}'");
    let sql = format!(
        "SELECT (updated_at AT TIME ZONE 'UTC')::text FROM inventory_items WHERE household_id = '{HOUSEHOLD}'"
    );
    change(&database, &set("quantity = 2")).await;
    assert_eq!(texts(&mut superuser, &sql).await, ["2031-05-06 07:08:09.123"]);
    change(&database, &set("quantity = 3, updated_at = '2040-01-01T00:00:00Z'")).await;
    assert_eq!(texts(&mut superuser, &sql).await, ["2040-01-01 00:00:00"]);
    change(&database, &set("quantity = 0")).await;
    let sql =
        format!("SELECT is_depleted::text FROM inventory_items WHERE household_id = '{HOUSEHOLD}'");
    assert_eq!(texts(&mut superuser, &sql).await, ["true"]);
}

#[tokio::test]
async fn sweeping_takes_what_has_expired_and_remembers_how_far_the_feed_reaches() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    // A clock that runs centuries ahead: the server's own decides.
    let sweep = "SELECT concat_ws(' ', sessions, idempotency_keys, audit, outbox)
                 FROM sweep_expired('2999-01-01', now() - interval '35 days', 100)";
    assert_eq!(texts(&mut runtime, sweep).await, ["0 0 0 0"]);

    run(
        &mut superuser,
        &format!(
            "UPDATE refresh_tokens SET expires_at = now() WHERE user_id = '{USER}';
             UPDATE idempotency_keys SET expires_at = now() WHERE user_id = '{USER}';
             UPDATE outbox SET changed_at = now() - interval '36 days'
               WHERE inventory_id = '{HOUSEHOLD}' AND sequence <= 3;
             UPDATE inventory_audit SET changed_at = now() - interval '36 days'"
        ),
    )
    .await;
    // The audit rows of personal items remain, because the feed refers to them.
    assert_eq!(texts(&mut runtime, sweep).await, ["1 1 0 3"]);
    let floor = format!("SELECT floor FROM change_sequences WHERE inventory_id = '{HOUSEHOLD}'");
    assert_eq!(number(&mut superuser, &floor).await, 3);
    let others = "SELECT count(*) FROM change_sequences WHERE floor > 0";
    assert_eq!(number(&mut superuser, others).await, 1);

    run(&mut superuser, "UPDATE outbox SET changed_at = now() - interval '36 days'").await;
    let kept = number(&mut superuser, "SELECT count(*) FROM outbox").await;
    let audit = number(&mut superuser, "SELECT count(*) FROM inventory_audit").await;
    assert_eq!(texts(&mut runtime, sweep).await, [format!("0 0 {audit} {kept}")]);
}

#[tokio::test]
async fn a_sweep_takes_no_more_at_once_than_it_is_told_to() {
    let database = inhabited().await;
    run(&mut database.superuser().await, "UPDATE refresh_tokens SET expires_at = now()").await;
    let mut runtime = database.runtime().await;
    let sweep = "SELECT sessions FROM sweep_expired(now(), now() - interval '35 days', 3)";
    assert_eq!(number(&mut runtime, sweep).await, 3);
    assert_eq!(number(&mut runtime, sweep).await, 1);
    assert_eq!(number(&mut runtime, sweep).await, 0);
}

#[tokio::test]
async fn heads_of_many_inventories_are_numbers_and_nothing_else() {
    let database = inhabited().await;
    let heads = format!(
        "SELECT inventory_id || ' ' || sequence FROM change_heads(ARRAY['{HOUSEHOLD}', '{USER}', '{UNKNOWN}']::uuid[])
         ORDER BY 1"
    );
    let mut superuser = database.superuser().await;
    let (shared, personal) =
        (head(&mut superuser, HOUSEHOLD).await, head(&mut superuser, USER).await);
    let heads = texts(&mut database.runtime().await, &heads).await;
    assert_eq!(heads, [format!("{HOUSEHOLD} {shared}"), format!("{USER} {personal}")]);
}

const UNKNOWN: &str = "dddddddd-0000-4000-8000-000000000000";
