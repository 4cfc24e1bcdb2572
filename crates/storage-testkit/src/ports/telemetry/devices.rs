//! Lists of devices, and their names.

use std::cmp::Reverse;

use larder_domain::{Device, HardwareId};
use larder_storage::{FleetScope, ReadingRange};

use super::name;
use crate::StoreHarness;
use crate::store_harness::OPERATOR;

/// Waits until the list is exactly this, for any page size.
async fn expect(h: &StoreHarness, scope: FleetScope, expected: &[HardwareId]) {
    let ids = |devices: Vec<Device>| -> Vec<_> {
        devices.into_iter().map(|device| device.hardware_id).collect()
    };
    for limit in 1..=expected.len() + 1 {
        let read = async || ids(h.devices(scope, limit).await);
        h.eventually(&expected.to_vec(), read).await;
    }
}

/// Seven devices of which three were seen in the same second, in the order of a list.
async fn seven(h: &StoreHarness, scope: FleetScope) -> Vec<HardwareId> {
    let mut devices = Vec::new();
    for together in [1, 3, 1, 2] {
        for _ in 0..together {
            let id = h.device(scope).await;
            devices.extend(h.find_device(scope, id).await);
        }
        h.advance_seconds(1);
    }
    devices.sort_by_key(|device| Reverse(device.position()));
    devices.iter().map(|device| device.hardware_id).collect()
}

pub async fn p36_devices_are_listed_most_recently_seen_first(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    expect(h, scope, &[]).await;
    let mut ids = seven(h, scope).await;
    expect(h, scope, &ids).await;
    // Registering again moves a device to the front.
    let last = ids.pop().expect("there are seven");
    h.register(scope, &h.registration(last)).await;
    ids.insert(0, last);
    expect(h, scope, &ids).await;
    // So does sending a reading, unless it was seen a moment ago.
    h.advance_seconds(60);
    let middle = ids.remove(3);
    h.send(scope, &[h.reading(middle, 0, &format!("{middle}_a"))]).await;
    ids.insert(0, middle);
    expect(h, scope, &ids).await;
}

pub async fn p36_a_list_shows_devices_as_they_are(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let mut expected = Vec::new();
    for id in seven(h, scope).await {
        expected.extend(h.find_device(scope, id).await);
    }
    h.eventually(&expected, async || h.devices(scope, 3).await).await;
}

pub async fn p36_a_page_goes_on_behind_a_device_that_moved(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let ids = seven(h, scope).await;
    expect(h, scope, &ids).await;
    let first = h.store().list_devices(scope, None, 3).await.unwrap();
    let next = first.next.expect("there are more");
    // The last device of the first page moves to the front, and so does one not listed yet.
    h.advance_seconds(1);
    for moved in [ids[2], ids[4]] {
        h.register(scope, &h.registration(moved)).await;
    }
    let rest = async || {
        let rest = h.store().list_devices(scope, Some(&next), 10).await.unwrap();
        assert_eq!(rest.next, None);
        rest.items.into_iter().map(|device| device.hardware_id).collect::<Vec<_>>()
    };
    h.eventually(&vec![ids[3], ids[5], ids[6]], rest).await;
}

pub async fn p36_each_household_sees_its_own_devices_and_the_operator_all(h: &StoreHarness) {
    let (mine, theirs) = (h.home().await.fleet(), h.home().await.fleet());
    let my_devices = seven(h, mine).await;
    let their_devices = seven(h, theirs).await;
    let of_nobody = h.device(OPERATOR).await;
    expect(h, mine, &my_devices).await;
    expect(h, theirs, &their_devices).await;
    // Tests may share a database: the operator sees the devices of other tests too.
    let expected: Vec<_> = [of_nobody].into_iter().chain(their_devices).chain(my_devices).collect();
    let read = async || {
        let all = h.devices(OPERATOR, 100).await.into_iter().map(|device| device.hardware_id);
        all.filter(|id| expected.contains(id)).collect::<Vec<_>>()
    };
    h.eventually(&expected, read).await;
}

pub async fn p37_a_device_is_given_another_name_or_none(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let before = h.find_device(scope, device).await.expect("it is registered");
    h.advance_seconds(3600);
    for given in [Some(name("greenhouse-sensor-01")), Some(name("温室")), None, None] {
        let renamed = h.store().rename_device(scope, device, given.as_ref()).await.unwrap();
        let is_named_by_person = given.is_some();
        let expected = Device { friendly_name: given, is_named_by_person, ..before.clone() };
        assert_eq!(renamed, Some(expected.clone()), "nothing but the name changes");
        assert_eq!(h.find_device(scope, device).await, Some(expected));
    }
    let nobody = h.store().rename_device(scope, h.hardware_id(), Some(&name("x"))).await;
    assert_eq!(nobody.unwrap(), None);
}

pub async fn p37_a_name_by_a_person_is_not_overwritten_by_the_device(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let registers_as = async |text: &str| {
        let friendly_name = Some(name(text));
        let said = larder_storage::Registration { friendly_name, ..h.registration(device) };
        let registered = h.register(scope, &said).await;
        assert_eq!(registered.last_boot_id, said.boot_id, "the rest is what the device says");
        assert_eq!(h.find_device(scope, device).await, Some(registered.clone()));
        registered.friendly_name
    };
    assert_eq!(registers_as("sensor-01").await, Some(name("sensor-01")));
    assert_eq!(registers_as("sensor-02").await, Some(name("sensor-02")));
    let given = name("Freezer");
    h.store().rename_device(scope, device, Some(&given)).await.unwrap();
    assert_eq!(registers_as("sensor-03").await, Some(given));
    // Without a person's name, the device names itself again.
    h.store().rename_device(scope, device, None).await.unwrap();
    assert_eq!(registers_as("sensor-04").await, Some(name("sensor-04")));
}

pub async fn p37_a_reading_carries_the_name_of_its_time(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let names = [None, Some(name("cellar")), Some(name("温室")), None];
    for (n, given) in (0_i32..).zip(&names) {
        h.store().rename_device(scope, device, given.as_ref()).await.unwrap();
        h.send(scope, &[h.reading(device, n.into(), &format!("{device}_{n}"))]).await;
    }
    let by_registration = name("by itself");
    let said = larder_storage::Registration {
        friendly_name: Some(by_registration.clone()),
        ..h.registration(device)
    };
    h.register(scope, &said).await;
    h.send(scope, &[h.reading(device, 9, &format!("{device}_9"))]).await;
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let readings = h.readings(scope, device, range, 10).await;
    let carried: Vec<_> = readings.into_iter().map(|reading| reading.friendly_name).collect();
    let expected: Vec<_> = names.into_iter().chain([Some(by_registration)]).collect();
    assert_eq!(carried, expected);
}
