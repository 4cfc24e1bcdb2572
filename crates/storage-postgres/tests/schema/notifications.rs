//! Notifications and deliveries: constraints, feed entries, and queries across households.

use crate::{
    isolation::world::{ATTACKER, HOUSEHOLD, OTHER_HOUSEHOLD, SECRET, USER, inhabited},
    support::{Migrated, begin_as, number, refused, run, texts},
};

/// Runs statements in the household's context at this time.
async fn change(database: &Migrated, at: &str, sql: &str) -> u64 {
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&[&ATTACKER[..], &[("at", at)]].concat())).await;
    let changed = run(&mut runtime, sql).await;
    run(&mut runtime, "COMMIT").await;
    changed
}

/// The feed entries of notifications, oldest first: whether acknowledged, and when resolved.
async fn told(database: &Migrated) -> Vec<String> {
    let of = |values: &str| {
        format!(
            "CASE WHEN {values} IS NULL THEN 'none' WHEN {values}->>'resolved_at' IS NOT NULL THEN 'over'
             WHEN {values}->>'acknowledged_at' IS NOT NULL THEN 'seen' ELSE 'open' END"
        )
    };
    let sql = format!(
        "SELECT concat_ws(' ', {}, '->', {}) FROM outbox
         WHERE inventory_id = '{HOUSEHOLD}' AND entity = 'notification' ORDER BY sequence",
        of("old_values"),
        of("new_values"),
    );
    texts(&mut database.superuser().await, &sql).await
}

#[tokio::test]
async fn what_breaks_a_rule_of_notifications_is_refused() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    for (set, code) in [
        ("notifications SET acknowledged_at = now()", "23514"),
        ("notifications SET resolved_at = now()", "23514"),
        ("notifications SET forget_at = now()", "23514"),
        ("notifications SET item_name = 'another'", "42501"),
        ("notifications SET created_at = now()", "42501"),
        ("deliveries SET attempts = -1", "23514"),
        ("deliveries SET channel = 'webhook'", "42501"),
    ] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        assert_eq!(refused(&mut runtime, &format!("UPDATE {set}")).await.0, code, "{set}");
        run(&mut runtime, "ROLLBACK").await;
    }
    for (kind, columns, values) in [
        ("low_stock", "expires_on", "'2031-01-01'"),
        ("low_stock", "quantity, threshold", "1, 2"),
        ("expired", "quantity, threshold, unit", "1, 2, 'kg'"),
        ("spoilt", "expires_on", "'2031-01-01'"),
    ] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        let sql = format!(
            "INSERT INTO notifications (id, household_id, item_id, item_name, kind, {columns})
             VALUES (gen_random_uuid(), '{HOUSEHOLD}', gen_random_uuid(), 'rice', '{kind}', {values})"
        );
        assert_eq!(refused(&mut runtime, &sql).await.0, "23514", "{sql}");
        run(&mut runtime, "ROLLBACK").await;
    }
}

#[tokio::test]
async fn an_item_has_one_open_notification_of_a_kind() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let again = "INSERT INTO notifications
                 (id, household_id, item_id, item_name, kind, quantity, threshold, unit)
                 SELECT gen_random_uuid(), household_id, item_id, item_name, kind, 0, threshold, unit
                 FROM notifications";
    run(&mut runtime, &begin_as(&ATTACKER)).await;
    let (code, text) = refused(&mut runtime, again).await;
    assert!(code == "23505" && text.contains("idx_notifications_open"), "{code} {text}");
    run(&mut runtime, "ROLLBACK").await;
    let end =
        "UPDATE notifications SET resolved_at = now(), forget_at = now() + interval '30 days'";
    assert_eq!(change(&database, "2031-05-06T07:08:09Z", end).await, 1);
    assert_eq!(change(&database, "2031-05-06T07:08:09Z", again).await, 1);
}

#[tokio::test]
async fn the_feed_tells_what_becomes_of_a_notification_but_not_that_it_was_forgotten() {
    let database = inhabited().await;
    let at = "2031-05-06T07:00:00Z";
    let see =
        format!("UPDATE notifications SET acknowledged_by = '{USER}', acknowledged_at = now()");
    change(&database, at, &see).await;
    change(&database, at, "UPDATE notifications SET resolved_at = resolved_at").await;
    let end = "UPDATE notifications SET resolved_at = now(), forget_at = '2031-06-05T07:00:00Z'";
    change(&database, at, end).await;
    assert_eq!(told(&database).await, ["none -> open", "open -> seen", "seen -> over"]);

    assert_eq!(change(&database, "2031-06-05T07:00:00Z", "DELETE FROM notifications").await, 1);
    assert_eq!(told(&database).await.len(), 3);
}

#[tokio::test]
async fn a_notification_that_goes_before_its_time_is_told() {
    let database = inhabited().await;
    change(&database, "2031-05-06T07:00:00Z", "DELETE FROM notifications").await;
    assert_eq!(told(&database).await, ["none -> open", "open -> none"]);
}

#[tokio::test]
async fn across_households_only_ids_numbers_and_times_are_told() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    let rows = async |runtime: &mut _, call: &str| {
        texts(runtime, &format!("SELECT to_jsonb(f)::text FROM {call} AS f")).await
    };
    let due = rows(&mut runtime, "due_deliveries(now(), 10)").await;
    assert_eq!(due.len(), 2);
    assert_eq!(rows(&mut runtime, "due_deliveries(now(), 1)").await, due[..1]);
    assert_eq!(rows(&mut runtime, "due_deliveries('2000-01-01', 10)").await, [""; 0]);
    run(&mut superuser, "UPDATE deliveries SET dead_until = now() + interval '30 days'").await;
    assert_eq!(rows(&mut runtime, "due_deliveries(now(), 10)").await, [""; 0]);
    let dead = rows(&mut runtime, "dead_deliveries(now(), 10)").await;
    assert_eq!(dead.len(), 2);
    let too_late = "dead_deliveries(now() + interval '31 days', 10)";
    assert_eq!(rows(&mut runtime, too_late).await, [""; 0]);
    let days = rows(&mut runtime, "due_households(now(), 10)").await;
    assert_eq!(days.len(), 2);
    let after = |id: &str| format!("SELECT household_id::text FROM households_after({id}, 10)");
    assert_eq!(texts(&mut runtime, &after("NULL")).await, [HOUSEHOLD, OTHER_HOUSEHOLD]);
    let second = after(&format!("'{HOUSEHOLD}'"));
    assert_eq!(texts(&mut runtime, &second).await, [OTHER_HOUSEHOLD]);
    for row in [due, dead, days].concat() {
        assert!(!row.contains(SECRET), "{row}");
    }
    // The functions turn access across households off again.
    run(&mut runtime, "BEGIN").await;
    rows(&mut runtime, "due_deliveries(now(), 10)").await;
    rows(&mut runtime, "due_households(now(), 10)").await;
    let left = "SELECT current_setting('app.across_households')";
    assert_eq!(texts(&mut runtime, left).await, ["off"]);
    assert_eq!(number(&mut runtime, "SELECT count(*) FROM deliveries").await, 0);
}

#[tokio::test]
async fn the_dead_are_revived_as_if_they_were_new_while_they_are_kept() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    let die = format!(
        "UPDATE deliveries SET attempts = 9, dead_until = '2031-01-31' WHERE household_id = '{HOUSEHOLD}'"
    );
    run(&mut superuser, &die).await;
    let revive = |now: &str| format!("SELECT revive_dead_deliveries('{now}')");
    assert_eq!(number(&mut runtime, &revive("2031-01-31T00:00:00Z")).await, 0);
    assert_eq!(number(&mut runtime, &revive("2031-01-30T23:59:59Z")).await, 1);
    let sql = format!(
        "SELECT concat_ws(' ', attempts, due_at AT TIME ZONE 'UTC', dead_until IS NULL) FROM deliveries
         WHERE household_id = '{HOUSEHOLD}'"
    );
    assert_eq!(texts(&mut superuser, &sql).await, ["0 2031-01-30 23:59:59 t"]);
}

#[tokio::test]
async fn sweeping_takes_what_is_past_its_time_without_a_word_in_the_feed() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    let sweep =
        "SELECT concat_ws(' ', shopping_list_items, tap_nonces, notifications, dead_letters)
                 FROM sweep_expired('2999-01-01', now() - interval '35 days', 100)";
    assert_eq!(texts(&mut runtime, sweep).await, ["0 0 0 0"]);
    // One household's are past their time, the other's not yet.
    for (household, end) in [(HOUSEHOLD, "now()"), (OTHER_HOUSEHOLD, "now() + interval '1 hour'")] {
        run(
            &mut superuser,
            &format!(
                "BEGIN;
                 SELECT set_config('app.household_id', '{household}', true);
                 UPDATE shopping_list_items SET status = 'purchased', expires_at = {end}
                   WHERE household_id = '{household}';
                 UPDATE tap_nonces SET expires_at = {end} WHERE household_id = '{household}';
                 UPDATE notifications SET resolved_at = now(), forget_at = {end}
                   WHERE household_id = '{household}';
                 UPDATE deliveries SET dead_until = {end} WHERE household_id = '{household}';
                 COMMIT"
            ),
        )
        .await;
    }
    let heads = "SELECT inventory_id || ' ' || sequence FROM change_sequences ORDER BY 1";
    let before = texts(&mut superuser, heads).await;
    assert_eq!(texts(&mut runtime, sweep).await, ["1 1 1 1"]);
    assert_eq!(texts(&mut runtime, sweep).await, ["0 0 0 0"]);
    assert_eq!(texts(&mut superuser, heads).await, before);
    for table in ["shopping_list_items", "tap_nonces", "notifications", "deliveries"] {
        let left = format!("SELECT DISTINCT household_id::text FROM {table}");
        assert_eq!(texts(&mut superuser, &left).await, [OTHER_HOUSEHOLD], "{table}");
    }
}
