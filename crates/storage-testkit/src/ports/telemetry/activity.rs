//! When a device was last seen: exact on registration, to the minute on data.

use larder_domain::whole_seconds;

use super::{ACKNOWLEDGED, DUPLICATE};
use crate::StoreHarness;

pub async fn p39_data_moves_the_last_sight_of_a_device_once_a_minute(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let mut seen = h.find_device(scope, device).await.expect("it is registered").last_seen_at;
    let registered = seen;
    for (n, seconds) in [1, 58, 1, 59, 30, 31, 3600, 1].into_iter().enumerate() {
        h.advance_seconds(seconds);
        h.send(scope, &[h.reading(device, 0, &format!("{device}_{n}"))]).await;
        let now = whole_seconds(h.now());
        if now.duration_since(seen).as_secs() >= 60 {
            seen = now;
        }
        let kept = h.find_device(scope, device).await.expect("it is registered");
        assert_eq!(kept.last_seen_at, seen, "after reading {n}");
        assert_eq!(kept.first_registered_at, registered);
    }
}

pub async fn p39_a_registration_always_moves_it(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    for _ in 0..3 {
        h.advance_seconds(1);
        let again = h.register(scope, &h.registration(device)).await;
        assert_eq!(again.last_seen_at, whole_seconds(h.now()));
        assert_eq!(h.find_device(scope, device).await, Some(again));
    }
}

pub async fn p39_each_device_of_a_request_is_seen_also_with_duplicates(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let devices = [h.device(scope).await, h.device(scope).await, h.device(scope).await];
    let readings = devices.map(|device| h.reading(device, 0, &format!("{device}_a")));
    assert_eq!(h.send(scope, &readings).await, [ACKNOWLEDGED; 3]);
    h.advance_seconds(60);
    assert_eq!(h.send(scope, &readings[..2]).await, [DUPLICATE; 2]);
    let now = whole_seconds(h.now());
    for (device, is_seen) in devices.into_iter().zip([true, true, false]) {
        let kept = h.find_device(scope, device).await.expect("it is registered");
        assert_eq!(kept.last_seen_at == now, is_seen, "{device}");
    }
}
