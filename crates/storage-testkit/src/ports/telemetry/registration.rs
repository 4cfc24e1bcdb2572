//! Registration: idempotent, and the first owner keeps a device.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{
    Capabilities, Device, FeatureName, FirmwareVersion, HouseholdId, whole_seconds,
};
use larder_storage::{FleetScope, RegisterDevice, Registration};

use super::name;
use crate::StoreHarness;
use crate::store_harness::OPERATOR;

fn capabilities(sensors: &[&str], features: &[(&str, bool)]) -> Capabilities {
    let feature = |text: &str| FeatureName::parse(text).unwrap();
    let sensors = sensors.iter().copied().map(feature).collect();
    let features: BTreeMap<_, _> =
        features.iter().map(|(text, has)| (feature(text), *has)).collect();
    Capabilities::new(sensors, features).unwrap()
}

/// A registration with every field.
fn talkative(h: &StoreHarness) -> Registration {
    h.write();
    Registration {
        friendly_name: Some(name("温室 \"1\"")),
        firmware_version: FirmwareVersion::parse("2.0.0-β").unwrap(),
        capabilities: capabilities(
            &["soil_moisture", "bme280", "ds18b20", "bme280"],
            &[("tft_display", true), ("offline_buffering", false), ("バッテリー", true)],
        ),
        ..h.registration(h.hardware_id())
    }
}

pub async fn p34_a_device_is_found_as_it_registered(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let said = talkative(h);
    let expected = Device {
        hardware_id: said.hardware_id,
        household: scope.household(),
        confirmation_id: said.confirmation_id,
        capabilities: said.capabilities.clone(),
        first_registered_at: whole_seconds(said.at),
        last_seen_at: whole_seconds(said.at),
        last_boot_id: said.boot_id,
        firmware_version: said.firmware_version.clone(),
        friendly_name: said.friendly_name.clone(),
        is_named_by_person: false,
    };
    assert_eq!(h.register(scope, &said).await, expected);
    assert_eq!(h.find_device(scope, said.hardware_id).await, Some(expected));
    assert_eq!(h.find_device(scope, h.hardware_id()).await, None);
}

pub async fn p34_a_device_may_say_as_much_as_the_rules_allow(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let long = |n: usize| format!("{n:02}{}", "値".repeat(62));
    let names: Vec<String> = (0..Capabilities::MAX).rev().map(long).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let features: Vec<_> = names.iter().map(|name| (*name, name.starts_with('1'))).collect();
    let said = Registration { capabilities: capabilities(&names, &features), ..talkative(h) };
    let device = h.register(scope, &said).await;
    assert_eq!(device.capabilities, said.capabilities);
    assert_eq!(h.find_device(scope, said.hardware_id).await, Some(device));
}

pub async fn p34_registering_again_changes_what_the_device_says_and_nothing_else(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let said = talkative(h);
    let first = h.register(scope, &said).await;
    h.advance_seconds(2 * 365 * 24 * 60 * 60);
    let again = Registration {
        firmware_version: FirmwareVersion::parse("2.0.1").unwrap(),
        capabilities: capabilities(&["bme280"], &[]),
        ..h.registration(said.hardware_id)
    };
    assert_ne!(again.confirmation_id, first.confirmation_id);
    let expected = Device {
        capabilities: again.capabilities.clone(),
        last_seen_at: whole_seconds(again.at),
        last_boot_id: again.boot_id,
        firmware_version: again.firmware_version.clone(),
        ..first
    };
    assert_eq!(h.register(scope, &again).await, expected, "the name is kept unless one is given");
    assert_eq!(h.find_device(scope, said.hardware_id).await, Some(expected.clone()));
    let named = Registration { friendly_name: Some(name("cellar")), ..again };
    let expected = Device { friendly_name: named.friendly_name.clone(), ..expected };
    assert_eq!(h.register(scope, &named).await, expected);
    assert_eq!(h.find_device(scope, said.hardware_id).await, Some(expected));
}

pub async fn p34_of_32_first_registrations_at_once_all_are_told_the_same(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let id = h.hardware_id();
    let said: Vec<_> = (0..32).map(|_| h.registration(id)).collect();
    let tasks = said.iter().cloned().map(|said| {
        let store = Arc::clone(h.store());
        tokio::spawn(async move { store.register_device(scope, &said).await.unwrap() })
    });
    let mut told = BTreeSet::new();
    for outcome in join_all(tasks).await {
        let RegisterDevice::Registered(device) = outcome.unwrap() else {
            panic!("all are of one household");
        };
        told.insert(device.confirmation_id);
    }
    let device = h.find_device(scope, id).await.expect("it is registered");
    assert_eq!(told, [device.confirmation_id].into());
    assert!(said.iter().any(|said| said.confirmation_id == device.confirmation_id));
    assert!(said.iter().any(|said| said.boot_id == device.last_boot_id));
}

pub async fn p35_a_device_is_never_taken_over(h: &StoreHarness) {
    let (mine, theirs) = (h.home().await.fleet(), h.home().await.fleet());
    for (owner, others) in [(mine, [theirs, OPERATOR]), (OPERATOR, [mine, theirs])] {
        let device = h.register(owner, &talkative(h)).await;
        h.advance_seconds(120);
        for other in others {
            let said = Registration {
                friendly_name: Some(name("mine now")),
                ..h.registration(device.hardware_id)
            };
            let outcome = h.store().register_device(other, &said).await.unwrap();
            assert_eq!(outcome, RegisterDevice::NotAllowed);
        }
        assert_eq!(h.find_device(owner, device.hardware_id).await, Some(device));
    }
}

pub async fn p35_of_owners_who_register_one_device_at_once_one_gets_it(h: &StoreHarness) {
    let scopes = [h.home().await.fleet(), h.home().await.fleet(), OPERATOR];
    for _ in 0..4 {
        let id = h.hardware_id();
        let tasks = (0..18).map(|n| {
            let (store, said) = (Arc::clone(h.store()), h.registration(id));
            let scope: FleetScope = scopes[n % 3];
            tokio::spawn(async move {
                let outcome = store.register_device(scope, &said).await.unwrap();
                (scope.household(), outcome)
            })
        });
        let mut owners: Vec<Option<HouseholdId>> = Vec::new();
        for task in join_all(tasks).await {
            if let (owner, RegisterDevice::Registered(device)) = task.unwrap() {
                assert_eq!(device.household, owner);
                owners.push(owner);
            }
        }
        assert_eq!(owners.len(), 6, "all of one owner are let in: {owners:?}");
        let device = h.find_device(OPERATOR, id).await.expect("it is registered");
        assert!(owners.iter().all(|owner| *owner == device.household), "{owners:?}");
    }
}
