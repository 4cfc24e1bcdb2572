//! A household's devices and readings are its own; the operator sees all.

use larder_domain::{SensorName, SeriesSpan};
use larder_storage::{FleetScope, ReadingRange};

use super::name;
use crate::StoreHarness;
use crate::store_harness::OPERATOR;

pub async fn p47_another_households_devices_and_readings_cannot_be_seen(h: &StoreHarness) {
    let (mine, theirs) = (h.home().await.fleet(), h.home().await.fleet());
    let (foreign, of_nobody) = (h.device(theirs).await, h.device(OPERATOR).await);
    for (owner, device) in [(theirs, foreign), (OPERATOR, of_nobody)] {
        h.send(owner, &[h.reading(device, 0, &format!("{device}_a"))]).await;
        let before = h.find_device(owner, device).await;
        assert!(before.is_some(), "its owner sees it");
        assert_eq!(h.find_device(mine, device).await, None);
        let renamed = h.store().rename_device(mine, device, Some(&name("mine"))).await.unwrap();
        assert_eq!(renamed, None);
        assert_eq!(h.find_device(owner, device).await, before, "nothing changed");
        assert_eq!(readings_seen(h, mine, device).await, [0; 3]);
        assert_eq!(readings_seen(h, owner, device).await, [1; 3]);
        assert_eq!(readings_seen(h, OPERATOR, device).await, [1; 3]);
    }
    assert_eq!(readings_seen(h, OPERATOR, h.hardware_id()).await, [0; 3]);
}

/// How many readings each way to read shows.
async fn readings_seen(
    h: &StoreHarness,
    scope: FleetScope,
    device: larder_domain::HardwareId,
) -> [usize; 3] {
    let range = ReadingRange::newest_first();
    let listed = h.readings(scope, device, range, 10).await.len();
    let latest = usize::from(h.latest(scope, device).await.is_some());
    let span = SeriesSpan::new(range.from, range.to, 10).unwrap();
    let sensor = SensorName::parse("humidity_pct").unwrap();
    let series = h.store().reading_series(scope, device, &sensor, span, h.now()).await.unwrap();
    [listed, latest, series.len()]
}

pub async fn p47_the_operator_may_name_everybodys_devices(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let renamed = h.store().rename_device(OPERATOR, device, Some(&name("named"))).await.unwrap();
    assert_eq!(renamed.as_ref().map(|device| device.household), Some(scope.household()));
    assert_eq!(h.find_device(scope, device).await, renamed);
    h.send(scope, &[h.reading(device, 0, &format!("{device}_a"))]).await;
    let latest = h.latest(scope, device).await.expect("one was sent");
    assert_eq!(latest.friendly_name, Some(name("named")));
}
