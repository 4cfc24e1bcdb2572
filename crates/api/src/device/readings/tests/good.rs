use larder_domain::SensorStatus;

use super::*;

#[test]
fn every_field_is_read_and_the_order_is_kept() {
    let body = request(3).to_string();
    let sent = SentReadings::parse(body.as_bytes()).unwrap();
    assert_eq!(sent.unknown_fields, 0);
    assert_eq!(sent.readings.len(), 3);
    for (number, (reading, batch_id)) in sent.readings.iter().zip(&sent.batch_ids).enumerate() {
        assert_eq!(reading.batch_id.as_str(), batch_id);
        assert!(matches!(batch_id, Cow::Borrowed(_)), "nothing is copied");
        let end = 1_704_067_260_000 + i64::try_from(number).unwrap() * 60_000;
        assert_eq!(reading.time.as_millis(), end);
        assert!(batch_id.ends_with(&end.to_string()), "{batch_id}");
        assert_eq!(reading.hardware_id.to_string(), "AA:BB:CC:DD:EE:FF");
        assert_eq!(reading.boot_id.to_string(), "7c9e6679-7425-40de-944b-e07fc1f90ae7");
        assert_eq!(reading.firmware_version.as_str(), "1.0.16");
        assert_eq!(reading.sensors.len(), 5);
        assert_eq!(
            reading.sensors.get("pressure_hpa").unwrap().get().to_bits(),
            1013.25_f64.to_bits()
        );
        assert_eq!(reading.sensor_status.get("bme280"), Some(&SensorStatus::Ok));
        assert_eq!(reading.sensor_status.get("soil_moisture"), Some(&SensorStatus::Error));
    }
}

#[test]
fn a_hundred_readings_fit() {
    assert_eq!(
        SentReadings::parse(request(100).to_string().as_bytes()).unwrap().readings.len(),
        100
    );
}

#[test]
fn values_are_read_to_the_bit() {
    for literal in ["0.1", "1e-130", "-1.5E3", "0", "12345678901234567890", "0.30000000000000004"] {
        let body = with_third(|reading| reading["sensors"] = json!({ "x": "VALUE" }));
        let body = body.replace("\"VALUE\"", literal);
        let sent = SentReadings::parse(body.as_bytes()).unwrap();
        let value = sent.readings[2].sensors.get("x").unwrap().get();
        assert_eq!(value.to_bits(), literal.parse::<f64>().unwrap().to_bits(), "{literal}");
    }
}

#[test]
fn escapes_are_understood_everywhere() {
    let body = with_third(|_| {})
        .replacen("\"batch_id\":\"", "\"batch\\u005fid\":\"\\u0041", 1)
        .replacen("\"bme280_temp_c\"", "\"b\\u006de280\"", 1)
        .replacen("\"ok\"", "\"\\u006fk\"", 1);
    let sent = SentReadings::parse(body.as_bytes()).unwrap();
    assert!(sent.batch_ids[0].starts_with("AAA:BB"), "{}", sent.batch_ids[0]);
    assert_eq!(sent.readings[0].batch_id.as_str(), sent.batch_ids[0]);
    assert!(sent.readings[0].sensors.get("bme280").is_some());
}

#[test]
fn unknown_fields_are_passed_over_and_counted() {
    let mut request = request(2);
    request["sent_at"] = json!("now");
    request["readings"][0]["friendly_name"] = json!("greenhouse");
    request["readings"][1]["deep"] = json!({ "a": [1, { "b": null }] });
    let body = request.to_string();
    // Even if a number is beyond the range of floats, or nesting is very deep: it is not parsed.
    let body =
        body.replacen("\"now\"", &format!("[1e999,{}{}]", "[".repeat(9999), "]".repeat(9999)), 1);
    let sent = SentReadings::parse(body.as_bytes()).unwrap();
    assert_eq!((sent.readings.len(), sent.unknown_fields), (2, 3));
}

#[test]
fn a_device_without_sensors_may_say_so() {
    let body = with_third(|reading| {
        reading["sensors"] = json!({});
        reading["sensor_status"] = json!({});
    });
    let sent = SentReadings::parse(body.as_bytes()).unwrap();
    assert!(sent.readings[2].sensors.is_empty());
}
