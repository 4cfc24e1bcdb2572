//! Devices, their keys, and readings.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    ApiKey, ApiKeyHash, ApiKeyId, BatchId, BootId, Capabilities, ConfirmationId, FeatureName,
    FirmwareVersion, FriendlyName, HardwareId, HouseholdId, KeyDescription, ReadingTime,
    SensorName, SensorStatus, SensorStatuses, SensorValue, Sensors, SeriesSpan,
};
use larder_storage::{
    ApiKeys, Devices, FleetScope, Ingest, NewApiKey, NewReading, NewReadings, ReadingRange,
    ReadingState, Readings, RegisterDevice, Registration,
};

use crate::family::{Family, HOME};

const SCOPE: FleetScope = FleetScope::assume_authorized(HOME);
const OPERATOR: FleetScope = FleetScope::assume_operator();
const STRANGERS: FleetScope =
    FleetScope::assume_authorized(HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0009));
const GREENHOUSE: HardwareId = HardwareId::from_bytes([0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 1]);
const CELLAR: HardwareId = HardwareId::from_bytes([0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 2]);
const BARN: HardwareId = HardwareId::from_bytes([0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 3]);
/// One every five minutes, for three days and a half.
const READINGS: i64 = 1000;
const INTERVAL: SignedDuration = SignedDuration::from_mins(5);
const RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);

pub(crate) async fn measure(family: &Family) {
    devices(family).await;
    keys(family).await;
    let begin = family.write().at;
    ingest(family, begin).await;
    read(family, begin).await;
}

fn registration(device: HardwareId, at: Timestamp) -> Registration {
    let named = |texts: &[&str]| {
        texts.iter().map(|text| FeatureName::parse(text).unwrap()).collect::<Vec<_>>()
    };
    let features = named(&["tft_display", "offline_buffering"]).into_iter();
    let features = features.map(|feature| (feature, true)).collect();
    let sensors = named(&["bme280", "ds18b20", "soil_moisture"]);
    Registration {
        hardware_id: device,
        boot_id: BootId::from_random([7; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        capabilities: Capabilities::new(sensors, features).unwrap(),
        confirmation_id: ConfirmationId::from_random([8; 16]),
        at,
    }
}

async fn devices(family: &Family) {
    let at = family.write().at;
    let register = async |operation, scope, device, at| {
        let registration = registration(device, at);
        family
            .measure(operation, "register_device", async |store| {
                store.register_device(scope, &registration).await
            })
            .await
    };
    let new = register("register a new device", SCOPE, GREENHOUSE, at).await;
    assert!(matches!(new, RegisterDevice::Registered(_)), "{new:?}");
    let later = at + SignedDuration::from_hours(1);
    let again = register("register a device again", SCOPE, GREENHOUSE, later).await;
    assert!(matches!(again, RegisterDevice::Registered(_)), "{again:?}");
    let taken = register("register another's device", STRANGERS, GREENHOUSE, later).await;
    assert_eq!(taken, RegisterDevice::NotAllowed);
    family.store.register_device(SCOPE, &registration(CELLAR, at)).await.unwrap();

    let found = family
        .measure("find a device", "find_device", async |store| {
            store.find_device(SCOPE, GREENHOUSE).await
        })
        .await;
    assert!(found.is_some());
    for (operation, scope) in
        [("list two devices of a household", SCOPE), ("list two devices of all", OPERATOR)]
    {
        let listed = family
            .measure(operation, "list_devices", async |store| {
                store.list_devices(scope, None, 50).await
            })
            .await;
        let listed: Vec<_> = listed.items.iter().map(|device| device.hardware_id).collect();
        assert_eq!(listed, [GREENHOUSE, CELLAR]);
    }
    let name = FriendlyName::parse("greenhouse-sensor-01").unwrap();
    let renamed = family
        .measure("rename a device", "rename_device", async |store| {
            store.rename_device(SCOPE, GREENHOUSE, Some(&name)).await
        })
        .await;
    assert!(renamed.is_some());
}

async fn keys(family: &Family) {
    let at = family.write().at;
    let new = |number: u8| NewApiKey {
        id: ApiKeyId::from_random([number; 16]),
        hash: ApiKeyHash::from_bytes([number; 32]),
        description: Some(KeyDescription::parse("The greenhouse").unwrap()),
        at,
    };
    let key: ApiKey = family
        .measure("make an API key", "add_api_key", async |store| {
            store.add_api_key(SCOPE, &new(1)).await
        })
        .await;
    family.store.add_api_key(SCOPE, &new(2)).await.unwrap();
    for (operation, scope) in
        [("list two API keys of a household", SCOPE), ("list two API keys of all", OPERATOR)]
    {
        let listed = family
            .measure(operation, "list_api_keys", async |store| {
                store.list_api_keys(scope, None, 50).await
            })
            .await;
        assert_eq!(listed.items.len(), 2);
    }
    let found = family
        .measure("check an API key", "find_api_key", async |store| {
            store.find_api_key(&key.hash).await
        })
        .await;
    assert_eq!(found.as_ref(), Some(&key));
    let unknown = family
        .measure("check what is no API key", "find_api_key", async |store| {
            store.find_api_key(&ApiKeyHash::from_bytes([9; 32])).await
        })
        .await;
    assert_eq!(unknown, None);
    for operation in ["note the use of an API key", "note its use again at once"] {
        family
            .measure(operation, "note_api_key_use", async |store| {
                store.note_api_key_use(&key, at).await
            })
            .await;
    }
    let revoked = family
        .measure("revoke an API key", "revoke_api_key", async |store| {
            store.revoke_api_key(SCOPE, key.id).await
        })
        .await;
    assert!(revoked.is_some_and(|key| !key.is_active));
}

/// The reading of this number, as large as the seed's example.
fn reading(device: HardwareId, number: i64, begin: Timestamp) -> NewReading {
    let name = |name: &str| SensorName::parse(name).unwrap();
    let values = [
        ("bme280_temp_c", 22.5),
        ("ds18b20_temp_c", 21.8),
        ("humidity_pct", 45.2),
        ("pressure_hpa", 1013.25),
        ("soil_moisture_pct", 62.3),
    ];
    let values = values.map(|(sensor, value)| (name(sensor), SensorValue::new(value).unwrap()));
    let status =
        ["bme280", "ds18b20", "soil_moisture"].map(|sensor| (name(sensor), SensorStatus::Ok));
    let boot_id = BootId::from_random([7; 16]);
    let ms = begin.as_millisecond() + number * i64::try_from(INTERVAL.as_millis()).unwrap();
    let id = format!("{GREENHOUSE}_{boot_id}_{}_{ms}", ms - 1000);
    NewReading {
        hardware_id: device,
        time: ReadingTime::from_millis(ms).unwrap(),
        batch_id: BatchId::parse(&id).unwrap(),
        boot_id,
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        sensors: Sensors::new(values.to_vec()).unwrap(),
        sensor_status: SensorStatuses::new(status.to_vec()).unwrap(),
    }
}

async fn ingest(family: &Family, begin: Timestamp) {
    let sent = |device, numbers: std::ops::Range<i64>, at| NewReadings {
        readings: numbers.map(|number| reading(device, number, begin)).collect(),
        retention: RETENTION,
        at,
    };
    // It registered an hour after the beginning, so no activity is recorded before that.
    let a_day_later = begin + SignedDuration::from_hours(24);
    for (operation, numbers, at, state) in [
        ("keep one reading", 0..1, begin, ReadingState::Acknowledged),
        ("keep 100 readings", 1..101, begin, ReadingState::Acknowledged),
        ("keep a reading and note the activity", 101..102, a_day_later, ReadingState::Acknowledged),
        ("send 100 readings again", 1..101, a_day_later, ReadingState::Duplicate),
    ] {
        let (count, sent) = (numbers.clone().count(), sent(GREENHOUSE, numbers, at));
        let kept = family
            .measure(operation, "ingest", async |store| store.ingest(SCOPE, sent).await)
            .await;
        assert_eq!(kept, Ingest::Done(vec![state; count]), "{operation}");
    }
    let not_theirs = sent(GREENHOUSE, 0..1, begin);
    let refused = family
        .measure("send a reading of another's device", "ingest", async |store| {
            store.ingest(STRANGERS, not_theirs).await
        })
        .await;
    assert_eq!(refused, Ingest::NotAllowed(vec![0]));
    family.store.register_device(STRANGERS, &registration(BARN, begin)).await.unwrap();
    let taken = sent(BARN, 0..1, begin);
    let kept = family
        .measure("keep a reading whose batch id another household has", "ingest", async |store| {
            store.ingest(STRANGERS, taken).await
        })
        .await;
    assert_eq!(kept, Ingest::Done(vec![ReadingState::Acknowledged]));
    for first in (102..READINGS).step_by(100) {
        let rest = sent(GREENHOUSE, first..READINGS.min(first + 100), a_day_later);
        family.store.ingest(SCOPE, rest).await.unwrap();
    }
}

async fn read(family: &Family, begin: Timestamp) {
    let at = begin + SignedDuration::from_hours(4 * 24);
    let latest = family
        .measure("show the newest reading", "latest_reading", async |store| {
            store.latest_reading(SCOPE, GREENHOUSE, at).await
        })
        .await;
    let last = reading(GREENHOUSE, READINGS - 1, begin);
    assert_eq!(latest.map(|reading| reading.batch_id), Some(last.batch_id));
    let range = ReadingRange { to: last.time, ..ReadingRange::newest_first() };
    let page = family
        .measure("a page of 50 readings", "list_readings", async |store| {
            store.list_readings(SCOPE, GREENHOUSE, range, None, 50, at).await
        })
        .await;
    assert_eq!((page.items.len(), page.next.is_some()), (50, true));
    let span = SeriesSpan::new(reading(GREENHOUSE, 0, begin).time, last.time, 100).unwrap();
    let sensor = SensorName::parse("humidity_pct").unwrap();
    let series = family
        .measure("a series over 1,000 readings", "reading_series", async |store| {
            store.reading_series(SCOPE, GREENHOUSE, &sensor, span, at).await
        })
        .await;
    assert_eq!(series.iter().map(|bucket| bucket.count).sum::<u64>(), 1000);
}
