//! A request with another owner's device is refused whole.

use larder_domain::HardwareId;
use larder_storage::{FleetScope, Ingest, NewReading};

use super::{ACKNOWLEDGED, DUPLICATE};
use crate::StoreHarness;
use crate::store_harness::OPERATOR;

fn readings_of(h: &StoreHarness, devices: &[HardwareId]) -> Vec<NewReading> {
    let batch = |n: usize| format!("{}_{n}", devices[n]);
    (0..devices.len()).map(|n| h.reading(devices[n], 0, &batch(n))).collect()
}

pub async fn p42_a_request_with_a_device_that_is_not_ones_own_is_refused_whole(h: &StoreHarness) {
    let (mine, theirs) = (h.home().await.fleet(), h.home().await.fleet());
    let (own, foreign) = (h.device(mine).await, h.device(theirs).await);
    let (of_nobody, unregistered) = (h.device(OPERATOR).await, h.hardware_id());
    let cases: [(FleetScope, &[HardwareId], &[usize]); 6] = [
        (mine, &[own, foreign, own, of_nobody, unregistered], &[1, 3, 4]),
        (mine, &[unregistered], &[0]),
        (mine, &[own, own, foreign], &[2]),
        (theirs, &[own, foreign], &[0]),
        (OPERATOR, &[of_nobody, own, foreign], &[1, 2]),
        (OPERATOR, &[unregistered, of_nobody], &[0]),
    ];
    let before = h.find_device(mine, own).await;
    h.advance_seconds(120);
    for (scope, devices, places) in cases {
        let refused = h.ingest(scope, readings_of(h, devices)).await;
        assert_eq!(refused, Ingest::NotAllowed(places.to_vec()));
    }
    assert_eq!(h.find_device(mine, own).await, before, "it was not seen either");
    for device in [own, foreign, of_nobody, unregistered] {
        assert_eq!(h.latest(OPERATOR, device).await, None);
    }
    // No batch id was used up.
    for (scope, device) in [(mine, own), (theirs, foreign), (OPERATOR, of_nobody)] {
        let readings = readings_of(h, &[device; 5]);
        assert_eq!(h.send(scope, &readings).await, [ACKNOWLEDGED; 5]);
        assert_eq!(h.send(scope, &readings).await, [DUPLICATE; 5]);
    }
}

pub async fn p42_a_device_may_send_as_soon_as_it_is_registered(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.hardware_id();
    let readings = readings_of(h, &[device]);
    assert_eq!(h.ingest(scope, readings.clone()).await, Ingest::NotAllowed(vec![0]));
    h.register(scope, &h.registration(device)).await;
    assert_eq!(h.send(scope, &readings).await, [ACKNOWLEDGED]);
}
