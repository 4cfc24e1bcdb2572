//! An item's references stay in its household, and trying another's place reveals nothing.

use super::world::{ATTACKER, HOUSEHOLD, OTHER_HOUSEHOLD, OTHER_URL_ID, USER, inhabited};
use crate::support::{begin_as, refused, run, texts};

const NOWHERE: &str = "dddddddd-0000-4000-8000-000000000000";

#[tokio::test]
async fn a_place_of_another_household_is_refused_as_if_it_did_not_exist() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    for (table, column) in
        [("storage_locations", "storage_location_id"), ("stores", "preferred_store_id")]
    {
        let sql = format!("SELECT id::text FROM {table} WHERE household_id = '{OTHER_HOUSEHOLD}'");
        let theirs = texts(&mut superuser, &sql).await.remove(0);
        let mut answers = Vec::new();
        for place in [theirs.as_str(), NOWHERE] {
            run(&mut runtime, &begin_as(&ATTACKER)).await;
            let sql = format!(
                "UPDATE inventory_items SET {column} = '{place}' WHERE household_id = '{HOUSEHOLD}'"
            );
            let (code, text) = refused(&mut runtime, &sql).await;
            answers.push((code, text.replace(place, "…")));
            run(&mut runtime, "ROLLBACK").await;
        }
        assert_eq!(answers[0].0, "23503", "{table}");
        assert_eq!(answers[0], answers[1], "{table}");
    }
}

#[tokio::test]
async fn something_to_buy_refers_to_items_and_shops_of_its_own_household_alone() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    for (table, column) in [("inventory_items", "item_id"), ("stores", "store_id")] {
        let sql = format!("SELECT id::text FROM {table} WHERE household_id = '{OTHER_HOUSEHOLD}'");
        let theirs = texts(&mut superuser, &sql).await.remove(0);
        let mut answers = Vec::new();
        for place in [theirs.as_str(), NOWHERE] {
            run(&mut runtime, &begin_as(&ATTACKER)).await;
            let sql = format!("UPDATE shopping_list_items SET {column} = '{place}'");
            let (code, text) = refused(&mut runtime, &sql).await;
            answers.push((code, text.replace(place, "…")));
            run(&mut runtime, "ROLLBACK").await;
        }
        assert_eq!(answers[0].0, "23503", "{table}");
        assert_eq!(answers[0], answers[1], "{table}");
    }
    // A personal item is in no household's inventory.
    let sql = format!(
        "UPDATE shopping_list_items SET item_id =
           (SELECT id FROM inventory_items WHERE household_id IS NULL AND created_by = '{USER}')"
    );
    run(&mut runtime, &begin_as(&ATTACKER)).await;
    assert_eq!(refused(&mut runtime, &sql).await.0, "23503");
}

#[tokio::test]
async fn a_nonce_of_another_household_s_tag_is_refused_as_if_the_tag_did_not_exist() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let mut answers = Vec::new();
    for url in [OTHER_URL_ID, "0ccccccccccccccccccccc"] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        let sql = format!(
            "INSERT INTO tap_nonces VALUES ('{HOUSEHOLD}', '{url}', 'nonce', '{{}}', now())"
        );
        let (code, text) = refused(&mut runtime, &sql).await;
        answers.push((code, text.replace(url, "…")));
        run(&mut runtime, "ROLLBACK").await;
    }
    assert_eq!(answers[0].0, "23503");
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn a_place_of_ones_own_household_is_taken_and_the_seeded_ones_by_everybody() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&ATTACKER)).await;
    let own = format!(
        "UPDATE inventory_items SET
           storage_location_id = (SELECT id FROM storage_locations WHERE household_id = '{HOUSEHOLD}'),
           preferred_store_id = (SELECT id FROM stores)
         WHERE household_id = '{HOUSEHOLD}'"
    );
    assert_eq!(run(&mut runtime, &own).await, 1);
    let seeded = "UPDATE inventory_items
                  SET storage_location_id = '1a4de400-0000-4000-8001-000000000001'";
    assert_eq!(run(&mut runtime, seeded).await, 2);
}

#[tokio::test]
async fn personal_things_have_no_places_of_a_household() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    for set in [
        format!(
            "storage_location_id = (SELECT id FROM storage_locations WHERE household_id = '{HOUSEHOLD}')"
        ),
        "preferred_store_id = (SELECT id FROM stores)".to_owned(),
    ] {
        run(&mut runtime, &begin_as(&ATTACKER)).await;
        let sql = format!(
            "UPDATE inventory_items SET {set} WHERE household_id IS NULL AND created_by = '{USER}'"
        );
        let (code, text) = refused(&mut runtime, &sql).await;
        assert!(["23503", "23514"].contains(&code.as_str()), "{code} {text}");
        run(&mut runtime, "ROLLBACK").await;
    }
}
