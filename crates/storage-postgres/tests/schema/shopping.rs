//! The shopping list: constraints and feed entries.

use crate::{
    isolation::world::{ATTACKER, HOUSEHOLD, inhabited},
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

/// The feed entries of the list, oldest first.
async fn told(database: &Migrated) -> Vec<String> {
    let sql = format!(
        "SELECT concat_ws(' ', old_values->>'version', '->', new_values->>'version')
         FROM outbox WHERE inventory_id = '{HOUSEHOLD}' AND entity = 'shopping' ORDER BY sequence"
    );
    texts(&mut database.superuser().await, &sql).await
}

#[tokio::test]
async fn what_breaks_a_rule_of_the_list_is_refused() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    for (set, code) in [
        ("name = ''", "23514"),
        ("name = repeat('x', 101)", "22001"),
        ("notes = repeat('x', 501)", "22001"),
        ("quantity = 0", "23514"),
        ("version = 0", "23514"),
        ("status = 'bought'", "23514"),
        ("status = 'purchased'", "23514"),
        ("expires_at = now()", "23514"),
    ] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        let sql = format!("UPDATE shopping_list_items SET {set}");
        assert_eq!(refused(&mut runtime, &sql).await.0, code, "{set}");
        run(&mut runtime, "ROLLBACK").await;
    }
    let fits = "UPDATE shopping_list_items SET name = repeat('é', 100), notes = repeat('é', 500),
                  quantity = 99999999, status = 'purchased', expires_at = now()";
    assert_eq!(change(&database, "2031-05-06T07:08:09Z", fits).await, 1);
}

#[tokio::test]
async fn the_feed_tells_of_every_change_of_the_list_but_not_of_what_has_expired() {
    let database = inhabited().await;
    let (bought, end) = ("2031-05-06T07:00:00Z", "2031-05-13T07:00:00Z");
    let purchase = format!(
        "UPDATE shopping_list_items SET status = 'purchased', expires_at = '{end}', version = 2"
    );
    change(&database, bought, &purchase).await;
    change(&database, bought, "UPDATE shopping_list_items SET version = version").await;
    assert_eq!(told(&database).await, ["-> 1", "1 -> 2"]);

    // On the list until the last millisecond; after that there are no events.
    let last = "2031-05-13T06:59:59.999Z";
    change(&database, last, "UPDATE shopping_list_items SET version = 3").await;
    change(&database, end, "UPDATE shopping_list_items SET version = 4, item_id = NULL").await;
    assert_eq!(change(&database, end, "DELETE FROM shopping_list_items").await, 1);
    assert_eq!(told(&database).await, ["-> 1", "1 -> 2", "2 -> 3"]);
}

#[tokio::test]
async fn taking_something_off_the_list_is_told() {
    let database = inhabited().await;
    let at = "2031-05-06T07:00:00Z";
    assert_eq!(change(&database, at, "DELETE FROM shopping_list_items").await, 1);
    assert_eq!(told(&database).await, ["-> 1", "1 ->"]);
}

#[tokio::test]
async fn an_item_or_a_shop_does_not_go_while_the_list_refers_to_it() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    for sql in [
        format!("DELETE FROM inventory_items WHERE household_id = '{HOUSEHOLD}'"),
        "DELETE FROM stores".to_owned(),
    ] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        assert_eq!(refused(&mut runtime, &sql).await.0, "23503", "{sql}");
        run(&mut runtime, "ROLLBACK").await;
    }
    let kept = "SELECT count(*) FROM shopping_list_items WHERE item_id IS NOT NULL AND store_id IS NOT NULL";
    assert_eq!(number(&mut database.superuser().await, kept).await, 2);
}
