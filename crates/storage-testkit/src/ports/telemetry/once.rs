//! Each reading is stored once, however often it is sent.

use larder_domain::ReadingTime;
use larder_storage::{Ingest, MAX_READINGS_PER_REQUEST, NewReading, ReadingRange};

use super::{ACKNOWLEDGED, DUPLICATE, kept};
use crate::StoreHarness;
use crate::store_harness::{OPERATOR, sensors};

pub async fn p40_a_reading_is_kept_as_it_came(h: &StoreHarness) {
    let home = h.home().await.fleet();
    for scope in [home, OPERATOR] {
        let device = h.device(scope).await;
        let request = h.request(vec![h.reading(device, -5, &format!("{device}_a"))]);
        let expected = kept(&request.readings[0], &request);
        let done = h.store().ingest(scope, request).await.unwrap();
        assert_eq!(done, Ingest::Done(vec![ACKNOWLEDGED]));
        assert_eq!(h.latest(scope, device).await.as_ref(), Some(&expected));
        let range = ReadingRange::newest_first();
        assert_eq!(h.readings(scope, device, range, 10).await, [expected]);
    }
}

pub async fn p40_each_reading_of_a_request_is_answered_in_order(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let reading = |ms, id: &str| h.reading(device, ms, &format!("{device}_{id}"));
    assert_eq!(h.send(scope, &[reading(2, "b"), reading(0, "known")]).await, [ACKNOWLEDGED; 2]);
    let request =
        [reading(1, "a"), reading(2, "b"), reading(3, "c"), reading(3, "c"), reading(9, "a")];
    let states = h.send(scope, &request).await;
    assert_eq!(states, [ACKNOWLEDGED, DUPLICATE, ACKNOWLEDGED, DUPLICATE, DUPLICATE]);
    let ids = ["known", "a", "b", "c"].map(|id| format!("{device}_{id}"));
    assert_eq!(h.batch_ids(scope, device).await, ids);
}

pub async fn p40_a_duplicate_changes_nothing(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let first = h.reading(device, 0, &format!("{device}_a"));
    let expected = kept(&first, &h.request(vec![]));
    assert_eq!(h.send(scope, std::slice::from_ref(&first)).await, [ACKNOWLEDGED]);
    let other_values = NewReading { sensors: sensors(&[("humidity_pct", 1.0)]), ..first.clone() };
    let time = ReadingTime::from_millis(first.time.as_millis() + 1).unwrap();
    let other_time = NewReading { time, ..first.clone() };
    for repeated in [first, other_values, other_time] {
        h.advance_seconds(3600);
        assert_eq!(h.send(scope, &[repeated]).await, [DUPLICATE]);
        let range = ReadingRange::newest_first();
        assert_eq!(h.readings(scope, device, range, 10).await, std::slice::from_ref(&expected));
    }
}

pub async fn p40_a_request_holds_readings_of_several_devices(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let devices = [h.device(scope).await, h.device(scope).await, h.device(scope).await];
    let reading = |n: usize| {
        let device = devices[n % 3];
        h.reading(device, -i64::try_from(n).unwrap(), &format!("{device}_{n:03}"))
    };
    let readings: Vec<_> = (0..MAX_READINGS_PER_REQUEST).map(reading).collect();
    let states = h.send(scope, &readings).await;
    assert_eq!(states, vec![ACKNOWLEDGED; MAX_READINGS_PER_REQUEST]);
    assert_eq!(h.send(scope, &readings).await, vec![DUPLICATE; MAX_READINGS_PER_REQUEST]);
    for (n, device) in devices.into_iter().enumerate() {
        let own = (n..MAX_READINGS_PER_REQUEST).step_by(3).rev();
        let expected: Vec<_> = own.map(|n| format!("{device}_{n:03}")).collect();
        assert_eq!(h.batch_ids(scope, device).await, expected);
    }
}
