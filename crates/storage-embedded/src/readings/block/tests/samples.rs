//! Readings to try the form with.

use larder_domain::{
    BatchId, BootId, FirmwareVersion, FriendlyName, HardwareId, PerSensor, Reading, ReadingTime,
    SensorName, SensorStatus, SensorValue,
};
use proptest::prelude::*;

pub(super) const DEVICE: HardwareId = HardwareId::from_bytes([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]);
const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
/// 2024-01-01T00:00:00Z.
const START: i64 = 1_704_067_200_000;
const WINDOW: i64 = 300_000;

pub(super) const SENSORS: [&str; 4] =
    ["humidity_pct", "bme280_temp_c", "温度", "soil_moisture_pct"];

/// As devices send: five sensors with one or two decimals, a reading every five minutes.
pub(super) fn realistic(count: i32) -> Vec<Reading> {
    let noise = |n: i32, salt: i32| (n * 7919 + salt * 104_729) % 37 - 18;
    let reading = |n: i32| {
        let day = f64::from(n) / 288.0 * std::f64::consts::TAU;
        let value = |name: &str, base: f64, swing: f64, decimals: i32, salt: i32| {
            let (step, noise) = (10_f64.powi(decimals), f64::from(noise(n, salt)) / 10.0);
            let steps = ((base + swing * day.sin()) * step + noise).round();
            (name.parse_name(), SensorValue::new(steps / step).unwrap())
        };
        let end = START + i64::from(n + 1) * WINDOW;
        Reading {
            hardware_id: DEVICE,
            time: ReadingTime::from_millis(end).unwrap(),
            batch_id: BatchId::parse(&format!("{DEVICE}_{BOOT}_{}_{end}", end - WINDOW)).unwrap(),
            boot_id: BOOT.parse().unwrap(),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            friendly_name: FriendlyName::parse("greenhouse-sensor-01").ok(),
            sensors: PerSensor::new(vec![
                value("bme280_temp_c", 22.5, 6.0, 2, 1),
                value("ds18b20_temp_c", 21.8, 5.0, 1, 2),
                value("humidity_pct", 45.2, 12.0, 1, 3),
                value("pressure_hpa", 1013.25, 3.0, 2, 4),
                value("soil_moisture_pct", 62.3, 2.0, 1, 5),
            ])
            .unwrap(),
            sensor_status: PerSensor::new(
                ["bme280", "ds18b20", "soil_moisture"]
                    .map(|name| (name.parse_name(), SensorStatus::Ok))
                    .to_vec(),
            )
            .unwrap(),
            expires_at_s: end / 1000 + 90 * 86_400,
        }
    };
    (0..count).map(reading).collect()
}

trait ParseName {
    fn parse_name(&self) -> SensorName;
}

impl ParseName for str {
    fn parse_name(&self) -> SensorName {
        SensorName::parse(self).unwrap()
    }
}

fn value() -> impl Strategy<Value = SensorValue> {
    let number = prop_oneof![
        (-50_000_i32..50_000).prop_map(|n| f64::from(n) / 100.0),
        (-500_i32..500).prop_map(f64::from),
        any::<f64>(),
        Just(1e125),
        Just(-1e-130),
        Just(-0.0),
    ];
    number.prop_map(|number| SensorValue::new(number).unwrap_or(SensorValue::new(0.0).unwrap()))
}

/// Few boots and texts, so that readings share them.
fn boot() -> impl Strategy<Value = BootId> {
    (0_u8..3).prop_map(|n| BootId::from_random([n; 16]))
}

fn batch_id(time: i64) -> impl Strategy<Value = BatchId> {
    let device = prop_oneof![3 => Just(DEVICE), 1 => Just(HardwareId::from_bytes([1; 6]))];
    let number = prop_oneof![
        (-2_i64..3).prop_map(move |n| (time + n * WINDOW).cast_unsigned()),
        any::<u64>(),
    ];
    prop_oneof![
        (device, boot(), number.clone(), number)
            .prop_map(|(device, boot, start, end)| format!("{device}_{boot}_{start}_{end}")),
        "[A-Za-z0-9_:.-]{1,9}",
        "batch-[0-9]{4}",
        (1..=256_usize).prop_map(|length| "x".repeat(length)),
    ]
    .prop_map(|id| BatchId::parse(&id).unwrap())
}

fn reading() -> impl Strategy<Value = Reading> {
    let time = prop_oneof![
        3 => (0_i64..200).prop_map(|n| START + n * WINDOW),
        // Many in one millisecond.
        2 => Just(START),
        1 => ReadingTime::MIN.as_millis()..=ReadingTime::MAX.as_millis(),
    ];
    let name = prop_oneof![
        4 => prop::sample::select(SENSORS.as_slice()).prop_map(str::to_owned),
        1 => "[a-z]{1,64}",
    ];
    let sensors = prop::collection::btree_map(name.clone(), value(), 0..8);
    let statuses = prop::collection::btree_map(name, any::<bool>(), 0..3);
    let friendly = prop::option::of(prop::sample::select(vec!["温室のセンサー", "Keller", "🌱"]));
    let firmware = prop::sample::select(vec!["1.0.16", "1.0.17", "版2"]);
    let kept = prop_oneof![4 => Just(90 * 86_400), 1 => any::<i64>()];
    (time, boot(), sensors, statuses, friendly, firmware, kept).prop_flat_map(
        |(time, boot_id, sensors, statuses, friendly, firmware, kept)| {
            batch_id(time).prop_map(move |batch_id| {
                let sensors = sensors.iter().map(|(name, value)| (name.parse_name(), *value));
                let status = |ok| if ok { SensorStatus::Ok } else { SensorStatus::Error };
                let statuses = statuses.iter().map(|(name, ok)| (name.parse_name(), status(*ok)));
                Reading {
                    hardware_id: DEVICE,
                    time: ReadingTime::from_millis(time).unwrap(),
                    batch_id,
                    boot_id,
                    firmware_version: FirmwareVersion::parse(firmware).unwrap(),
                    friendly_name: friendly.map(|name| FriendlyName::parse(name).unwrap()),
                    sensors: PerSensor::new(sensors.collect()).unwrap(),
                    sensor_status: PerSensor::new(statuses.collect()).unwrap(),
                    expires_at_s: kept,
                }
            })
        },
    )
}

/// Readings of every kind, in order.
pub(super) fn readings() -> impl Strategy<Value = Vec<Reading>> {
    prop::collection::vec(reading(), 1..40).prop_map(|mut readings| {
        readings.sort_by_key(Reading::position);
        readings.dedup_by_key(|reading| reading.position());
        readings
    })
}
