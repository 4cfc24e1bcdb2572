//! When a device was last seen: exact on registration, to the minute on data.

use larder_domain::{BootId, FirmwareVersion, whole_seconds};
use larder_storage::NewReading;

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

pub async fn p39_readings_of_another_run_tell_that_a_device_has_started_again(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let said = h.registration(h.hardware_id());
    let device = h.register(scope, &said).await.hardware_id;
    let run = |boot: u8, firmware: &str| {
        (BootId::from_random([boot; 16]), FirmwareVersion::parse(firmware).unwrap())
    };
    // Each reading with its age in seconds and its run; together one request.
    let sends = async |readings: &[(i64, (BootId, FirmwareVersion))]| {
        let told = (0..).zip(readings).map(|(n, (age, run))| {
            let batch = format!("{device}_{}_{n}", h.now().as_millisecond());
            let (boot_id, firmware_version) = run.clone();
            NewReading { boot_id, firmware_version, ..h.reading(device, -age * 1000, &batch) }
        });
        h.send(scope, &told.collect::<Vec<_>>()).await;
        let kept = h.find_device(scope, device).await.expect("it is registered");
        ((kept.last_boot_id, kept.firmware_version), kept.last_seen_at)
    };
    let registered = (said.boot_id, said.firmware_version.clone());
    let seen = whole_seconds(said.at);
    h.advance_seconds(10);
    let left_over = sends(&[(11, run(1, "0.9"))]).await;
    assert_eq!(left_over, (registered.clone(), seen), "measured before it registered");
    assert_eq!(sends(&[(5, run(2, "2.0")), (1, registered.clone())]).await, (registered, seen));
    // Also within the minute in which nothing else is noted.
    let newest_last = [(4, run(3, "2.0")), (0, run(3, "2.1")), (2, run(4, "2.0"))];
    assert_eq!(sends(&newest_last).await, (run(3, "2.1"), seen));
    h.advance_seconds(120);
    let now = whole_seconds(h.now());
    assert_eq!(sends(&[(1, run(3, "2.1"))]).await, (run(3, "2.1"), now));
    assert_eq!(sends(&[(30, run(5, "3.0"))]).await, (run(3, "2.1"), now));
}
