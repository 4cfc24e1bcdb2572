//! Charts and the newest value.

use larder_domain::{HardwareId, ReadingTime, SensorName, SeriesSpan};
use larder_storage::{FleetScope, Ingest, NewReading, NewReadings};

use super::ACKNOWLEDGED;
use crate::store_harness::sensors;
use crate::telemetry_model::{Chart, TelemetryModel};
use crate::{Random, StoreHarness, seed};

async fn series(
    h: &StoreHarness,
    scope: FleetScope,
    device: HardwareId,
    sensor: &SensorName,
    span: SeriesSpan,
) -> Chart {
    Chart(h.store().reading_series(scope, device, sensor, span, h.now()).await.unwrap())
}

fn sensor(name: &str) -> SensorName {
    SensorName::parse(name).unwrap()
}

pub async fn p46_a_series_is_what_a_plain_fold_says(h: &StoreHarness) {
    let seed = seed();
    let mut random = Random::new(seed);
    let scope = h.home().await.fleet();
    let said = h.registration(h.hardware_id());
    let (device, mut model) = (said.hardware_id, TelemetryModel::default());
    model.register(scope, &said);
    h.register(scope, &said).await;
    let count = h.many();
    let readings: Vec<_> = (0..count)
        .map(|n| {
            let ms = i64::try_from(random.below(count * 1000)).unwrap();
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let value = (random.below(20_000) as f64 - 4_000.0) / 100.0;
            let mut measured = vec![("often", value), ("tiny", value * 1e-9)];
            measured.extend(random.chance(10).then_some(("seldom", value * 1e6)));
            let plain = h.reading(device, ms, &format!("{device}_{n}"));
            NewReading { sensors: sensors(&measured), ..plain }
        })
        .collect();
    for part in readings.chunks(100) {
        let request = h.request(part.to_vec());
        assert_eq!(
            h.store().ingest(scope, request.clone()).await.unwrap(),
            model.ingest(scope, &request)
        );
    }
    let start = h.now().as_millisecond();
    let time = |ms: usize| ReadingTime::from_millis(start + i64::try_from(ms).unwrap()).unwrap();
    let whole = count * 1000;
    let spans =
        [(0, whole), (whole / 3, whole / 2), (whole / 3, whole / 3 + 1), (whole, 2 * whole)];
    for (from, to) in spans {
        for buckets in [1, 2, 7, 100, 2000] {
            let span = SeriesSpan::new(time(from), time(to), buckets).unwrap();
            for name in ["often", "tiny", "seldom", "never"].map(sensor) {
                let chart = series(h, scope, device, &name, span).await;
                let expected = model.series(scope, device, &name, span, h.now());
                assert_eq!(chart, expected, "{from}..={to} in {buckets} of {name:?}, seed {seed}");
            }
        }
    }
}

pub async fn p46_a_series_ends_exactly_at_its_ends(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let reading = |ms: i64, value: f64| NewReading {
        sensors: sensors(&[("v", value)]),
        ..h.reading(device, ms, &format!("{device}_{ms}"))
    };
    let readings = [(-1, 100.0), (0, 3.0), (49, 1.0), (50, 5.0), (99, 6.0), (100, 100.0)];
    h.send(scope, &readings.map(|(ms, value)| reading(ms, value))).await;
    let (from, to) = (reading(0, 0.0).time, reading(99, 0.0).time);
    let span = SeriesSpan::new(from, to, 2).unwrap();
    let buckets = series(h, scope, device, &sensor("v"), span).await.0;
    let read: Vec<_> = buckets.iter().map(|b| (b.number, b.count, b.min, b.mean, b.max)).collect();
    assert_eq!(read, [(0, 2, 1.0, 2.0, 3.0), (1, 2, 5.0, 5.5, 6.0)]);
}

pub async fn p46_the_latest_reading_is_the_newest_whenever_it_came(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    assert_eq!(h.latest(scope, device).await, None);
    let mut newest: Option<(i64, String)> = None;
    let arrivals =
        [(0, "b"), (-5, "c"), (0, "a"), (0, "d"), (0, "c2"), (7, "a2"), (6, "z"), (7, "a3")];
    for (ms, id) in arrivals {
        assert_eq!(h.send(scope, &[h.reading(device, ms, id)]).await, [ACKNOWLEDGED]);
        newest = newest.max(Some((ms, id.to_owned())));
        let latest = h.latest(scope, device).await.expect("some were sent");
        assert_eq!(Some(latest.batch_id.as_str()), newest.as_ref().map(|(_, id)| id.as_str()));
    }
}

pub async fn p46_when_the_latest_reading_has_expired_the_one_before_is_it(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    for (n, seconds) in [(0, 300), (1, 200), (2, 100)] {
        let retention = jiff::SignedDuration::from_secs(seconds);
        let reading = h.reading(device, n, &format!("{device}_{n}"));
        let request = NewReadings { retention, ..h.request(vec![reading]) };
        let done = h.store().ingest(scope, request).await.unwrap();
        assert_eq!(done, Ingest::Done(vec![ACKNOWLEDGED]));
    }
    for n in [Some(2), Some(1), Some(0), None] {
        let latest = h.latest(scope, device).await.map(|reading| reading.batch_id.to_string());
        assert_eq!(latest, n.map(|n: u8| format!("{device}_{n}")));
        h.advance_seconds(100);
    }
}
