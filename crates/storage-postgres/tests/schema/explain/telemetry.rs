//! Devices and keys by activity and age, keys by hash, and readings of one device in any range of
//! weeks.

use super::{
    plan::PLANNING,
    statements::{plan_of, statement},
    stock::stocked,
};
use crate::support::{run, texts};

/// A device of the large household with readings in every week.
const DEVICE: &str = "00:00:00:00:00:05";

/// SQL for a time this many days ago, in milliseconds.
fn ms(days_ago: u32) -> String {
    format!("(extract(epoch FROM now() - interval '{days_ago} days') * 1000)::bigint")
}

#[tokio::test]
async fn a_key_is_found_by_what_it_hashes_to() {
    let mut runtime = stocked().await;
    let statement = statement("FROM api_keys k WHERE k.api_key_hash = $1");
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        let plan = plan_of(&mut runtime, &statement, "md5('a7') || md5('b7')").await;
        let scan = plan.scan_of("api_keys");
        assert_eq!(scan.index.as_deref(), Some("idx_api_keys_hash"), "{planning}");
        assert!(scan.condition.contains("api_key_hash"), "{planning} {}", scan.condition);
    }
}

#[tokio::test]
async fn lists_of_devices_and_keys_are_read_in_their_order_from_an_index() {
    let household = "'10000000-0000-4000-8000-000000000000'";
    let key = "'30000000-0000-4000-8000-000000000000'";
    let place = format!("now() - interval '1 day', '{DEVICE}', 50");
    let key_place = format!("now() - interval '1 day', {key}, 50");
    let mut runtime = stocked().await;
    for (text, values, table, index) in [
        (
            "WHERE d.household_id = $1 AND (d.last_seen_at,",
            format!("{household}, {place}"),
            "devices",
            "idx_devices_household",
        ),
        ("FROM devices d WHERE (d.last_seen_at,", place, "devices", "idx_devices_seen"),
        (
            "WHERE k.household_id = $1 AND (k.created_at,",
            format!("{household}, {key_place}"),
            "api_keys",
            "idx_api_keys_household",
        ),
        ("FROM api_keys k WHERE (k.created_at,", key_place, "api_keys", "idx_api_keys_created"),
    ] {
        let statement = statement(text);
        for planning in PLANNING {
            run(&mut runtime, planning).await;
            let plan = plan_of(&mut runtime, &statement, &values).await;
            assert!(!plan.sorts, "{planning}: {text} {plan:#?}");
            let scan = plan.scan_of(table);
            assert_eq!(scan.index.as_deref(), Some(index), "{planning}: {text}");
            assert!(scan.condition.contains("ROW("), "{planning}: {text} {}", scan.condition);
        }
    }
}

#[tokio::test]
async fn the_latest_reading_is_the_first_of_an_index_of_each_week() {
    let mut runtime = stocked().await;
    let statement = statement("ORDER BY r.timestamp_ms DESC, r.batch_id DESC LIMIT 1");
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        let values = format!("'{DEVICE}', extract(epoch FROM now())::bigint, NULL");
        let plan = plan_of(&mut runtime, &statement, &values).await;
        assert!(!plan.sorts && plan.read_whole().is_empty(), "{planning} {plan:#?}");
        assert!(plan.scans.len() > 12, "{planning} {plan:#?}");
    }
}

#[tokio::test]
async fn a_range_reads_its_weeks_alone_in_both_directions() {
    let mut runtime = stocked().await;
    for (text, cursor) in [
        ("(r.timestamp_ms, r.batch_id) > ($4, $5)", "0"),
        ("(r.timestamp_ms, r.batch_id) < ($4, $5)", "9223372036854775807"),
    ] {
        let statement = statement(text);
        let values = format!(
            "'{DEVICE}', {}, {}, {cursor}, '', extract(epoch FROM now())::bigint, NULL, 10",
            ms(37),
            ms(30),
        );
        for planning in PLANNING {
            run(&mut runtime, planning).await;
            let plan = plan_of(&mut runtime, &statement, &values).await;
            assert!(!plan.sorts && plan.read_whole().is_empty(), "{planning} {plan:#?}");
            let weeks: Vec<_> = plan.scans.iter().filter(|scan| scan.table != "devices").collect();
            assert!(weeks.len() <= 2, "seven days are in two weeks: {planning} {plan:#?}");
            let condition = &weeks[0].condition;
            assert!(condition.contains("timestamp_ms"), "{planning} {condition}");
        }
    }
}

#[tokio::test]
async fn a_chart_reads_one_device_in_its_weeks_alone() {
    let mut runtime = stocked().await;
    let statement = statement("(v.timestamp_ms - $2) * $4 / ($3 - $2 + 1)");
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        for (from, to, most) in [(31, 30, 2), (80, 1, 13)] {
            let values = format!(
                "'{DEVICE}', {}, {}, 300, 'temp_c', extract(epoch FROM now())::bigint, NULL",
                ms(from),
                ms(to),
            );
            let plan = plan_of(&mut runtime, &statement, &values).await;
            assert_eq!(plan.read_whole(), [""; 0], "{planning} {plan:#?}");
            let weeks = plan.scans.iter().filter(|scan| scan.table != "devices").count();
            assert!((1..=most).contains(&weeks), "{planning} {plan:#?}");
            for scan in &plan.scans {
                assert!(scan.condition.contains("hardware_id"), "{planning} {}", scan.condition);
            }
        }
    }
}

/// EXPLAIN does not show statements inside a function; the server's statistics count its scans.
#[tokio::test]
async fn readings_come_in_by_indexes_alone() {
    let mut runtime = stocked().await;
    let household = "'10000000-0000-4000-8000-000000000000'";
    let sql = format!(
        "SELECT format('%s/%s', not_allowed, duplicates) FROM ingest_readings({household}, now(),
           4000000000, ARRAY['{DEVICE}'], ARRAY['{DEVICE}', '{DEVICE}'], ARRAY[{at}, {at}],
           ARRAY['new', '{DEVICE}_' || {known}],
           array_fill('550e8400-e29b-41d4-a716-446655440000'::uuid, ARRAY[2]),
           ARRAY['1.0', '1.0'], ARRAY['{{}}', '{{}}'], ARRAY['{{}}', '{{}}'], ARRAY[4000000000, 4000000000])",
        at = ms(1),
        known = "(SELECT max(timestamp_ms) FROM device_readings
                  WHERE hardware_id = '00:00:00:00:00:05' AND timestamp_ms < 3000000000000)",
    );
    assert_eq!(texts(&mut runtime, &sql).await, ["/{2}"]);
    let read = "SELECT relname::text FROM pg_stat_xact_user_tables
                WHERE seq_tup_read > 0 AND relname ~ '^(devices|processed_batches|device_readings)'";
    assert_eq!(texts(&mut runtime, read).await, [""; 0]);
    let by_index = "SELECT relname::text FROM pg_stat_xact_user_tables
                    WHERE idx_scan > 0 AND relname = ANY (ARRAY['devices', 'processed_batches'])
                    ORDER BY 1";
    assert_eq!(texts(&mut runtime, by_index).await, ["devices", "processed_batches"]);
}
