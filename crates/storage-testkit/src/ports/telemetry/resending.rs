//! Clients that resend at the same moment, in any order and in any batches.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_storage::{
    FleetScope, Ingest, MAX_READINGS_PER_REQUEST, NewReading, ReadingState, Store,
};

use super::{ACKNOWLEDGED, DUPLICATE};
use crate::{Random, StoreHarness, seed};

const CLIENTS: usize = 8;
const READINGS: usize = 200;

fn shuffle<T>(random: &mut Random, things: &mut [T]) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last + 1));
    }
}

/// Sends all in an order and in batches of its own, and returns which were acknowledged.
async fn resend(
    store: Arc<dyn Store>,
    scope: FleetScope,
    requests: Vec<larder_storage::NewReadings>,
) -> Vec<NewReading> {
    let mut acknowledged = Vec::new();
    for request in requests {
        let readings = request.readings.clone();
        let Ingest::Done(states) = store.ingest(scope, request).await.unwrap() else {
            panic!("the devices are registered");
        };
        let states = readings.into_iter().zip(states);
        acknowledged
            .extend(states.filter(|(_, state)| *state == ACKNOWLEDGED).map(|(reading, _)| reading));
    }
    acknowledged
}

pub async fn p40_clients_who_resend_at_once_leave_each_reading_once(h: &StoreHarness) {
    let seed = seed();
    let mut random = Random::new(seed);
    let scope = h.home().await.fleet();
    let devices = [h.device(scope).await, h.device(scope).await];
    let reading = |n: usize| {
        let device = devices[n % 2];
        let end = 1_704_067_200_000 + 300_000 * n;
        let id = format!("{device}_7c9e6679-7425-40de-944b-e07fc1f90ae7_{}_{end}", end - 300_000);
        h.reading(device, i64::try_from(n / 4).unwrap(), &id)
    };
    let readings: Vec<_> = (0..READINGS).map(reading).collect();
    let clients = (0..CLIENTS).map(|_| {
        let mut order = readings.clone();
        shuffle(&mut random, &mut order);
        let mut requests = Vec::new();
        while !order.is_empty() {
            let size = (1 + random.below(MAX_READINGS_PER_REQUEST)).min(order.len());
            requests.push(h.request(order.split_off(order.len() - size)));
        }
        tokio::spawn(resend(Arc::clone(h.store()), scope, requests))
    });
    let mut acknowledged: Vec<String> = Vec::new();
    for client in join_all(clients.collect::<Vec<_>>()).await {
        acknowledged.extend(client.unwrap().iter().map(|reading| reading.batch_id.to_string()));
    }
    acknowledged.sort();
    let mut expected: Vec<_> =
        readings.iter().map(|reading| reading.batch_id.to_string()).collect();
    expected.sort();
    assert_eq!(acknowledged, expected, "each is acknowledged once, seed {seed}");
    let mut kept = Vec::new();
    for device in devices {
        kept.extend(h.batch_ids(scope, device).await);
    }
    kept.sort();
    assert_eq!(kept, expected, "each is kept once, seed {seed}");
}

pub async fn p40_of_devices_that_use_one_batch_id_at_once_one_is_heard(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let mut devices = Vec::new();
    for _ in 0..8 {
        devices.push(h.device(scope).await);
    }
    for round in 0..4 {
        let id = format!("{}_{round}", devices[0]);
        let tasks = devices.iter().map(|device| {
            let request = h.request(vec![h.reading(*device, 0, &id)]);
            let store = Arc::clone(h.store());
            tokio::spawn(async move { store.ingest(scope, request).await.unwrap() })
        });
        let mut states: Vec<ReadingState> = Vec::new();
        for task in join_all(tasks).await {
            let Ingest::Done(state) = task.unwrap() else { panic!("the devices are registered") };
            states.extend(state);
        }
        let heard = states.iter().filter(|state| **state == ACKNOWLEDGED).count();
        assert_eq!(heard, 1, "{states:?}");
        assert_eq!(states.iter().filter(|state| **state == DUPLICATE).count(), 7);
    }
    let mut kept = 0;
    for device in devices {
        kept += h.batch_ids(scope, device).await.len();
    }
    assert_eq!(kept, 4);
}
