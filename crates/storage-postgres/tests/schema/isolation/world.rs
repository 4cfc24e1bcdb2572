//! Two households and the people in them, with rows of every kind.

use sqlx::PgConnection;

use crate::support::{Migrated, run};

/// Part of every text that is hidden from the attacker; no refusal may contain it.
pub(crate) const SECRET: &str = "verborgen";

/// The household of the attacker.
pub(crate) const HOUSEHOLD: &str = "aaaaaaaa-0000-4000-8000-000000000000";
/// The attacker.
pub(crate) const USER: &str = "aaaaaaaa-0000-4000-8000-000000000001";
/// Another member of the attacker's household, with things of their own.
pub(crate) const HOUSEMATE: &str = "aaaaaaaa-0000-4000-8000-000000000002";
/// Another household.
pub(crate) const OTHER_HOUSEHOLD: &str = "bbbbbbbb-0000-4000-8000-000000000000";
/// Its member.
pub(crate) const OTHER_USER: &str = "bbbbbbbb-0000-4000-8000-000000000001";
/// Someone in no household.
pub(crate) const LONER: &str = "cccccccc-0000-4000-8000-000000000001";

/// The address of the tag in the attacker's household.
pub(crate) const URL_ID: &str = "0aaaaaaaaaaaaaaaaaaaaa";
/// The address of the tag in the other one.
pub(crate) const OTHER_URL_ID: &str = "0bbbbbbbbbbbbbbbbbbbbb";

const INVITE_CODE: &str = "AAAAAAAAAAAA";
pub(crate) const OTHER_INVITE_CODE: &str = "BBBBBBBBBBBB";

/// The device of the attacker's household, and its key's hash.
pub(crate) const DEVICE: &str = "AA:AA:AA:AA:AA:AA";
pub(crate) const KEY_HASH: &str =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
/// The same of the other one.
pub(crate) const OTHER_DEVICE: &str = "BB:BB:BB:BB:BB:BB";
pub(crate) const OTHER_KEY_HASH: &str =
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
/// The same of the operator.
pub(crate) const OPERATORS_DEVICE: &str = "CC:CC:CC:CC:CC:CC";
const OPERATORS_KEY_HASH: &str = "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc";

/// The account that the attacker's household is.
pub(crate) const ACCOUNT: &str = "urn:pp:System.Account::aaaaaaaa-0000-4000-8000-000000000000";
/// The account that the other one is.
pub(crate) const OTHER_ACCOUNT: &str =
    "urn:pp:System.Account::bbbbbbbb-0000-4000-8000-000000000000";

/// The context of the attacker in their household.
pub(crate) const ATTACKER: [(&str, &str); 3] =
    [("household_id", HOUSEHOLD), ("user_id", USER), ("account_urn", ACCOUNT)];

/// A database with all of them.
pub(crate) async fn inhabited() -> Migrated {
    let database = Migrated::fresh().await;
    let mut superuser = database.superuser().await;
    for (user, hidden) in [(USER, ""), (HOUSEMATE, SECRET), (OTHER_USER, SECRET), (LONER, SECRET)] {
        person(&mut superuser, user, hidden).await;
    }
    household(&mut superuser, HOUSEHOLD, INVITE_CODE, &[USER, HOUSEMATE], "").await;
    household(&mut superuser, OTHER_HOUSEHOLD, OTHER_INVITE_CODE, &[OTHER_USER], SECRET).await;
    shopping_and_tag(&mut superuser, HOUSEHOLD, USER, URL_ID, "").await;
    shopping_and_tag(&mut superuser, OTHER_HOUSEHOLD, OTHER_USER, OTHER_URL_ID, SECRET).await;
    let (home, other) = (format!("'{HOUSEHOLD}'"), format!("'{OTHER_HOUSEHOLD}'"));
    for (household, device, hash, hidden) in [
        (home.as_str(), DEVICE, KEY_HASH, ""),
        (&other, OTHER_DEVICE, OTHER_KEY_HASH, SECRET),
        ("NULL", OPERATORS_DEVICE, OPERATORS_KEY_HASH, SECRET),
    ] {
        run(&mut superuser, &telemetry(household, device, hash, hidden)).await;
    }
    for (account, digit, hidden) in [(ACCOUNT, 'a', ""), (OTHER_ACCOUNT, 'b', SECRET)] {
        run(&mut superuser, &things(account, digit, hidden)).await;
    }
    database
}

async fn person(superuser: &mut PgConnection, user: &str, hidden: &str) {
    run(
        superuser,
        &format!(
            "BEGIN;
             SELECT set_config('app.user_id', '{user}', true);
             INSERT INTO users (id, email, email_folded, name, password_hash)
               VALUES ('{user}', '{user}@{hidden}', '{user}@{hidden}', 'name {hidden}', '{hidden}');
             INSERT INTO external_identities VALUES ('issuer {hidden}', '{user}', '{user}');
             INSERT INTO refresh_tokens (id, user_id, token_hash, expires_at)
               VALUES (gen_random_uuid(), '{user}', '{hidden}', now() + interval '1 day');
             INSERT INTO program_tokens (id, user_id, name, scopes, token_hash)
               VALUES (gen_random_uuid(), '{user}', 'script {hidden}', '{{read}}', '{hidden}');
             INSERT INTO erasures (id, kind, target, begun_by, started_at)
               VALUES (gen_random_uuid(), 'device', 'device {hidden}', '{user}', now());
             INSERT INTO idempotency_keys (user_id, key, request_hash, expires_at)
               VALUES ('{user}', 'key', '{hidden}', now() + interval '1 day');
             {item};
             COMMIT;",
            item = item("NULL", user, hidden),
        ),
    )
    .await;
}

async fn household(
    superuser: &mut PgConnection,
    household: &str,
    code: &str,
    members: &[&str],
    hidden: &str,
) {
    let founder = members[0];
    let places = format!(
        "INSERT INTO storage_locations (id, household_id, name, name_folded)
           VALUES (gen_random_uuid(), '{household}', 'cellar {hidden}', 'cellar {hidden}');
         INSERT INTO stores (id, household_id, name, name_folded)
           VALUES (gen_random_uuid(), '{household}', 'market {hidden}', 'market {hidden}')"
    );
    let enter: Vec<_> = members
        .iter()
        .map(|user| {
            format!(
                "UPDATE users SET household_id = '{household}', role = 'admin', joined_at = now()
                 WHERE id = '{user}'"
            )
        })
        .collect();
    run(
        superuser,
        &format!(
            "BEGIN;
             SELECT set_config('app.user_id', '{founder}', true),
               set_config('app.household_id', '{household}', true),
               set_config('app.invite_code', '{code}', true);
             INSERT INTO households (id, name, created_by, invite_code)
               VALUES ('{household}', 'home {hidden}', '{founder}', '{code}');
             {enter};
             {places};
             {item};
             {notification};
             COMMIT;",
            enter = enter.join(";"),
            notification = notification(household, hidden),
            item = item(&format!("'{household}'"), founder, hidden),
        ),
    )
    .await;
}

/// Something to buy for the household's item, and a tag of that item that was tapped.
async fn shopping_and_tag(
    superuser: &mut PgConnection,
    household: &str,
    user: &str,
    url: &str,
    hidden: &str,
) {
    run(
        superuser,
        &format!(
            "BEGIN;
             SELECT set_config('app.user_id', '{user}', true),
               set_config('app.household_id', '{household}', true);
             INSERT INTO shopping_list_items (id, household_id, item_id, name, store_id, notes, added_by)
               SELECT gen_random_uuid(), '{household}', i.id, 'rice {hidden}', s.id, '{hidden}', '{user}'
               FROM inventory_items i JOIN stores s USING (household_id)
               WHERE i.household_id = '{household}';
             INSERT INTO nfc_urls (url_id, household_id, item_id, item_name, label, created_by)
               SELECT '{url}', '{household}', id, 'rice {hidden}', 'shelf {hidden}', '{user}'
               FROM inventory_items WHERE household_id = '{household}';
             INSERT INTO tap_nonces VALUES
               ('{household}', '{url}', 'nonce', '{{\"hidden\": \"{hidden}\"}}', now() + interval '1 day');
             COMMIT;"
        ),
    )
    .await;
}

/// An item, the barcode of its product, and its search suffixes.
fn item(household: &str, user: &str, hidden: &str) -> String {
    let inventory = if household == "NULL" { format!("'{user}'") } else { household.to_owned() };
    format!(
        "WITH item AS (
           INSERT INTO inventory_items (id, household_id, name, name_folded, quantity, unit, category_id,
             notes, created_by, updated_by)
           VALUES (gen_random_uuid(), {household}, 'rice {hidden}', 'rice {hidden}', 1, 'kg',
             '1a4de400-0000-4000-8000-000000000009', '{hidden}', '{user}', '{user}')
           RETURNING id, product_id),
         code AS (
           INSERT INTO product_barcodes (product_id, household_id, created_by, gtin)
           SELECT product_id, {household}, '{user}', '04006381333931' FROM item),
         photo AS (
           INSERT INTO product_photos (inventory_id, id, full_size, thumbnail)
           SELECT {inventory}, repeat('0a', 16), '\\x00', '{hidden}'::bytea FROM item)
         INSERT INTO inventory_item_words SELECT {inventory}, 'rice {hidden}', id FROM item"
    )
}

/// A notification and its failed delivery.
fn notification(household: &str, hidden: &str) -> String {
    format!(
        "WITH notification AS (
           INSERT INTO notifications (id, household_id, item_id, item_name, kind, quantity, threshold, unit)
           VALUES (gen_random_uuid(), '{household}', gen_random_uuid(), 'rice {hidden}', 'low_stock', 1, 2,
             'kg')
           RETURNING id)
         INSERT INTO deliveries (household_id, notification_id, channel, attempts, due_at, last_error)
           SELECT '{household}', id, 'mail', 1, now(), '{hidden}' FROM notification"
    )
}

/// A device with its key and readings: one now, and one in a year without partitions. The batch ids
/// are the same for all households.
fn telemetry(household: &str, device: &str, hash: &str, hidden: &str) -> String {
    let v4 = "(overlay(gen_random_uuid()::text PLACING '4' FROM 15 FOR 1))::uuid";
    format!(
        "INSERT INTO devices VALUES ('{device}', {household}, {v4},
           '{{\"sensors\": [\"{hidden}\"], \"features\": {{}}}}', now(), now(), {v4}, '1.0 {hidden}',
           'freezer {hidden}');
         INSERT INTO closed_devices VALUES (reverse('{device}'), {household});
         INSERT INTO api_keys VALUES ({v4}, {household}, '{hash}', now(), now(), true, 'key {hidden}');
         INSERT INTO processed_batches
           SELECT 'batch-' || n, {household}, '{device}', now(), extract(epoch FROM now()) + 86400
           FROM generate_series(1, 2) AS n;
         INSERT INTO device_readings
           SELECT '{device}', ms, 'batch-' || n, {household}, {v4}, '1.0 {hidden}', 'freezer {hidden}',
             '{{\"temp_c\": -18.5}}', '{{\"{hidden}\": \"ok\"}}', ms / 1000 + 86400
           FROM (VALUES (1, (extract(epoch FROM now()) * 1000)::bigint), (2, 3000000000000)) AS t (n, ms)"
    )
}

/// The URN of an account's room, whose ids begin with this digit, and of the box in it.
pub(crate) fn room(digit: char) -> String {
    format!("urn:pp:Home.Room::{digit}0000000-0000-7000-8000-000000000001")
}

pub(crate) fn box_in_room(digit: char) -> String {
    format!("urn:pp:Home.Box::{digit}0000000-0000-7000-8000-000000000002")
}

/// A box in a room, as its child and as its member, with a number and a photo; a principal who may
/// read both; and an open deletion.
fn things(account: &str, digit: char, hidden: &str) -> String {
    let (room, box_in_room) = (room(digit), box_in_room(digit));
    let guest = "urn:pp:System.User::cccccccc-0000-4000-8000-000000000001";
    format!(
        "INSERT INTO resources (urn, account_urn, schema_version, attributes, created_at, updated_at)
           SELECT urn, '{account}', 1, '{{\"name\": \"{hidden}\"}}', now(), now()
           FROM unnest(ARRAY['{room}', '{box_in_room}']) AS t (urn);
         INSERT INTO parent_child_relationships VALUES ('{box_in_room}', '{room}', '{account}', now());
         INSERT INTO collection_member_relationships
           VALUES ('{account}', '{room}', '{box_in_room}', true, now());
         INSERT INTO unique_key_values VALUES ('Home.Box', 'serial', '{digit} {hidden}', '{digit} {hidden}',
           false, '{box_in_room}', '{account}', now(), now());
         INSERT INTO grants VALUES ('{account}', '{room}', '{guest}', ARRAY['read'], now(), now()),
           ('{account}', '{account}', '{guest}', ARRAY['*'], now(), now());
         INSERT INTO resource_photos VALUES ('{account}', '{box_in_room}', repeat('0a', 16), '\\x00',
           '{hidden}'::bytea, now());
         INSERT INTO resource_deletions (id, account_urn, root_urn, root_created_at, started_at)
           VALUES (gen_random_uuid(), '{account}', '{room}', now(), now())"
    )
}
