//! Readings one by one: bounds, order and pages.

use serde_json::Value;

use crate::it::support::{Client, Server, TestDevice, batch_ids, encode, now_ms};

const MAC: &str = "AA:BB:CC:DD:EE:FF";

/// A device with seven readings, the middle three of one millisecond.
async fn seven_readings(server: &Server, anna: &Client) -> (TestDevice, i64) {
    let device = anna.add_device(server, MAC).await;
    let start = now_ms() - 100_000;
    let readings: Vec<Value> =
        [(0, "a"), (1, "b"), (2, "c"), (2, "D"), (2, "e"), (3, "f"), (4, "g")]
            .map(|(ms, id)| device.reading(start + ms, id))
            .into();
    device.send(&readings).await.expect(200);
    (device, start)
}

/// By time, and within a millisecond by the bytes of the batch id.
const OLDEST_FIRST: [&str; 7] = ["a", "b", "D", "c", "e", "f", "g"];

#[tokio::test]
async fn pages_follow_each_other_without_loss_in_either_order() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (device, _) = seven_readings(&server, &anna).await;
    let mut newest_first = OLDEST_FIRST;
    newest_first.reverse();
    for limit in 1..=8 {
        let readings = anna.readings(&device, &format!("limit={limit}&order=asc")).await;
        assert_eq!(batch_ids(&readings), OLDEST_FIRST, "{limit}");
        let readings = anna.readings(&device, &format!("limit={limit}")).await;
        assert_eq!(batch_ids(&readings), newest_first, "{limit}");
        assert_eq!(readings, anna.readings(&device, &format!("limit={limit}&order=desc")).await);
    }
}

#[tokio::test]
async fn both_ends_of_a_range_belong_to_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (device, start) = seven_readings(&server, &anna).await;
    for (from, to, expected) in [
        (Some(1), Some(2), &OLDEST_FIRST[1..5]),
        (Some(2), Some(2), &OLDEST_FIRST[2..5]),
        (Some(3), None, &OLDEST_FIRST[5..]),
        (None, Some(1), &OLDEST_FIRST[..2]),
        (Some(5), None, &[]),
    ] {
        let bound = |name, ms: Option<i64>| {
            ms.map_or(String::new(), |ms| format!("&{name}={}", start + ms))
        };
        let query = format!("order=asc&limit=2{}{}", bound("from", from), bound("to", to));
        let found = anna.readings(&device, &query).await;
        assert_eq!(batch_ids(&found), expected, "{query}");
    }
    let all = anna.readings(&device, "order=asc&from=0&to=99999999999999").await;
    assert_eq!(batch_ids(&all), OLDEST_FIRST);
}

#[tokio::test]
async fn a_cursor_belongs_to_one_device_range_and_order() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (device, start) = seven_readings(&server, &anna).await;
    let other = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
    let path = format!("{}/readings", device.path());
    let page = anna.get(&format!("{path}?limit=2")).await.expect(200);
    let cursor = encode(page["next_cursor"].as_str().unwrap());
    for elsewhere in [
        format!("{path}?order=asc&cursor={cursor}"),
        format!("{path}?from={start}&cursor={cursor}"),
        format!("{path}?to={start}&cursor={cursor}"),
        format!("{}/readings?cursor={cursor}", other.path()),
    ] {
        anna.get(&elsewhere).await.expect_problem(400, "INVALID_CURSOR");
    }
    // The page size may change from page to page.
    let rest = anna.get(&format!("{path}?limit=1000&cursor={cursor}")).await.expect(200);
    assert_eq!(batch_ids(rest["items"].as_array().unwrap()), ["e", "c", "D", "b", "a"]);
}

#[tokio::test]
async fn a_query_that_makes_no_sense_is_refused_by_its_field() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (device, start) = seven_readings(&server, &anna).await;
    let path = format!("{}/readings", device.path());
    for (query, field) in [
        ("limit=0".to_owned(), "limit"),
        ("limit=1001".to_owned(), "limit"),
        ("order=newest".to_owned(), "order"),
        ("from=2024-01-15T10:30:00Z".to_owned(), "from"),
        ("to=1.5e12".to_owned(), "to"),
        (format!("from={}&to={start}", start + 1), "from"),
    ] {
        anna.get(&format!("{path}?{query}")).await.expect_invalid_field(field);
    }
    assert_eq!(anna.readings(&device, "limit=1000").await.len(), 7);
}
