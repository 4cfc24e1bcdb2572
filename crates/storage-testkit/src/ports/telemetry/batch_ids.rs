//! Batch ids: opaque in any format; scoped to a household; remembered for 30 days.

use std::collections::BTreeSet;

use larder_domain::{BATCH_ID_LIFETIME, HardwareId};
use larder_storage::{NewReading, ReadingRange};

use super::{ACKNOWLEDGED, DUPLICATE, kept};
use crate::StoreHarness;
use crate::store_harness::{OPERATOR, sensors};

const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// Similar ids, all different: in the firmware's format and almost in it.
fn odd_ids(device: HardwareId) -> Vec<String> {
    let windows = [
        "1704067200000_1704067800000",
        // Adjacent, overlapping, within it, around it, the same start or end, empty, and the wrong way round.
        "1704067800000_1704068400000",
        "1704067500000_1704068100000",
        "1704067200001_1704067799999",
        "1704067199999_1704067800001",
        "1704067200000_1704067800001",
        "1704067199999_1704067800000",
        "1704067200000_1704067200000",
        "1704067800000_1704067200000",
        // Numerically equal ids, and ids that are not numbers.
        "01704067200000_1704067800000",
        "1704067200000_01704067800000",
        "-1704067200000_1704067800000",
        "1704067200000.0_1704067800000",
        "0_0",
        "00_0",
        "0_00",
        "-0_0",
        "18446744073709551615_18446744073709551615",
        "18446744073709551616_18446744073709551616",
        "9999999999999999999999999_9999999999999999999999999",
        "1704067200000",
        "1704067200000_",
        "_1704067800000",
        "_",
        "1704067200000_1704067800000_",
        "1704067200000_1704067800000_1",
    ];
    let mut ids: Vec<_> =
        windows.iter().map(|window| format!("{device}_{BOOT}_{window}")).collect();
    let window = "1704067200000_1704067800000";
    ids.extend([
        format!("{device}_{}_{window}", BOOT.to_uppercase()),
        format!("{device}_7c9e6679-7425-10de-944b-e07fc1f90ae7_{window}"),
        format!("{device}_{}_{window}", BOOT.replace('-', "")),
        format!("{}_{BOOT}_{window}", device.to_string().to_lowercase()),
        format!("{}_{BOOT}_{window}", device.to_string().replace(':', "-")),
        format!("_{device}_{BOOT}_{window}"),
        format!("{device}__{window}"),
        device.to_string(),
        "z".repeat(256),
        "z".repeat(255),
        "Z".repeat(256),
    ]);
    ids.extend(["0", "00", "a", "A", "-", "_", ".", ":", "operator"].map(str::to_owned));
    ids
}

pub async fn p41_every_batch_id_is_told_apart_whatever_it_looks_like(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let (device, other) = (h.device(scope).await, h.device(scope).await);
    let ids = odd_ids(device);
    let readings: Vec<_> = ids.iter().map(|id| h.reading(device, 0, id)).collect();
    assert_eq!(h.send(scope, &readings).await, vec![ACKNOWLEDGED; ids.len()]);
    let by_another: Vec<_> = ids.iter().rev().map(|id| h.reading(other, 1, id)).collect();
    for repeated in [readings, by_another] {
        assert_eq!(h.send(scope, &repeated).await, vec![DUPLICATE; ids.len()]);
    }
    let expected: BTreeSet<_> = ids.into_iter().collect();
    let kept = h.batch_ids(scope, device).await;
    assert_eq!(kept, expected.into_iter().collect::<Vec<_>>(), "in the order of their bytes");
    assert_eq!(h.batch_ids(scope, other).await, Vec::<String>::new());
}

pub async fn p41_a_batch_id_is_its_households_own(h: &StoreHarness) {
    let scopes = [h.home().await.fleet(), h.home().await.fleet(), OPERATOR];
    let named_after = h.hardware_id();
    let window = format!("{named_after}_{BOOT}_1704067200000_1704067800000");
    let ids = [window, format!("{named_after}_plain")];
    let mut devices = Vec::new();
    for scope in scopes {
        let device = h.device(scope).await;
        let readings = ids.each_ref().map(|id| h.reading(device, 0, id));
        assert_eq!(h.send(scope, &readings).await, [ACKNOWLEDGED; 2]);
        devices.push((scope, device));
    }
    for (scope, device) in devices {
        let readings = ids.each_ref().map(|id| h.reading(device, 0, id));
        assert_eq!(h.send(scope, &readings).await, [DUPLICATE; 2]);
        assert_eq!(h.batch_ids(scope, device).await, ids);
    }
}

pub async fn p41_a_batch_id_is_remembered_for_30_days(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let ids = [
        format!("{device}_{BOOT}_1704067200000_1704067800000"),
        format!("{device}_{BOOT}_1704067800000_1704068400000"),
        format!("{device}_plain"),
    ];
    let first = ids.each_ref().map(|id| h.reading(device, 0, id));
    assert_eq!(h.send(scope, &first).await, [ACKNOWLEDGED; 3]);
    h.advance_seconds(BATCH_ID_LIFETIME.as_secs() - 1);
    assert_eq!(h.send(scope, &first).await, [DUPLICATE; 3]);
    h.advance_seconds(1);
    // Forgotten: a stored reading is overwritten, so that it does not count twice.
    let values = sensors(&[("humidity_pct", 99.0)]);
    let again = first.clone().map(|first| NewReading { sensors: values.clone(), ..first });
    let request = h.request(again[..2].to_vec());
    assert_eq!(h.send(scope, &again[..2]).await, [ACKNOWLEDGED; 2]);
    let unchanged = kept(&first[2], &request);
    let mut expected: Vec<_> = again[..2].iter().map(|new| kept(new, &request)).collect();
    expected.push(unchanged);
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    assert_eq!(h.readings(scope, device, range, 10).await, expected);
    // And remembered from then on.
    h.advance_seconds(BATCH_ID_LIFETIME.as_secs() - 1);
    assert_eq!(h.send(scope, &again).await, [DUPLICATE, DUPLICATE, ACKNOWLEDGED]);
}

pub async fn p41_a_forgotten_batch_id_may_be_used_for_another_time(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let id = format!("{device}_{BOOT}_1704067200000_1704067800000");
    assert_eq!(h.send(scope, &[h.reading(device, 0, &id)]).await, [ACKNOWLEDGED]);
    h.advance_seconds(BATCH_ID_LIFETIME.as_secs());
    assert_eq!(h.send(scope, &[h.reading(device, 0, &id)]).await, [ACKNOWLEDGED]);
    assert_eq!(h.send(scope, &[h.reading(device, 0, &id)]).await, [DUPLICATE]);
    assert_eq!(h.batch_ids(scope, device).await, [id.clone(), id], "both are measurements");
}
