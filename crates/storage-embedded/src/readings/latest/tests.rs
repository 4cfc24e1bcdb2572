use larder_domain::{BatchId, BootId, FirmwareVersion, ReadingTime, SensorStatuses, Sensors};

use super::*;

fn device(number: u32) -> HardwareId {
    let [a, b, c, d] = number.to_be_bytes();
    HardwareId::from_bytes([2, 0, a, b, c, d])
}

fn reading(number: u32, second: i64, batch_id: &str) -> Arc<Reading> {
    Arc::new(Reading {
        hardware_id: device(number),
        time: ReadingTime::from_millis(1_704_067_200_000 + second * 1000).unwrap(),
        batch_id: BatchId::parse(batch_id).unwrap(),
        boot_id: BootId::from_random([1; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: Sensors::default(),
        sensor_status: SensorStatuses::default(),
        expires_at_s: i64::MAX,
    })
}

fn search(latest: &Latest, number: u32) -> Search {
    match latest.find(device(number)) {
        Find::Miss(search) => search,
        Find::Cached(known) => panic!("{known:?} is known"),
    }
}

fn known(latest: &Latest, number: u32) -> Option<Arc<Reading>> {
    match latest.find(device(number)) {
        Find::Cached(known) => known,
        Find::Miss(_) => panic!("device {number} is not known"),
    }
}

#[test]
fn what_was_found_is_known_until_a_newer_one_is_published() {
    let latest = Latest::default();
    let found = search(&latest, 1);
    latest.found(&found, Some(reading(1, 10, "a")));
    assert_eq!(known(&latest, 1), Some(reading(1, 10, "a")));
    latest.publish([&reading(1, 9, "late"), &reading(2, 20, "another")]);
    assert_eq!(known(&latest, 1), Some(reading(1, 10, "a")));
    latest.publish([&reading(1, 10, "b")]);
    assert_eq!(known(&latest, 1), Some(reading(1, 10, "b")));
}

#[test]
fn a_reading_in_the_same_place_is_the_newer_one() {
    let latest = Latest::default();
    let found = search(&latest, 1);
    latest.found(&found, Some(reading(1, 10, "a")));
    let mut again = Reading::clone(&reading(1, 10, "a"));
    again.expires_at_s = 7;
    latest.publish([&Arc::new(again)]);
    assert_eq!(known(&latest, 1).map(|reading| reading.expires_at_s), Some(7));
}

#[test]
fn a_device_without_readings_is_known_to_have_none() {
    let latest = Latest::default();
    let found = search(&latest, 1);
    latest.found(&found, None);
    assert_eq!(known(&latest, 1), None);
    latest.publish([&reading(1, 1, "a")]);
    assert_eq!(known(&latest, 1), Some(reading(1, 1, "a")));
}

#[test]
fn a_search_that_began_before_a_publication_is_not_believed() {
    let latest = Latest::default();
    let late = search(&latest, 1);
    latest.publish([&reading(1, 20, "new")]);
    latest.found(&late, Some(reading(1, 10, "old")));
    let next = search(&latest, 1);
    latest.found(&late, Some(reading(1, 10, "old")));
    latest.found(&next, Some(reading(1, 20, "new")));
    assert_eq!(known(&latest, 1), Some(reading(1, 20, "new")));
}

#[test]
fn only_so_many_devices_are_remembered_and_those_in_use_stay() {
    let latest = Latest::default();
    let many = u32::try_from(MAX_PER_GENERATION).unwrap();
    for number in 0..many * 4 {
        let found = search(&latest, number);
        latest.found(&found, None);
        if number > 0 {
            assert_eq!(known(&latest, 0), None, "after {number}");
        }
    }
    let generations = latest.lock();
    assert!(generations.young.len() + generations.old.len() <= 2 * MAX_PER_GENERATION);
    drop(generations);
    assert!(matches!(latest.find(device(1)), Find::Miss(_)));
}
