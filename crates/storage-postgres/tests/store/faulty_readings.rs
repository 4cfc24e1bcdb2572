//! Readings with network faults and server crashes: devices resend until acknowledged, and each
//! reading is stored once.

use std::{sync::Arc, time::Duration};

use larder_storage::{
    FleetScope, Ingest, ManualClock, NewReading, ReadingState, Readings, StorageError,
};
use larder_storage_postgres::PostgresStore;
use larder_storage_testkit::{Random, seed};
use larder_test_servers::{Fault, FaultProxy, PostgresServer};

use crate::{
    faults::{impatient, kill_and_start_again, through, until_ready},
    fleet::{fleet, kept, reading, send, together},
    launch::{clock, database, database_on, options, store},
};

const CLIENTS: u64 = 8;
const READINGS: usize = 600;

fn nth(clock: &ManualClock, n: usize) -> NewReading {
    reading(clock, i64::try_from(n).unwrap(), &format!("r-{n:04}"))
}

/// Sends every reading, in an order and in requests of its own, each until it is answered.
async fn resend_all(
    store: &PostgresStore,
    scope: FleetScope,
    clock: &ManualClock,
    mut random: Random,
) {
    let mut order: Vec<_> = (0..READINGS).collect();
    for n in (1..READINGS).rev() {
        order.swap(n, random.below(n + 1));
    }
    let mut rest = &order[..];
    while !rest.is_empty() {
        let (part, others) = rest.split_at(rest.len().min(1 + random.below(100)));
        rest = others;
        loop {
            let readings = part.iter().map(|n| nth(clock, *n)).collect();
            match store.ingest(scope, together(clock, readings)).await {
                Ok(Ingest::Done(states)) => {
                    assert_eq!(states.len(), part.len());
                    break;
                }
                Err(StorageError::Unavailable(_) | StorageError::Contention(_)) => {
                    tokio::task::yield_now().await;
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Many clients send the same readings while `meanwhile` happens; afterwards a store without faults
/// finds each once.
async fn readings_are_exact_while(
    store: &Arc<PostgresStore>,
    patient: &PostgresStore,
    scope: FleetScope,
    clock: &Arc<ManualClock>,
    meanwhile: impl Future<Output = ()>,
) {
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (store, clock) = (Arc::clone(store), Arc::clone(clock));
            let random = Random::new(seed() ^ client);
            tokio::spawn(async move { resend_all(&store, scope, &clock, random).await })
        })
        .collect();
    meanwhile.await;
    for client in clients {
        client.await.unwrap();
    }
    until_ready(patient).await;
    let expected: Vec<_> = (0..READINGS).map(|n| format!("r-{n:04}")).collect();
    assert_eq!(kept(patient, scope, clock).await, expected);
    for part in (0..READINGS).collect::<Vec<_>>().chunks(100) {
        let again = part.iter().map(|n| nth(clock, *n)).collect();
        let states = send(patient, scope, clock, again).await;
        assert_eq!(states, vec![ReadingState::Duplicate; part.len()]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_whose_answers_break_off_are_kept_once() {
    let (database, clock) = (database().await, clock());
    let server = PostgresServer::shared().address();
    let proxy = FaultProxy::in_front_of(server).await;
    let patient = store(options(&database), &clock).await;
    let scope = fleet(&patient, &clock).await;
    let options = through(proxy.address(), server, options(&database));
    let store = Arc::new(store(options, &clock).await);
    let breaking = async {
        for round in 0..8 {
            // About the size of the answers to a few requests, so that some get truncated.
            proxy.set(Fault::TruncateAfter(1200 + 171 * round)).await;
            let _ = store.latest_reading(scope, crate::fleet::DEVICE, jiff::Timestamp::MIN).await;
            proxy.set(Fault::Drop).await;
            proxy.set(Fault::Delay(Duration::from_millis(2))).await;
            until_ready(&store).await;
        }
        proxy.set(Fault::None).await;
    };
    readings_are_exact_while(&store, &patient, scope, &clock, breaking).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_sent_to_a_server_that_is_killed_are_kept_once() {
    let server = PostgresServer::start();
    let (database, clock) = (database_on(&server).await, clock());
    let patient = store(options(&database), &clock).await;
    let scope = fleet(&patient, &clock).await;
    let store = Arc::new(store(impatient(options(&database)), &clock).await);
    let killing = async {
        for _ in 0..3 {
            until_ready(&store).await;
            kill_and_start_again(&server, &store).await;
        }
    };
    readings_are_exact_while(&store, &patient, scope, &clock, killing).await;
}
