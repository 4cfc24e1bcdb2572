//! A database with 100,000 items: one large household, one person with many items, eighty small
//! households; and 20,000 more people and households. Each shared item has a tag; every fourth is
//! on the shopping list. 200 of 5,000 devices have sent 189,000 readings, some in each weekly
//! partition, even in future ones, because the planner prefers to scan an empty table. And 60,000
//! resources, each with a parent, a collection, a number and a grant.

use larder_domain::{HouseholdId, UserId};
use larder_storage_postgres::migrate::{self, UpOptions};
use larder_test_servers::{Database, PostgresServer};
use sqlx::PgConnection;
use tokio::sync::OnceCell;

use crate::support::{begin_as, connect, run};

/// The household with 20,000 items.
pub(super) const LARGE_HOUSEHOLD: HouseholdId =
    HouseholdId::fixed(0x1000_0000_0000_4000_8000_0000_0000_0000);
/// Its creator, with 5,000 personal items.
pub(super) const COLLECTOR: UserId = UserId::fixed(0x2000_0000_0000_4000_8000_0000_0000_0000);

/// The account that the large household is, with 20,000 resources in a tree of ten children each.
pub(super) const ACCOUNT: &str = "urn:pp:System.Account::10000000-0000-4000-8000-000000000000";

/// These tests only read, so one database serves them all.
static STOCKED: OnceCell<Database<()>> = OnceCell::const_new();

const ROLE: &str = "larder_explain_tests";

async fn database() -> &'static Database<()> {
    let fill = || PostgresServer::shared().fresh_database("stocked", fill_template);
    STOCKED.get_or_init(fill).await
}

/// A connection of the owner, in a transaction that works across households.
pub(super) async fn stocked_across() -> PgConnection {
    let mut owner = connect(&database().await.owner_url).await;
    run(&mut owner, &begin_as(&[("across_households", "on")])).await;
    owner
}

/// A connection of the run-time role, in a transaction with the collector's context.
pub(super) async fn stocked() -> PgConnection {
    let database = database().await;
    let mut runtime = connect(&database.url(ROLE, "explain")).await;
    let (household, user) = (LARGE_HOUSEHOLD.to_string(), COLLECTOR.to_string());
    let settings = [("household_id", &*household), ("user_id", &user), ("account_urn", ACCOUNT)];
    run(&mut runtime, &begin_as(&settings)).await;
    runtime
}

async fn fill_template(database: Database<()>) {
    let password = Some(migrate::Password::new("explain"));
    let options =
        UpOptions { runtime_role: Some(ROLE.to_owned()), password, ..UpOptions::default() };
    migrate::up(&database.owner_url, &options).await.expect("a new database migrates");
    run(&mut connect(&database.superuser_url).await, FILL).await;
}

/// Without triggers, which would write 100,000 feed entries one by one.
const FILL: &str = "
    SET session_replication_role = replica;
    CREATE TEMP TABLE homes AS SELECT n,
      ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS household,
      ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS founder
      FROM generate_series(0, 80) AS n;
    CREATE TEMP TABLE telemetry AS SELECT n, '10000000-0000-4000-8000-000000000000'::uuid AS household,
      upper(format('00:00:00:00:%s:%s', lpad(to_hex(n / 256), 2, '0'), lpad(to_hex(n % 256), 2, '0')))
        AS device,
      ('30000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS key
      FROM generate_series(0, 4999) AS n;
    INSERT INTO users (id, email, email_folded, name, household_id, role, joined_at)
      SELECT founder, n || '@example.com', n || '@example.com', 'name', household, 'admin', now() FROM homes;
    INSERT INTO users (id, email, email_folded, name)
      SELECT gen_random_uuid(), n || '@example.org', n || '@example.org', 'name'
      FROM generate_series(1, 20000) AS n;
    INSERT INTO households (id, name, created_by, invite_code)
      SELECT household, 'home', founder, lpad(n::text, 12, 'A') FROM homes;
    INSERT INTO households (id, name, created_by, invite_code)
      SELECT id, 'empty home', id, lpad(row_number() OVER ()::text, 12, 'B') FROM users
      WHERE household_id IS NULL;
    INSERT INTO storage_locations (id, household_id, name, name_folded)
      SELECT id, id, 'cellar', 'cellar' FROM households;
    INSERT INTO stores (id, household_id, name, name_folded)
      SELECT id, id, 'market', 'market' FROM households;
    INSERT INTO inventory_items (id, household_id, name, name_folded, quantity, unit, expiration_date,
        category_id, storage_location_id, preferred_store_id, low_stock_threshold, is_depleted,
        created_by, created_at, updated_by, product_id)
      SELECT gen_random_uuid(), h, 'thing ' || n || ' word' || n % 997, 'thing ' || n || ' word' || n % 997,
        n % 7, 'kg', CASE WHEN n % 3 > 0 THEN '2026-01-01'::date + n % 900 END,
        ('1a4de400-0000-4000-8000-00000000000' || 1 + n % 9)::uuid,
        CASE WHEN n % 500 = 0 THEN h END, CASE WHEN n % 500 = 1 THEN h END,
        CASE WHEN n % 11 = 0 THEN 3 END, n % 7 = 0,
        founder, '2026-01-01'::timestamptz + n * interval '1 minute', founder, gen_random_uuid()
      FROM (SELECT things.n, founder, CASE WHEN things.n >= 5000 THEN household END AS h
        FROM generate_series(0, 99999) AS things (n)
        JOIN homes ON homes.n = CASE WHEN things.n < 25000 THEN 0 ELSE 1 + things.n % 80 END) AS things;
    UPDATE inventory_items SET good_until = COALESCE(expiration_date, 'infinity');
    INSERT INTO products (id, household_id, name, name_folded, unit, category_id, storage_location_id,
        preferred_store_id, created_by, created_at, updated_by)
      SELECT product_id, household_id, name, name_folded, unit, category_id, storage_location_id,
        preferred_store_id, created_by, created_at, updated_by FROM inventory_items;
    INSERT INTO product_barcodes (product_id, household_id, created_by, gtin)
      SELECT id, household_id, created_by, lpad((row_number() OVER ())::text, 14, '0') FROM products;
    INSERT INTO product_photos (inventory_id, id, full_size, thumbnail, created_at, expires_at)
      SELECT COALESCE(household_id, created_by), md5(id::text), '', '', created_at,
        CASE WHEN abs(hashtext(name)) % 9 = 0 THEN created_at + interval '30 days' END FROM products;
    INSERT INTO inventory_item_words
      SELECT COALESCE(household_id, created_by), suffix, id FROM inventory_items,
        LATERAL (VALUES (name_folded), (substr(name_folded, 7)),
          (substr(name_folded, position('word' IN name_folded)))) AS suffixes (suffix);
    INSERT INTO shopping_list_items (id, household_id, item_id, name, store_id, status, expires_at, added_by,
        created_at)
      SELECT gen_random_uuid(), household_id, CASE WHEN n % 2 = 0 THEN id END, name,
        CASE WHEN n % 5 < 2 THEN household_id END, CASE WHEN n % 3 = 0 THEN 'purchased' ELSE 'pending' END,
        CASE WHEN n % 3 = 0 THEN created_at + interval '7 days' END, created_by, created_at
      FROM (SELECT *, abs(hashtext(name)) AS n FROM inventory_items
        WHERE household_id IS NOT NULL) AS items WHERE n % 7 < 2;
    INSERT INTO nfc_urls (url_id, household_id, item_id, item_name, created_by, created_at)
      SELECT '0' || left(md5(id::text), 21), household_id, id, name, created_by, created_at
      FROM inventory_items WHERE household_id IS NOT NULL;
    INSERT INTO tap_nonces
      SELECT household_id, url_id, 'nonce', '{}', created_at + interval '1 day' FROM nfc_urls;
    INSERT INTO inventory_audit (inventory_id, sequence, item_id, action, changed_at, new_values)
      SELECT COALESCE(household_id, created_by), row_number() OVER (), id, 'INSERT', created_at, '{}'
      FROM inventory_items;
    INSERT INTO outbox (inventory_id, sequence, entity, entity_id, changed_at)
      SELECT inventory_id, sequence, 'item', item_id, changed_at FROM inventory_audit;
    INSERT INTO change_sequences (inventory_id, sequence)
      SELECT inventory_id, max(sequence) FROM outbox GROUP BY 1;
    INSERT INTO change_sequences (inventory_id) SELECT id FROM users ON CONFLICT DO NOTHING;
    INSERT INTO notifications (id, household_id, item_id, item_name, kind, quantity, threshold, unit,
        created_at, resolved_at, forget_at)
      SELECT gen_random_uuid(), household_id, id, name, 'low_stock', 1, 2, unit, created_at, ended,
        ended + interval '30 days'
      FROM (SELECT *, CASE WHEN hashtext(name) % 50 <> 0 THEN created_at + interval '1 hour' END AS ended
        FROM inventory_items WHERE household_id IS NOT NULL) AS items;
    INSERT INTO deliveries (household_id, notification_id, channel, due_at, last_error, dead_until)
      SELECT household_id, id, 'mail', created_at, CASE WHEN dead THEN 'no answer' END,
        CASE WHEN dead THEN created_at + interval '30 days' END
      FROM (SELECT *, hashtext(item_name) % 3 = 0 AS dead FROM notifications) AS notifications;
    INSERT INTO leases (job) SELECT 'job ' || n FROM generate_series(1, 20000) AS n;
    UPDATE households SET next_daily_at = created_at + random() * interval '1 day';
    INSERT INTO refresh_tokens (id, user_id, token_hash, expires_at)
      SELECT id, id, 'hash', now() + interval '1 day' FROM users;
    INSERT INTO program_tokens (id, user_id, name, scopes, token_hash)
      SELECT id, id, 'script', '{read}', 'hash' FROM users;
    INSERT INTO erasures (id, kind, target, begun_by, started_at)
      SELECT id, 'device', 'device', id, now() FROM users;
    INSERT INTO idempotency_keys (user_id, key, request_hash, expires_at)
      SELECT id, 'key', 'hash', now() + interval '1 day' FROM users;
    INSERT INTO external_identities SELECT 'issuer', id, id FROM users;
    INSERT INTO devices
      SELECT device, CASE WHEN n % 5 = 0 THEN household END, key, '{\"sensors\": [], \"features\": {}}',
        now(), now() - n * interval '1 minute', key, '1.0', 'device ' || n
      FROM telemetry;
    INSERT INTO api_keys
      SELECT key, CASE WHEN n % 5 = 0 THEN household END, md5('a' || n) || md5('b' || n),
        now() - n * interval '1 hour', NULL, true, 'key ' || n
      FROM telemetry;
    INSERT INTO device_readings
      SELECT device, ms, device || '_' || ms, CASE WHEN t.n % 5 = 0 THEN household END, key, '1.0', NULL,
        jsonb_build_object('temp_c', ms % 1000 / 10.0, 'humidity_pct', 40), '{\"bme280\": \"ok\"}',
        ms / 1000 + 90 * 86400
      FROM telemetry t, generate_series(-224, 720) AS times (n),
        LATERAL (SELECT (extract(epoch FROM now()) * 1000)::bigint - times.n * 10800000::bigint + t.n) AS at (ms)
      WHERE t.n < 200;
    INSERT INTO device_readings
      SELECT device, 3000000000000 + n, 'far-' || n, NULL, key, '1.0', NULL, '{}', '{}', 3000000000 + n
      FROM telemetry;
    INSERT INTO processed_batches
      SELECT batch_id, household_id, hardware_id, now(), timestamp_ms / 1000 + 30 * 86400
      FROM device_readings WHERE timestamp_ms < 3000000000000;
    CREATE TEMP TABLE things AS SELECT account, base, k, base + k AS n,
      format('urn:pp:Home.%s::40000000-0000-4000-8000-%s', CASE (base + k) % 4 WHEN 0 THEN 'Box' ELSE 'Room' END,
        lpad((base + k)::text, 12, '0')) AS urn
      FROM (
        SELECT 'urn:pp:System.Account::' || household AS account,
          CASE n WHEN 0 THEN 0 ELSE 20000 + (n - 1) * 500 END AS base,
          generate_series(0, CASE n WHEN 0 THEN 19999 ELSE 499 END) AS k FROM homes) AS things;
    CREATE INDEX ON things (n);
    ANALYZE things;
    INSERT INTO resources (urn, account_urn, schema_version, attributes, created_at, updated_at)
      SELECT urn, account, 1, '{\"name\": \"thing\"}', now(), now() FROM things;
    INSERT INTO parent_child_relationships
      SELECT c.urn, p.urn, c.account, now() FROM things c JOIN things p ON p.n = c.base + c.k / 10 WHERE c.k > 0;
    INSERT INTO collection_member_relationships
      SELECT m.account, c.urn, m.urn, m.k % 2 = 0, now()
      FROM things m JOIN things c ON c.n = m.base + m.k % 10 WHERE m.k >= 10;
    INSERT INTO unique_key_values
      SELECT split_part(urn, ':', 3), 'serial', 'Number ' || n, 'Number ' || n, false, urn, account, now(), now()
      FROM things;
    INSERT INTO grants
      SELECT account, urn, 'urn:pp:System.User::20000000-0000-4000-8000-' || lpad((n % 50)::text, 12, '0'),
        ARRAY['read'], now(), now()
      FROM things;
    INSERT INTO resource_photos
      SELECT account, urn, md5(urn), '\\x00', '\\x00', now() FROM things;
    INSERT INTO resource_deletions (id, account_urn, root_urn, root_created_at, started_at, finished_at)
      SELECT gen_random_uuid(), account, urn, now(), now() - n * interval '1 second',
        CASE WHEN n % 20 > 0 THEN now() - n * interval '1 second' END
      FROM things;
    INSERT INTO bookmarks SELECT 'job ' || n, 'place' FROM generate_series(1, 20000) AS n;
    ANALYZE;
    ";
