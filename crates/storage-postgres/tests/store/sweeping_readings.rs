//! Telemetry is deleted after it expires, and hidden from that second on.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_storage::{ManualClock, ReadingState};
use larder_storage_postgres::Swept;
use sqlx::{Connection as _, PgConnection};

use crate::{
    fleet::{DAY, fleet, kept, reading, send},
    launch::{database, options, store},
};

/// Long past for the database's own clock, which bounds every sweep.
fn long_ago() -> Arc<ManualClock> {
    Arc::new(ManualClock::new("2020-01-01T00:00:00Z".parse().unwrap()))
}

#[tokio::test]
async fn batch_ids_are_forgotten_after_thirty_days() {
    let (database, clock) = (database().await, long_ago());
    let store = store(options(&database), &clock).await;
    let scope = fleet(&store, &clock).await;
    send(&store, scope, &clock, vec![reading(&clock, 0, "a"), reading(&clock, 1, "b")]).await;
    clock.advance(30 * DAY - SignedDuration::from_secs(1));
    assert_eq!(store.sweep().await.unwrap(), Swept::default(), "not a second early");
    let again = vec![reading(&clock, -i64::try_from((30 * DAY).as_millis()).unwrap() + 1000, "a")];
    assert_eq!(send(&store, scope, &clock, again).await, [ReadingState::Duplicate]);
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(store.sweep().await.unwrap(), Swept { batch_ids: 2, ..Swept::default() });
    assert_eq!(store.sweep().await.unwrap(), Swept::default(), "once is enough");
    // The same reading again is new, and overwrites the expired one.
    let again = vec![reading(&clock, -i64::try_from((30 * DAY).as_millis()).unwrap(), "a")];
    assert_eq!(send(&store, scope, &clock, again).await, [ReadingState::Acknowledged]);
    assert_eq!(kept(&store, scope, &clock).await, ["a", "b"]);
}

#[tokio::test]
async fn while_deleting_is_paused_weeks_are_made_and_none_is_dropped() {
    let (database, clock) = (database().await, long_ago());
    let store = store(options(&database), &clock).await;
    let scope = fleet(&store, &clock).await;
    store.sweep().await.unwrap();
    send(&store, scope, &clock, vec![reading(&clock, 0, "old")]).await;
    clock.advance(200 * DAY);
    for _ in 0..20 {
        store.make_weeks().await.unwrap();
    }
    send(&store, scope, &clock, vec![reading(&clock, 0, "new")]).await;
    clock.advance(-200 * DAY);
    assert_eq!(kept(&store, scope, &clock).await, ["old", "new"], "both are there");
    let in_default = "SELECT count(*) FROM device_readings_default";
    let mut connection = PgConnection::connect(&database.superuser_url).await.unwrap();
    let strays: i64 = sqlx::query_scalar(in_default).fetch_one(&mut connection).await.unwrap();
    assert_eq!(strays, 0, "the week of the new one was made");
}

#[tokio::test]
async fn weeks_go_whole_and_strays_one_by_one_when_they_have_expired() {
    let (database, clock) = (database().await, long_ago());
    let store = store(options(&database), &clock).await;
    let scope = fleet(&store, &clock).await;
    // Before its partition exists, in a partition, and far ahead.
    store.sweep().await.unwrap();
    let far = 400 * DAY;
    let far = i64::try_from(far.as_millis()).unwrap();
    let readings =
        vec![reading(&clock, 0, "now"), reading(&clock, 1000, "then"), reading(&clock, far, "far")];
    send(&store, scope, &clock, readings).await;
    clock.advance(90 * DAY);
    assert_eq!(kept(&store, scope, &clock).await, ["then", "far"], "not a second late");
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(kept(&store, scope, &clock).await, ["far"]);
    // The empty week before is dropped at once; this one may receive readings until its Sunday has
    // passed.
    let swept = store.sweep().await.unwrap();
    assert_eq!((swept.batch_ids, swept.dropped_weeks), (3, 1), "{swept:?}");
    clock.advance(4 * DAY);
    assert_eq!(store.sweep().await.unwrap().dropped_weeks, 0);
    clock.advance(DAY);
    assert_eq!(store.sweep().await.unwrap().dropped_weeks, 1);
    assert_eq!(kept(&store, scope, &clock).await, ["far"]);

    clock.advance(400 * DAY);
    assert_eq!(kept(&store, scope, &clock).await, [""; 0]);
    let swept = store.sweep().await.unwrap();
    assert_eq!(swept.stray_readings, 1, "{swept:?}");
}
