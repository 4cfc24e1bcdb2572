#![allow(clippy::print_stdout, reason = "says how dense the form is")]

mod samples;

use larder_domain::Reading;
use proptest::prelude::*;
use samples::{DEVICE, readings, realistic};

use super::{Point, decode, encode, key, points};

/// Everything of readings, with the bits of the values.
fn bits(readings: &[Reading]) -> Vec<(String, Vec<u64>)> {
    let values =
        |reading: &Reading| reading.sensors.iter().map(|(_, v)| v.get().to_bits()).collect();
    readings.iter().map(|reading| (format!("{reading:?}"), values(reading))).collect()
}

#[test]
fn a_reading_takes_at_most_ten_bytes() {
    let readings = realistic(128);
    let bytes = encode(&readings);
    println!("{} bytes for 128 readings", bytes.len());
    assert!(bytes.len() <= 10 * 128, "{} bytes", bytes.len());
    assert_eq!(decode(DEVICE, &bytes), Ok(readings));
}

#[test]
fn a_block_is_kept_by_its_first_reading() {
    let readings = realistic(1);
    let first = key(&readings[0]);
    assert_eq!(first.pk, "AA:BB:CC:DD:EE:FF");
    assert_eq!(
        first.sk,
        "1704067500000#AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067500000"
    );
    assert_eq!(decode(DEVICE, &encode(&readings)), Ok(readings));
}

#[test]
fn what_is_no_block_is_refused() {
    let bytes = encode(&realistic(3));
    for (bytes, why) in [
        (Vec::new(), "nothing"),
        (bytes[..bytes.len() - 1].to_vec(), "cut short"),
        ([&bytes[..], &[0]].concat(), "bytes behind it"),
        ([&[2], &bytes[1..]].concat(), "another version"),
        ([&[1, 0], &bytes[2..]].concat(), "no readings"),
        ([&[1, 0xff, 0x7f], &bytes[2..]].concat(), "too many readings"),
    ] {
        assert!(decode(DEVICE, &bytes).is_err(), "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn readings_come_back_bit_for_bit(readings in readings()) {
        let again = decode(DEVICE, &encode(&readings)).unwrap();
        prop_assert_eq!(bits(&again), bits(&readings));
    }

    #[test]
    fn points_are_what_the_readings_say(readings in readings(), sensor in 0..4_usize) {
        let name = samples::SENSORS[sensor];
        let expected: Vec<_> = readings
            .iter()
            .filter_map(|reading| {
                let (time, expires_at_s) = (reading.time, reading.expires_at_s);
                reading.sensors.get(name).map(|value| Point { time, expires_at_s, value: *value })
            })
            .collect();
        prop_assert_eq!(points(&encode(&readings), name).unwrap(), expected);
    }

    #[test]
    fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let bytes = [&[1], &bytes[..]].concat();
        let _ = points(&bytes, "humidity_pct");
        if let Ok(readings) = decode(DEVICE, &bytes) {
            prop_assert!(is_sound(&readings));
        }
    }

    #[test]
    fn changed_bytes_never_panic(
        readings in readings(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = encode(&readings);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = points(&bytes, "humidity_pct");
        if let Ok(readings) = decode(DEVICE, &bytes) {
            prop_assert!(is_sound(&readings));
        }
    }

    #[test]
    fn a_flipped_bit_never_panics(readings in readings(), at: prop::sample::Index, bit in 0..8) {
        let mut bytes = encode(&readings);
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        let _ = points(&bytes, "humidity_pct");
        if let Ok(readings) = decode(DEVICE, &bytes) {
            prop_assert!(is_sound(&readings));
        }
    }
}

fn is_sound(readings: &[Reading]) -> bool {
    let of_the_device = |reading: &Reading| reading.hardware_id == DEVICE;
    let in_order = readings.is_sorted_by(|a, b| a.position() < b.position());
    !readings.is_empty() && in_order && readings.iter().all(of_the_device)
}
