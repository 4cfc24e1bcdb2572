//! Each setting of the context opens nothing, or exactly the row that it names.

use std::collections::BTreeMap;

use super::{
    ownership,
    world::{
        HOUSEHOLD, HOUSEMATE, LONER, OTHER_ACCOUNT, OTHER_HOUSEHOLD, OTHER_INVITE_CODE,
        OTHER_KEY_HASH, OTHER_URL_ID, OTHER_USER, SECRET, URL_ID, USER, inhabited,
    },
};
use crate::support::{Migrated, begin_as, number, refused, run, texts};

/// How many rows of each protected table a context sees, leaving out tables without any and the locations that
/// everyone has.
async fn seen(database: &Migrated, settings: &[(&str, &str)]) -> BTreeMap<&'static str, i64> {
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(settings)).await;
    let mut counts = BTreeMap::new();
    for of in ownership::all() {
        let sql = format!("SELECT count(*) FROM {} WHERE NOT ({})", of.table, of.also_seen);
        counts.insert(of.table, number(&mut runtime, &sql).await);
    }
    run(&mut runtime, "ROLLBACK").await;
    counts.retain(|_, count| *count > 0);
    counts
}

#[tokio::test]
async fn without_a_context_there_are_no_rows() {
    let database = inhabited().await;
    assert_eq!(seen(&database, &[]).await, BTreeMap::new());
    let empty = [
        "household_id",
        "user_id",
        "email",
        "invite_code",
        "departing_user_id",
        "url_id",
        "operator",
        "api_key_hash",
        "account_urn",
    ];
    assert_eq!(seen(&database, &empty.map(|name| (name, ""))).await, BTreeMap::new());
    let mut runtime = database.runtime().await;
    for of in ownership::all() {
        let seeded = number(&mut runtime, &format!("SELECT count(*) FROM {}", of.table)).await;
        assert_eq!(seeded, if of.table == "storage_locations" { 5 } else { 0 }, "{}", of.table);
    }
    for sql in
        ["DELETE FROM inventory_items", "DELETE FROM stores", "UPDATE households SET name = ''"]
    {
        assert_eq!(run(&mut runtime, sql).await, 0, "{sql}");
    }
    let sql = format!("INSERT INTO stores VALUES (gen_random_uuid(), '{HOUSEHOLD}', 'a', 'a')");
    assert_eq!(refused(&mut runtime, &sql).await.0, "42501");
}

#[tokio::test]
async fn a_context_ends_with_its_transaction() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    for end in ["COMMIT", "ROLLBACK"] {
        run(&mut runtime, &begin_as(&[("household_id", HOUSEHOLD)])).await;
        assert_eq!(number(&mut runtime, "SELECT count(*) FROM inventory_items").await, 1);
        run(&mut runtime, end).await;
        assert_eq!(number(&mut runtime, "SELECT count(*) FROM inventory_items").await, 0);
    }
}

#[tokio::test]
async fn a_person_alone_sees_their_own_things() {
    let database = inhabited().await;
    let expected = BTreeMap::from([
        ("users", 1),
        ("external_identities", 1),
        ("refresh_tokens", 1),
        ("program_tokens", 1),
        ("erasures", 1),
        ("idempotency_keys", 1),
        ("products", 1),
        ("product_barcodes", 1),
        ("product_photos", 1),
        ("inventory_items", 1),
        ("inventory_item_words", 1),
        ("change_sequences", 1),
        ("inventory_audit", 1),
        ("outbox", 2),
    ]);
    assert_eq!(seen(&database, &[("user_id", LONER)]).await, expected);
}

#[tokio::test]
async fn what_someone_proves_to_know_shows_one_row() {
    let database = inhabited().await;
    let email = format!("{LONER}@{SECRET}");
    assert_eq!(seen(&database, &[("email", &email)]).await, BTreeMap::from([("users", 1)]));
    assert_eq!(seen(&database, &[("email", "unknown@example.com")]).await, BTreeMap::new());

    let issuer = format!("issuer {SECRET}");
    let identity = [("identity_issuer", issuer.as_str()), ("identity_subject", LONER)];
    let expected = BTreeMap::from([("external_identities", 1)]);
    assert_eq!(seen(&database, &identity).await, expected);
    assert_eq!(seen(&database, &identity[..1]).await, BTreeMap::new());

    let expected = BTreeMap::from([("households", 1)]);
    assert_eq!(seen(&database, &[("invite_code", OTHER_INVITE_CODE)]).await, expected);

    let expected = BTreeMap::from([("api_keys", 1)]);
    assert_eq!(seen(&database, &[("api_key_hash", OTHER_KEY_HASH)]).await, expected);
    let unknown = "d".repeat(64);
    assert_eq!(seen(&database, &[("api_key_hash", &unknown)]).await, BTreeMap::new());

    let expected = BTreeMap::from([("nfc_urls", 1)]);
    assert_eq!(seen(&database, &[("url_id", OTHER_URL_ID)]).await, expected);
    let unknown = [("url_id", "0ccccccccccccccccccccc")];
    assert_eq!(seen(&database, &unknown).await, BTreeMap::new());
}

#[tokio::test]
async fn an_account_shows_its_resources_and_nothing_of_a_household() {
    let database = inhabited().await;
    let expected = BTreeMap::from([
        ("resources", 2),
        ("parent_child_relationships", 1),
        ("collection_member_relationships", 1),
        ("unique_key_values", 1),
        ("grants", 2),
        ("resource_photos", 1),
        ("resource_deletions", 1),
    ]);
    assert_eq!(seen(&database, &[("account_urn", OTHER_ACCOUNT)]).await, expected);
}

#[tokio::test]
async fn knowing_a_tag_s_address_shows_it_and_changes_nothing_of_it() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&[("url_id", OTHER_URL_ID)])).await;
    let shown = texts(&mut runtime, "SELECT url_id::text FROM nfc_urls").await;
    assert_eq!(shown, [OTHER_URL_ID]);
    for sql in [
        "UPDATE nfc_urls SET item_name = 'mine'",
        "SELECT FROM nfc_urls FOR KEY SHARE",
        "UPDATE inventory_items SET quantity = 0",
    ] {
        assert_eq!(run(&mut runtime, sql).await, 0, "{sql}");
    }
    // The household's own tags, and the one named by its URL.
    run(&mut runtime, "ROLLBACK").await;
    let both = [("household_id", HOUSEHOLD), ("url_id", OTHER_URL_ID)];
    run(&mut runtime, &begin_as(&both)).await;
    let shown = texts(&mut runtime, "SELECT url_id::text FROM nfc_urls ORDER BY 1").await;
    assert_eq!(shown, [URL_ID, OTHER_URL_ID]);
    assert_eq!(run(&mut runtime, "UPDATE nfc_urls SET item_name = 'mine'").await, 1);
}

#[tokio::test]
async fn knowing_an_invite_code_allows_to_lock_the_household_but_not_to_change_it() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&[("user_id", LONER), ("invite_code", OTHER_INVITE_CODE)])).await;
    let locked = texts(&mut runtime, "SELECT id::text FROM households FOR UPDATE").await;
    assert_eq!(locked, [OTHER_HOUSEHOLD]);
    let (code, _) = refused(&mut runtime, "UPDATE households SET name = 'mine'").await;
    assert_eq!(code, "42501");
}

const ENTRY_REFUSED: &str = "entering a household takes its invite code";

#[tokio::test]
async fn entering_a_household_takes_its_code_whatever_the_context_claims() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let enter = format!(
        "UPDATE users SET household_id = '{OTHER_HOUSEHOLD}', role = 'member', joined_at = now()
         WHERE id = '{LONER}'"
    );
    let be_born_there = format!(
        "INSERT INTO users (id, email, email_folded, name, household_id, role, joined_at)
         VALUES (gen_random_uuid(), 'x@y', 'x@y', 'x', '{OTHER_HOUSEHOLD}', 'member', now())"
    );
    let claim = [("user_id", LONER), ("household_id", OTHER_HOUSEHOLD)];
    let wrong_code = [&claim[..], &[("invite_code", "WRONGWRONG22")]].concat();
    for (settings, sql) in [(&claim[..], &enter), (&wrong_code, &enter), (&claim, &be_born_there)] {
        run(&mut runtime, &begin_as(settings)).await;
        let (code, text) = refused(&mut runtime, sql).await;
        assert_eq!((code.as_str(), text.as_str()), ("23514", ENTRY_REFUSED), "{sql}");
        run(&mut runtime, "ROLLBACK").await;
    }
    // Even the creator cannot return without it, while the household has other members.
    let mut superuser = database.superuser().await;
    run(
        &mut superuser,
        &format!("UPDATE households SET created_by = '{LONER}' WHERE id = '{OTHER_HOUSEHOLD}'"),
    )
    .await;
    run(&mut runtime, &begin_as(&claim)).await;
    assert_eq!(refused(&mut runtime, &enter).await.0, "23514");
    run(&mut runtime, "ROLLBACK").await;

    let with_code = [&claim[..], &[("invite_code", OTHER_INVITE_CODE)]].concat();
    run(&mut runtime, &begin_as(&with_code)).await;
    assert_eq!(run(&mut runtime, &enter).await, 1);
}

#[tokio::test]
async fn a_member_can_be_taken_out_only_by_a_transaction_that_names_them() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let take_out = |user: &str| {
        format!(
            "UPDATE users SET household_id = NULL, role = NULL, joined_at = NULL WHERE id = '{user}'"
        )
    };
    let admin = [("household_id", HOUSEHOLD), ("user_id", USER)];
    run(&mut runtime, &begin_as(&admin)).await;
    assert_eq!(refused(&mut runtime, &take_out(HOUSEMATE)).await.0, "42501");
    run(&mut runtime, "ROLLBACK").await;

    // Naming a member of another household shows that row, but does not permit changing it.
    let naming = [&admin[..], &[("departing_user_id", OTHER_USER)]].concat();
    run(&mut runtime, &begin_as(&naming)).await;
    assert_eq!(run(&mut runtime, &take_out(OTHER_USER)).await, 0);
    run(&mut runtime, "ROLLBACK").await;

    let naming = [&admin[..], &[("departing_user_id", HOUSEMATE)]].concat();
    run(&mut runtime, &begin_as(&naming)).await;
    assert_eq!(run(&mut runtime, &take_out(HOUSEMATE)).await, 1);
    run(&mut runtime, "COMMIT").await;
    let sql =
        format!("SELECT count(*) FROM users WHERE id = '{HOUSEMATE}' AND household_id IS NULL");
    assert_eq!(number(&mut database.superuser().await, &sql).await, 1);
}
