//! Devices, keys and readings: constraints, and the operator's view.

use crate::{
    isolation::world::{
        ATTACKER, DEVICE, HOUSEHOLD, KEY_HASH, OPERATORS_DEVICE, OTHER_DEVICE, OTHER_KEY_HASH,
        inhabited,
    },
    support::{Migrated, begin_as, number, refused, run, texts},
};

const OPERATOR: [(&str, &str); 1] = [("operator", "on")];

/// Every part of the table of readings.
async fn parts(database: &Migrated) -> Vec<String> {
    let sql = "SELECT inhrelid::regclass::text FROM pg_inherits
               WHERE inhparent = 'device_readings'::regclass ORDER BY 1";
    texts(&mut database.superuser().await, sql).await
}

#[tokio::test]
async fn what_breaks_a_rule_of_telemetry_is_refused() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    for set in [
        "devices SET hardware_id = lower(hardware_id)",
        "devices SET hardware_id = 'AA-AA-AA-AA-AA-AA'",
        "devices SET confirmation_id = '550e8400-e29b-11d4-a716-446655440000'",
        "devices SET last_boot_id = '550e8400-e29b-41d4-c716-446655440000'",
        "devices SET capabilities = '{}'",
        "devices SET firmware_version = ''",
        "devices SET friendly_name = ''",
        "api_keys SET api_key_hash = upper(api_key_hash)",
        "api_keys SET key_id = '00000000-0000-0000-0000-000000000000'",
        "processed_batches SET batch_id = 'a b'",
        "processed_batches SET batch_id = ''",
        "device_readings SET timestamp_ms = 946684799999",
        "device_readings SET timestamp_ms = 4102444800001",
        "device_readings SET sensors = '[]'",
        "device_readings SET sensor_status = '\"ok\"'",
        "device_readings SET sensor_status = '{\"a\": \"ok\", \"b\": \"broken\"}'",
        "device_readings SET sensor_status = '{\"a\": 1}'",
        "device_readings SET sensor_status = '{\"a\": null}'",
        "device_readings SET sensor_status = '{\"a\": [\"ok\"]}'",
    ] {
        let (code, text) = refused(&mut superuser, &format!("UPDATE {set}")).await;
        assert!(["23514", "23502"].contains(&code.as_str()), "{set}: {code} {text}");
    }
    for status in ["{}", "{\"a\": \"ok\", \"b\": \"error\"}"] {
        let sql = format!("UPDATE device_readings SET sensor_status = '{status}'");
        run(&mut superuser, &sql).await;
    }
}

#[tokio::test]
async fn a_batch_id_is_unique_within_a_household_and_among_the_operators_devices() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let sql = "SELECT count(*) FROM processed_batches WHERE batch_id = 'batch-1'";
    assert_eq!(number(&mut superuser, sql).await, 3, "each has its own");
    for household in [format!("'{HOUSEHOLD}'"), "NULL".to_owned()] {
        let sql = format!(
            "INSERT INTO processed_batches VALUES ('batch-1', {household}, '{DEVICE}', now(), 0)"
        );
        assert_eq!(refused(&mut superuser, &sql).await.0, "23505", "{household}");
    }
}

#[tokio::test]
async fn the_operator_sees_all_devices_and_nothing_else() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&OPERATOR)).await;
    for (table, rows) in
        [("devices", 3), ("api_keys", 3), ("processed_batches", 6), ("device_readings", 6)]
    {
        let sql = format!("SELECT count(*) FROM {table}");
        assert_eq!(number(&mut runtime, &sql).await, rows, "{table}");
    }
    for table in ["users", "households", "inventory_items", "nfc_urls", "notifications"] {
        let sql = format!("SELECT count(*) FROM {table}");
        assert_eq!(number(&mut runtime, &sql).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_household_does_not_see_what_belongs_to_none() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&ATTACKER)).await;
    for table in ["devices", "processed_batches", "device_readings"] {
        let sql = format!("SELECT DISTINCT hardware_id::text FROM {table}");
        assert_eq!(texts(&mut runtime, &sql).await, [DEVICE], "{table}");
    }
}

#[tokio::test]
async fn knowing_a_key_shows_it_and_changes_nothing_of_it() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&[("api_key_hash", OTHER_KEY_HASH)])).await;
    let sql = "SELECT api_key_hash::text FROM api_keys";
    assert_eq!(texts(&mut runtime, sql).await, [OTHER_KEY_HASH]);
    for sql in ["UPDATE api_keys SET is_active = false", "SELECT FROM api_keys FOR KEY SHARE"] {
        assert_eq!(run(&mut runtime, sql).await, 0, "{sql}");
    }
    run(&mut runtime, "ROLLBACK").await;
    let both = [&ATTACKER[..], &[("api_key_hash", OTHER_KEY_HASH)]].concat();
    run(&mut runtime, &begin_as(&both)).await;
    let sql = "SELECT api_key_hash::text FROM api_keys ORDER BY 1";
    assert_eq!(texts(&mut runtime, sql).await, [KEY_HASH, OTHER_KEY_HASH]);
    assert_eq!(run(&mut runtime, "UPDATE api_keys SET is_active = false").await, 1);
}

#[tokio::test]
async fn readings_are_reached_through_the_whole_table_alone() {
    let database = inhabited().await;
    let parts = parts(&database).await;
    assert!(parts.len() > 10, "{parts:?}");
    let mut superuser = database.superuser().await;
    let role = format!("prying_{}", database.name);
    run(&mut superuser, &format!("CREATE ROLE {role} LOGIN PASSWORD 'x'")).await;
    run(&mut superuser, &format!("GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")).await;
    let mut prying = database.role(&role, "x").await;
    let mut runtime = database.runtime().await;
    for settings in [&ATTACKER[..], &OPERATOR] {
        for part in &parts {
            for sql in [
                format!("SELECT count(*) FROM {part}"),
                format!("DELETE FROM {part}"),
                format!("UPDATE {part} SET household_id = '{HOUSEHOLD}'"),
                format!("SELECT FROM {part} FOR UPDATE"),
            ] {
                run(&mut runtime, &begin_as(settings)).await;
                assert_eq!(refused(&mut runtime, &sql).await.0, "42501", "{sql}");
                run(&mut runtime, "ROLLBACK").await;
                // With all rights granted, only the policies restrict.
                run(&mut prying, &begin_as(settings)).await;
                if sql.starts_with("SELECT count") {
                    assert_eq!(number(&mut prying, &sql).await, 0, "{sql}");
                } else {
                    assert_eq!(run(&mut prying, &sql).await, 0, "{sql}");
                }
                run(&mut prying, "COMMIT").await;
            }
        }
    }
    assert_eq!(number(&mut superuser, "SELECT count(*) FROM device_readings").await, 6);
}

/// A call of `ingest_readings` for one reading of one device.
fn ingest(household: &str, device: &str, batch_id: &str) -> String {
    format!(
        "SELECT format('%s/%s', not_allowed, duplicates) FROM ingest_readings({household}, now(),
           extract(epoch FROM now())::bigint + 86400, ARRAY['{device}'], ARRAY['{device}'],
           ARRAY[(extract(epoch FROM now()) * 1000)::bigint], ARRAY['{batch_id}'],
           ARRAY['550e8400-e29b-41d4-a716-446655440000'::uuid], ARRAY['1.0'], ARRAY['{{}}'], ARRAY['{{}}'],
           ARRAY[extract(epoch FROM now())::bigint + 60])"
    )
}

#[tokio::test]
async fn readings_come_in_for_devices_of_the_household_that_is_named_whatever_the_context() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let home = format!("'{HOUSEHOLD}'");
    for settings in [&[][..], &ATTACKER, &OPERATOR] {
        for (household, device) in [
            (home.as_str(), OTHER_DEVICE),
            (&home, OPERATORS_DEVICE),
            ("NULL", DEVICE),
            ("NULL", "DD:DD:DD:DD:DD:DD"),
        ] {
            run(&mut runtime, &begin_as(settings)).await;
            let refused = texts(&mut runtime, &ingest(household, device, "new")).await;
            assert_eq!(refused, [format!("{{{device}}}/")], "{settings:?} {household}");
            run(&mut runtime, "COMMIT").await;
        }
    }
    let mut superuser = database.superuser().await;
    assert_eq!(number(&mut superuser, "SELECT count(*) FROM device_readings").await, 6);
    // Duplicate, new, and duplicate now; an id is free even if another household used it.
    for (household, device) in [(home.as_str(), DEVICE), ("NULL", OPERATORS_DEVICE)] {
        for (batch_id, answer) in [("batch-1", "/{1}"), ("new", "/"), ("new", "/{1}")] {
            let answered = texts(&mut runtime, &ingest(household, device, batch_id)).await;
            assert_eq!(answered, [answer], "{household} {batch_id}");
        }
    }
    assert_eq!(number(&mut superuser, "SELECT count(*) FROM device_readings").await, 8);
}
