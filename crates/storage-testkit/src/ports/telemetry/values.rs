//! Values, names and texts round-trip exactly.

use larder_domain::{
    BootId, FirmwareVersion, PerSensor, Reading, SensorName, SensorStatus, SensorStatuses,
    SensorValue, Sensors,
};
use larder_storage::{NewReading, ReadingRange};

use super::{ACKNOWLEDGED, kept};
use crate::store_harness::{sensors, statuses};
use crate::{Random, StoreHarness, seed};

/// Values that a careless number format would change.
const ODD: [f64; 40] = [
    0.0,
    1.0,
    -1.0,
    0.1,
    0.2,
    0.300_000_000_000_000_04,
    1.0 / 3.0,
    -2.0 / 3.0,
    22.5,
    21.8,
    -40.0,
    1013.25,
    99.99,
    100.0,
    1e-7,
    1.5e-7,
    123_456_789.123_456_79,
    4_503_599_627_370_496.5,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    9_007_199_254_740_993.0,
    -9_007_199_254_740_995.0,
    18_446_744_073_709_552_000.0,
    1e16,
    1e17,
    1e21,
    1e22,
    1e23,
    1.797_693_134_862_315_7e100,
    -4.940_656_458_412_465e-100,
    2.225_073_858_507_201_4e-125,
    1e125,
    -1e125,
    1e-130,
    -1e-130,
    std::f64::consts::PI,
    std::f64::consts::E,
    f64::EPSILON,
    1.0 + f64::EPSILON,
    0.999_999_999_999_999_9,
];

fn value(number: f64) -> SensorValue {
    SensorValue::new(number).unwrap()
}

/// The bits of one sensor's values, which are stricter than `==`.
fn bits(readings: &[Reading], sensor: &str) -> Vec<Option<u64>> {
    let value = |reading: &Reading| reading.sensors.get(sensor).map(|value| value.get().to_bits());
    readings.iter().map(value).collect()
}

/// Sends readings one millisecond apart and reads them back.
async fn sent_and_read(h: &StoreHarness, content: Vec<(Sensors, SensorStatuses)>) -> Vec<Reading> {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let readings: Vec<_> = (0..)
        .zip(content)
        .map(|(n, (sensors, sensor_status))| {
            let plain = h.reading(device, n, &format!("{device}_{n:04}"));
            NewReading { sensors, sensor_status, ..plain }
        })
        .collect();
    let request = h.request(vec![]);
    assert_eq!(h.send(scope, &readings).await, vec![ACKNOWLEDGED; readings.len()]);
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let read = h.readings(scope, device, range, 1000).await;
    let expected: Vec<_> = readings.iter().map(|reading| kept(reading, &request)).collect();
    assert_eq!(read, expected);
    assert_eq!(h.latest(scope, device).await.as_ref(), expected.last());
    read
}

pub async fn p45_values_come_back_bit_for_bit(h: &StoreHarness) {
    let plain = |number: f64| (sensors(&[("v", number), ("next", -number)]), statuses(&[]));
    let read = sent_and_read(h, ODD.map(plain).to_vec()).await;
    // Minus zero is zero.
    assert_eq!(bits(&read, "v"), ODD.map(|number| Some(value(number).get().to_bits())));
    assert_eq!(bits(&read, "next"), ODD.map(|number| Some(value(-number).get().to_bits())));
}

pub async fn p45_any_value_comes_back_bit_for_bit(h: &StoreHarness) {
    let seed = seed();
    let mut random = Random::new(seed);
    let any = std::iter::repeat_with(|| f64::from_bits(random.bits()));
    let numbers: Vec<f64> =
        any.filter(|number| SensorValue::new(*number).is_ok()).take(h.many().min(1000)).collect();
    // Some sensors have few decimals, as real ones do.
    let content = numbers.iter().map(|number| {
        let mantissa = number.to_bits() % 100_000;
        #[expect(clippy::cast_precision_loss, reason = "five digits")]
        let few = mantissa as f64 / 100.0;
        (sensors(&[("any", *number), ("few", few)]), statuses(&[]))
    });
    let read = sent_and_read(h, content.collect()).await;
    let expected: Vec<_> = numbers.iter().map(|number| Some(number.to_bits())).collect();
    assert_eq!(bits(&read, "any"), expected, "seed {seed}");
}

pub async fn p45_a_reading_has_up_to_64_sensors_of_any_name(h: &StoreHarness) {
    let long = |n: usize| SensorName::parse(&format!("{n:02} {}", "温度\"'\\".repeat(12))).unwrap();
    let many = |count: usize, shift: usize| {
        let numbers = (0..count).map(|n| n + shift);
        let sensors = numbers.clone().map(|n| (long(n), value(ODD[n % ODD.len()]))).collect();
        let status = [SensorStatus::Ok, SensorStatus::Error];
        let statuses = numbers.map(|n| (long(n), status[n % 2])).collect();
        (Sensors::new(sensors).unwrap(), SensorStatuses::new(statuses).unwrap())
    };
    let most = PerSensor::<()>::MAX;
    let content = vec![many(most, 0), many(0, 0), many(1, 70), many(most, 30), many(3, 1)];
    let read = sent_and_read(h, content).await;
    let counts: Vec<_> = read.iter().map(|r| (r.sensors.len(), r.sensor_status.len())).collect();
    assert_eq!(counts, [most, 0, 1, most, 3].map(|count| (count, count)));
}

pub async fn p45_sensors_come_and_go_between_readings(h: &StoreHarness) {
    let content = (0..60_u32).map(|n| {
        let number = f64::from(n) / 10.0;
        let mut measured = vec![("always", number)];
        measured.extend((n % 2 == 0).then_some(("even", number)));
        measured.extend((n % 7 == 0).then_some(("seldom", number)));
        measured.extend((n == 33).then_some(("once", number)));
        let status = if n % 5 == 0 { SensorStatus::Error } else { SensorStatus::Ok };
        (sensors(&measured), statuses(&[("s", status)][..usize::from(n % 3 > 0)]))
    });
    let read = sent_and_read(h, content.collect()).await;
    let measured = |sensor| bits(&read, sensor).into_iter().flatten().count();
    assert_eq!(["always", "even", "seldom", "once", "never"].map(measured), [60, 30, 9, 1, 0]);
}

pub async fn p45_boot_and_firmware_are_those_of_the_reading(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let readings: Vec<_> = (0..12_u8)
        .map(|n| NewReading {
            boot_id: BootId::from_random([n / 3; 16]),
            firmware_version: FirmwareVersion::parse(&format!("1.0.{} β", n / 5)).unwrap(),
            ..h.reading(device, n.into(), &format!("{device}_{n:02}"))
        })
        .collect();
    h.send(scope, &readings).await;
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let read = h.readings(scope, device, range, 100).await;
    let own = |reading: &Reading| (reading.boot_id, reading.firmware_version.clone());
    let sent = readings.iter().map(|new| (new.boot_id, new.firmware_version.clone()));
    assert_eq!(read.iter().map(own).collect::<Vec<_>>(), sent.collect::<Vec<_>>());
}
