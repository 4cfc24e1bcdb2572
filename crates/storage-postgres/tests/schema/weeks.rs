//! Weekly partitions of readings: created, filled with early readings, and dropped.

use larder_storage_postgres::migrate::{UpOptions, down, up};
use sqlx::PgConnection;

use crate::{
    isolation::world::{DEVICE, HOUSEHOLD, inhabited},
    support::{Migrated, begin_as, connect, number, run, texts},
};

const WEEK_S: i64 = 604_800;

/// Runs maintenance at this time. Returns the number of partitions created.
async fn maintain(runtime: &mut PgConnection, now: &str, retention: &str, limit: i32) -> i64 {
    let sql = format!(
        "SELECT made FROM maintain_reading_weeks('{now}', interval '{retention}', {limit})"
    );
    number(runtime, &sql).await
}

/// The weekly partitions from this day on, by their first days.
async fn weeks_from(superuser: &mut PgConnection, day: &str) -> Vec<String> {
    let sql = format!(
        "SELECT right(relname, 8) FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
         WHERE i.inhparent = 'device_readings'::regclass AND right(relname, 8) BETWEEN '{day}' AND '9'
         ORDER BY 1"
    );
    texts(superuser, &sql).await
}

/// A reading of the household's device that expires some seconds after its time.
async fn read_at(superuser: &mut PgConnection, at: &str, kept_s: i64) {
    let sql = format!(
        "INSERT INTO device_readings
         SELECT '{DEVICE}', s * 1000, 'at-' || s, '{HOUSEHOLD}', '550e8400-e29b-41d4-a716-446655440000',
           '1.0', NULL, '{{}}', '{{}}', s + {kept_s}
         FROM (SELECT extract(epoch FROM '{at}'::timestamptz)::bigint AS s) AS t"
    );
    run(superuser, &sql).await;
}

/// The partitions with readings of this day and later, and their numbers.
async fn filled_from(superuser: &mut PgConnection, day: &str) -> Vec<String> {
    let sql = format!(
        "SELECT tableoid::regclass || ' ' || count(*) FROM device_readings
         WHERE timestamp_ms >= extract(epoch FROM '{day}'::timestamptz) * 1000
         GROUP BY tableoid ORDER BY 1"
    );
    texts(superuser, &sql).await
}

#[tokio::test]
async fn a_new_database_has_the_weeks_of_the_usual_retention_and_four_ahead() {
    let database = Migrated::fresh().await;
    let mut superuser = database.superuser().await;
    let weeks = weeks_from(&mut superuser, "0").await;
    assert!((17..=19).contains(&weeks.len()), "{weeks:?}");
    let sql = "SELECT to_char(date_trunc('week', now() AT TIME ZONE 'UTC') + n * interval '7 days', 'YYYYMMDD')
               FROM generate_series(-12, 4) AS n ORDER BY 1";
    for week in texts(&mut superuser, sql).await {
        assert!(weeks.contains(&week), "{week} is not among {weeks:?}");
    }
    // Runs every minute, without effect.
    let mut runtime = database.runtime().await;
    let sql =
        "SELECT made || ' ' || dropped FROM maintain_reading_weeks(now(), interval '90 days', 100)";
    assert_eq!(texts(&mut runtime, sql).await, ["0 0"]);
}

#[tokio::test]
async fn weeks_are_made_nearest_first_and_hold_their_monday_to_their_sunday() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    let now = "2040-06-06T12:00Z";
    assert_eq!(maintain(&mut runtime, now, "20 days", 2).await, 2);
    assert_eq!(weeks_from(&mut superuser, "2040").await, ["20400604", "20400611"]);
    assert_eq!(maintain(&mut runtime, now, "20 days", 100).await, 6);
    assert_eq!(
        weeks_from(&mut superuser, "2040").await,
        [
            "20400514", "20400521", "20400528", "20400604", "20400611", "20400618", "20400625",
            "20400702"
        ]
    );
    for at in ["2040-06-03T23:59:59Z", "2040-06-04T00:00Z", "2040-06-10T23:59:59Z"] {
        read_at(&mut superuser, at, 60).await;
    }
    // And three of the year 2065 that were there before.
    assert_eq!(
        filled_from(&mut superuser, "2040-06-01Z").await,
        ["device_readings_20400528 1", "device_readings_20400604 2", "device_readings_default 3"]
    );
}

#[tokio::test]
async fn what_came_before_its_week_was_made_moves_there() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    for at in ["2040-06-05T12:00Z", "2040-06-06T12:00Z", "2041-01-01T00:00Z"] {
        read_at(&mut superuser, at, 60).await;
    }
    let day = "2040-01-01Z";
    // And three of the year 2065 that were there before.
    assert_eq!(filled_from(&mut superuser, day).await, ["device_readings_default 6"]);
    let mut runtime = database.runtime().await;
    assert_eq!(maintain(&mut runtime, "2040-06-06T00:00Z", "7 days", 100).await, 6);
    assert_eq!(
        filled_from(&mut superuser, day).await,
        ["device_readings_20400604 2", "device_readings_default 4"]
    );
    run(&mut runtime, &begin_as(&[("household_id", HOUSEHOLD)])).await;
    let seen = "SELECT batch_id::text FROM device_readings WHERE batch_id LIKE 'at-%' ORDER BY timestamp_ms";
    assert_eq!(texts(&mut runtime, seen).await.len(), 3, "all are seen where they are now");
}

#[tokio::test]
async fn a_week_goes_when_all_in_it_has_expired_and_not_before() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    assert_eq!(maintain(&mut runtime, "2020-06-03T00:00Z", "14 days", 100).await, 7);
    read_at(&mut superuser, "2020-05-19T00:00Z", 2 * WEEK_S).await;
    read_at(&mut superuser, "2020-05-26T00:00Z", 20 * WEEK_S).await;
    let weeks = async |superuser: &mut PgConnection| weeks_from(superuser, "0").await[..3].to_vec();
    assert_eq!(weeks(&mut superuser).await, ["20200518", "20200525", "20200601"]);
    // The first may receive readings until two weeks after its end; the second contains one with a
    // longer retention.
    let now = "2020-06-07T23:59:59Z";
    assert_eq!(maintain(&mut runtime, now, "14 days", 100).await, 0);
    let now = "2020-06-15T00:00:00Z";
    assert_eq!(maintain(&mut runtime, now, "14 days", 100).await, 2);
    assert_eq!(weeks(&mut superuser).await, ["20200525", "20200601", "20200608"]);
    // A clock that is ahead of the database's drops no current partition.
    let before = weeks_from(&mut superuser, "2026").await;
    maintain(&mut runtime, "2090-01-01T00:00Z", "90 days", 100).await;
    let after = weeks_from(&mut superuser, "2026").await;
    assert!(before.iter().all(|week| after.contains(week)), "{before:?} {after:?}");
}

#[tokio::test]
async fn maintenance_waits_for_nobody_and_goes_on_the_next_time() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    let mut busy = database.runtime().await;
    // A reader with an open transaction.
    run(&mut busy, &begin_as(&[("household_id", HOUSEHOLD)])).await;
    assert_eq!(number(&mut busy, "SELECT count(*) FROM device_readings").await, 2);
    let now = "2020-06-03T00:00Z";
    assert_eq!(maintain(&mut runtime, now, "7 days", 100).await, 0);
    run(&mut busy, "ROLLBACK").await;
    assert_eq!(maintain(&mut runtime, now, "7 days", 100).await, 6);
    run(&mut busy, &begin_as(&[("household_id", HOUSEHOLD)])).await;
    assert_eq!(number(&mut busy, "SELECT count(*) FROM device_readings").await, 2);
    let later = "2020-06-17T00:00Z";
    let oldest = async |superuser: &mut PgConnection| weeks_from(superuser, "0").await.remove(0);
    assert_eq!(maintain(&mut runtime, later, "7 days", 100).await, 0);
    assert_eq!(oldest(&mut superuser).await, "20200525");
    run(&mut busy, "ROLLBACK").await;
    assert_eq!(maintain(&mut runtime, later, "7 days", 100).await, 2);
    assert_eq!(oldest(&mut superuser).await, "20200608");
}

#[tokio::test]
async fn going_back_to_a_schema_without_weeks_keeps_every_reading() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let all = "SELECT to_jsonb(r)::text FROM device_readings r ORDER BY 1";
    let before = texts(&mut superuser, all).await;
    assert_eq!(before.len(), 6);
    down(&database.owner_url, 8).await.unwrap();
    assert_eq!(weeks_from(&mut superuser, "0").await, [""; 0]);
    assert_eq!(texts(&mut superuser, all).await, before);
    let role = Some("larder_schema_tests".to_owned());
    let options = UpOptions { runtime_role: role, ..UpOptions::default() };
    up(&database.owner_url, &options).await.unwrap();
    assert_eq!(texts(&mut superuser, all).await, before);
    let strays = "SELECT count(*) FROM device_readings_default";
    assert_eq!(number(&mut superuser, strays).await, 3, "those of the year 2065");
    // Without a context the owner sees no rows, in any partition.
    let mut owner = connect(&database.owner_url).await;
    assert_eq!(number(&mut owner, strays).await, 0);
}
