//! Readings: ingesting them, and reading them back unchanged.

use std::sync::Arc;

use larder_domain::{SensorName, SensorValue, Sensors};
use larder_storage::{Clock, ManualClock, ReadingState, Readings};
use larder_storage_postgres::{PostgresOptions, PostgresStore};
use larder_storage_testkit::{Random, seed};
use larder_test_servers::PostgresServer;

use crate::{
    fleet::{DEVICE, fleet, kept, reading, send},
    launch::{clock, database, options, store},
    pooler::{pooler_for, through},
    relay::Relay,
};

/// How many readings several clients send at once.
const READINGS: usize = 300;

#[tokio::test]
async fn a_request_is_one_round_trip_however_many_readings_it_has() {
    let (database, clock) = (database().await, clock());
    let server = PostgresServer::shared().address();
    let relay = Relay::in_front_of(server).await;
    let options = options(&database);
    let url = options.url.replace(&server.to_string(), &relay.address.to_string());
    let url = format!("{url}?sslmode=disable");
    let store = store(PostgresOptions { url, max_connections: 1, ..options }, &clock).await;
    let scope = fleet(&store, &clock).await;
    // The first one on a connection is prepared as well.
    send(&store, scope, &clock, vec![reading(&clock, 0, "first")]).await;
    for count in [1, 100] {
        let asked = relay.asked();
        let id = |n| format!("{count}-{n}");
        let readings = (0..count).map(|n| reading(&clock, n, &id(n))).collect();
        let states = send(&store, scope, &clock, readings).await;
        assert_eq!(states, vec![ReadingState::Acknowledged; usize::try_from(count).unwrap()]);
        assert_eq!(relay.asked() - asked, 1, "{count} readings");
    }
}

#[tokio::test]
async fn values_come_back_bit_for_bit() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    let scope = fleet(&store, &clock).await;
    let mut random = Random::new(seed());
    let any = (0..).map(|_| SensorValue::new(f64::from_be_bytes(random.bytes())));
    let mut values: Vec<_> = any.filter_map(Result::ok).take(600).collect();
    let edges = [0.0, 1e-130, -1e125, 0.1 + 0.2, 5e15, 9_007_199_254_740_993.0, f64::MIN_POSITIVE];
    values.extend(edges.iter().filter_map(|edge| SensorValue::new(*edge).ok()));
    for (n, values) in values.chunks(60).enumerate() {
        let name = |n: usize| SensorName::parse(&format!("sensor \"{n}\" ü")).unwrap();
        let named = values.iter().enumerate().map(|(n, value)| (name(n), *value));
        let sensors = Sensors::new(named.collect()).unwrap();
        let after_ms = i64::try_from(n).unwrap();
        let sent = reading(&clock, after_ms, &format!("values-{n}"));
        let sent = larder_storage::NewReading { sensors: sensors.clone(), ..sent };
        send(&store, scope, &clock, vec![sent.clone()]).await;
        let latest = store.latest_reading(scope, DEVICE, clock.now()).await.unwrap().unwrap();
        assert_eq!((latest.sensor_status, latest.boot_id), (sent.sensor_status, sent.boot_id));
        for ((_, sent), (_, back)) in sensors.iter().zip(latest.sensors.iter()) {
            assert_eq!(sent.get().to_bits(), back.get().to_bits(), "{sent:?}");
        }
        assert_eq!(latest.sensors.len(), sensors.len());
    }
}

/// Several clients of two servers send the same readings concurrently: each is stored once, and new
/// to only one client.
async fn requests_that_cross_are_exact(
    one: Arc<PostgresStore>,
    two: Arc<PostgresStore>,
    clock: Arc<ManualClock>,
) {
    let scope = fleet(&one, &clock).await;
    let clients: Vec<_> = (0..8)
        .map(|client: usize| {
            let store = Arc::clone(if client.is_multiple_of(2) { &one } else { &two });
            let clock = Arc::clone(&clock);
            tokio::spawn(async move {
                // Each in its own order, in requests of its own size: requests overlap and cross.
                let mut order: Vec<_> = (0..READINGS).collect();
                order.rotate_left(client * 37);
                if client.is_multiple_of(3) {
                    order.reverse();
                }
                let mut acknowledged = 0;
                for part in order.chunks(11 + client * 9) {
                    let at = |n: usize| i64::try_from(n / 2).unwrap();
                    let readings =
                        part.iter().map(|n| reading(&clock, at(*n), &format!("r-{n:03}")));
                    let states = send(&store, scope, &clock, readings.collect()).await;
                    let new = states.iter().filter(|s| **s == ReadingState::Acknowledged);
                    acknowledged += new.count();
                }
                acknowledged
            })
        })
        .collect();
    let mut acknowledged = 0;
    for client in clients {
        acknowledged += client.await.unwrap();
    }
    assert_eq!(acknowledged, READINGS);
    let expected: Vec<_> = (0..READINGS).map(|n| format!("r-{n:03}")).collect();
    assert_eq!(kept(&one, scope, &clock).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_that_are_sent_the_same_readings_at_once_keep_each_once() {
    let (database, clock) = (database().await, clock());
    let one = Arc::new(store(options(&database), &clock).await);
    let two = Arc::new(store(options(&database), &clock).await);
    requests_that_cross_are_exact(one, two, clock).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_that_come_through_a_pooler_are_kept_once() {
    let (database, clock) = (database().await, clock());
    let pooler = pooler_for(&database);
    let one = Arc::new(store(through(&pooler, &database), &clock).await);
    let two = Arc::new(store(through(&pooler, &database), &clock).await);
    requests_that_cross_are_exact(one, two, clock).await;
}
