use super::*;

#[track_caller]
fn of_third(field: &str, value: Value, message: &str) {
    let body = with_third(|reading| reading[field] = value);
    assert_eq!(mistake(body), (format!("readings[2].{field}"), message.to_owned()));
}

/// The same with a value that a `Value` cannot represent.
#[track_caller]
fn of_third_value(literal: &str, message: &str) {
    let body = with_third(|reading| reading["sensors"]["humidity_pct"] = json!("VALUE"));
    let body = body.replace("\"VALUE\"", literal);
    assert_eq!(mistake(body), ("readings[2].sensors.humidity_pct".to_owned(), message.to_owned()));
}

#[test]
fn a_hardware_id_is_a_mac_address_in_upper_case() {
    let message = "must be a MAC address in upper case such as AA:BB:CC:DD:EE:FF";
    for id in ["aa:bb:cc:dd:ee:ff", "AA:BB:CC:DD:EE", "AA-BB-CC-DD-EE-FF", ""] {
        of_third("hardware_id", json!(id), message);
    }
    of_third("hardware_id", json!(7), "must be a text");
}

#[test]
fn a_boot_id_is_a_uuid_of_version_4() {
    let message = "must be a UUID of version 4 such as 550e8400-e29b-41d4-a716-446655440000";
    for id in [
        "550e8400-e29b-11d4-a716-446655440000",
        "550e8400-e29b-71d4-a716-446655440000",
        "550e8400-e29b-41d4-0716-446655440000",
        "550e8400-e29b-41d4-c716-446655440000",
        "550e8400e29b41d4a716446655440000",
    ] {
        of_third("boot_id", json!(id), message);
    }
}

#[test]
fn a_timestamp_is_a_whole_number_of_this_century() {
    let message = "must be milliseconds since 1970, from 946684800000 (2000-01-01) to 4102444800000 \
                   (2100-01-01)";
    for ms in [946_684_799_999_i64, 4_102_444_800_001, 1_704_067_800, 0, -1] {
        of_third("timestamp_ms", json!(ms), message);
    }
    of_third("timestamp_ms", json!("1704067800000"), "must be a number");
    of_third("timestamp_ms", json!(1_704_067_800_000.5), "must be a whole number");
    of_third("timestamp_ms", Value::Null, "must be a number");
    for (literal, message) in [
        ("1.7000000000005e12", "must be a whole number"),
        ("99999999999999999999", "is out of range"),
    ] {
        let body = with_third(|reading| reading["timestamp_ms"] = json!("VALUE"));
        let named = mistake(body.replace("\"VALUE\"", literal));
        assert_eq!(named, ("readings[2].timestamp_ms".to_owned(), message.to_owned()));
    }
}

#[test]
fn a_batch_id_has_up_to_256_safe_characters() {
    let message = "must have 1 to 256 characters of A-Z a-z 0-9 _ - : .";
    for id in ["", &"x".repeat(257), "with space", "sharp#", "umlaut-ä", "nul\0"] {
        of_third("batch_id", json!(id), message);
    }
    let longest = with_third(|reading| reading["batch_id"] = json!("x".repeat(256)));
    assert!(SentReadings::parse(longest.as_bytes()).is_ok());
}

#[test]
fn a_value_is_a_finite_number() {
    let range = "must be 0 or have a magnitude from 1e-130 to 1e125";
    of_third_value("1e999", range);
    of_third_value("-1e999", range);
    of_third_value("1e126", range);
    of_third_value("\"NaN\"", "must be a number");
    of_third_value("null", "must be a number");
    of_third_value("true", "must be a number");
    of_third_value("[1]", "must be a number");
}

#[test]
fn nan_is_no_json_and_the_reading_is_named_all_the_same() {
    for literal in ["NaN", "nan", "Infinity", "-Infinity", "01", "1.", "+1"] {
        let body = with_third(|reading| reading["sensors"]["humidity_pct"] = json!("VALUE"));
        let (code, named) = refused(body.replace("\"VALUE\"", literal));
        assert_eq!(code, "MALFORMED_JSON", "{literal}");
        assert_eq!(named, [("readings[2].sensors".to_owned(), "is not JSON".to_owned())]);
    }
}

#[test]
fn a_status_is_ok_or_error() {
    for (status, message) in [
        (json!("warn"), "must be ok or error"),
        (json!("OK"), "must be ok or error"),
        (json!(true), "must be a text"),
    ] {
        let body = with_third(|reading| reading["sensor_status"]["bme280"] = status);
        let named = mistake(body);
        assert_eq!(named, ("readings[2].sensor_status.bme280".to_owned(), message.to_owned()));
    }
}

#[test]
fn sensors_are_at_most_64_with_a_name_each() {
    for field in ["sensors", "sensor_status"] {
        let entries = |count: usize| {
            let value = if field == "sensors" { json!(1) } else { json!("ok") };
            let names = (0..count).map(|number| (format!("s{number}"), value.clone()));
            Value::Object(names.collect())
        };
        let fits = with_third(|reading| reading[field] = entries(64));
        assert!(SentReadings::parse(fits.as_bytes()).is_ok());
        for count in [65, 66, 1000] {
            of_third(field, entries(count), "must have at most 64 entries");
        }
        of_third(field, json!([1]), "must be an object");
        of_third(field, json!(1), "must be an object");
        of_third(field, Value::Null, "must be an object");
        of_third(field, json!("x"), "must be an object");
    }
    of_third("sensors", json!({ " ": 1 }), "has a name that must not be blank");
    let long = json!({ "x".repeat(65): 1 });
    of_third("sensors", long, "has a name that must have at most 64 characters (it has 65)");
}

#[test]
fn nothing_may_be_given_twice() {
    let body = with_third(|reading| reading["sensors"] = json!({ "x": 1 }));
    let body = body.replace("{\"x\":1}", "{\"x\":1,\"\\u0078\":2}");
    assert_eq!(
        mistake(body),
        ("readings[2].sensors".to_owned(), "must not name x twice".to_owned())
    );
    let body =
        with_third(|_| {}).replacen("\"boot_id\"", "\"firmware_version\":\"2\",\"boot_id\"", 1);
    let twice = "is given more than once".to_owned();
    assert_eq!(mistake(body), ("readings[0].firmware_version".to_owned(), twice.clone()));
    assert_eq!(
        refused(r#"{"readings":[],"readings":[]}"#).1,
        [
            ("readings".to_owned(), "must have 1 to 100 elements".to_owned()),
            ("readings".to_owned(), twice),
        ]
    );
}

#[test]
fn everything_is_required() {
    for field in [
        "hardware_id",
        "timestamp_ms",
        "batch_id",
        "boot_id",
        "firmware_version",
        "sensors",
        "sensor_status",
    ] {
        let body = with_third(|reading| _ = reading.as_object_mut().unwrap().remove(field));
        assert_eq!(mistake(body), (format!("readings[2].{field}"), "is required".to_owned()));
    }
    assert_eq!(mistake("{}"), ("readings".to_owned(), "is required".to_owned()));
}

#[test]
fn a_request_has_1_to_100_readings() {
    let message = "must have 1 to 100 elements".to_owned();
    for count in [0, 101, 250] {
        let refused = SentReadings::parse(request(count).to_string().as_bytes()).unwrap_err();
        assert_eq!(refused.readings, u64::try_from(count).unwrap());
        let body = request(count).to_string();
        assert_eq!(mistake(body), ("readings".to_owned(), message.clone()), "{count}");
    }
    let list = "must be a list".to_owned();
    for value in ["{}", "1", "null", "\"x\""] {
        let body = format!("{{\"readings\":{value}}}");
        assert_eq!(mistake(body), ("readings".to_owned(), list.clone()), "{value}");
    }
}

#[test]
fn every_bad_reading_is_named() {
    let mut request = request(5);
    request["readings"][0]["boot_id"] = json!("no");
    request["readings"][1] = json!(7);
    request["readings"][3]["sensors"]["humidity_pct"] = json!("dry");
    request["readings"][3]["batch_id"] = json!("a b");
    request["readings"][4] = json!([]);
    let (_, named) = refused(request.to_string());
    let mut places: Vec<_> = named.iter().map(|(place, _)| place.as_str()).collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            "readings[0].boot_id",
            "readings[1]",
            "readings[3].batch_id",
            "readings[3].sensors.humidity_pct",
            "readings[4]",
        ]
    );
}

#[test]
fn no_more_than_a_hundred_mistakes_are_named() {
    let body = json!({ "readings": vec![json!({}); 100] }).to_string();
    let refused = SentReadings::parse(body.as_bytes()).unwrap_err();
    assert_eq!(refused.problem.errors().len(), 100);
    assert_eq!(refused.readings, 100);
}

#[test]
fn a_body_is_one_json_object_in_utf8() {
    assert_eq!(refused("").0, "BODY_REQUIRED");
    assert_eq!(refused(" \n").0, "BODY_REQUIRED");
    assert_eq!(refused(b"{\"readings\":\"\xff\"}").0, "INVALID_UTF8");
    for body in ["[]", "1", "null", "\"x\""] {
        assert_eq!(refused(body).0, "NOT_AN_OBJECT", "{body}");
    }
    for body in ["{", "{\"readings\":[", "{} x", "{'readings':[]}"] {
        assert_eq!(refused(body).0, "MALFORMED_JSON", "{body}");
    }
}

#[test]
fn a_text_that_breaks_off_names_where() {
    let whole = request(3).to_string();
    let cut = &whole[..whole.rfind("firmware_version").unwrap() + 20];
    let (code, named) = refused(cut);
    assert_eq!(code, "MALFORMED_JSON");
    assert_eq!(named[0].0, "readings[2].firmware_version");
}
