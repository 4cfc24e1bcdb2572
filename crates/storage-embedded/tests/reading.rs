//! Queries of readings match a plain list, whether readings are pending or merged.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::collections::BTreeMap;

use common::readings::{HOUSEHOLD, at, device, reading, realistic, send};
use common::{Bed, Dice, START_S};
use larder_domain::{
    BucketFold, HardwareId, Reading, ReadingPosition, ReadingTime, SensorName, SeriesSpan,
};
use larder_storage::{Page, ReadingRange};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{AppendReadings, ReadingEngine, ReadingQuery};

const DEVICES: usize = 3;
/// So few milliseconds that many readings share one, and that blocks overlap.
const MILLISECONDS: usize = 150;

/// The stored readings, by device and position.
#[derive(Default)]
struct Model(BTreeMap<(HardwareId, ReadingPosition), Reading>);

impl Model {
    fn keep(&mut self, reading: &Reading) {
        self.0.insert((reading.hardware_id, reading.position()), reading.clone());
    }

    /// The readings of a device in a range, in its order.
    fn range(&self, device: HardwareId, range: ReadingRange, second: i64) -> Vec<Reading> {
        let is_there = |reading: &&Reading| {
            reading.hardware_id == device
                && (range.from..=range.to).contains(&reading.time)
                && second < reading.expires_at_s
        };
        let mut readings: Vec<_> = self.0.values().filter(is_there).cloned().collect();
        if !range.oldest_first {
            readings.reverse();
        }
        readings
    }

    fn page(&self, query: ReadingQuery<'_>) -> Page<Reading, ReadingPosition> {
        let mut readings = self.range(query.device, query.range, query.at.as_second());
        if let Some(after) = query.after {
            let forward = query.range.oldest_first;
            readings.retain(|one| {
                if forward { one.position() > *after } else { one.position() < *after }
            });
        }
        Page::cut(readings, query.limit, Reading::position)
    }
}

fn time(ms: usize) -> ReadingTime {
    ReadingTime::from_millis(START_S * 1000 + i64::try_from(ms).unwrap()).unwrap()
}

/// Any reading: odd ids, firmware's ids, the same place again, a life of a few seconds or of months.
fn any_reading(dice: &mut Dice, number: usize) -> Reading {
    let device = device(dice.below(DEVICES));
    let ms = time(dice.below(MILLISECONDS)).as_millis();
    let id = match dice.below(3) {
        0 => format!("odd-{}", dice.below(1_000_000)),
        1 => format!("{device}_{}_{number}_{ms}", common::readings::boot(device)),
        _ => format!("n{number}"),
    };
    let value = f64::from(u32::try_from(dice.below(1000)).unwrap()) / 10.0;
    let mut reading = reading(device, ms, &id, value);
    if dice.below(4) == 0 {
        reading.expires_at_s = START_S + 1 + i64::try_from(dice.below(20)).unwrap();
    }
    reading
}

async fn agrees(engine: &EmbeddedEngine, model: &Model, dice: &mut Dice) {
    let device = device(dice.below(DEVICES + 1));
    let second = START_S + i64::try_from(dice.below(25)).unwrap();
    let [one, other] = [dice.below(MILLISECONDS), dice.below(MILLISECONDS)];
    let range = match dice.below(3) {
        0 => ReadingRange::newest_first(),
        _ => ReadingRange {
            from: time(one.min(other)),
            to: time(one.max(other)),
            oldest_first: false,
        },
    };
    let range = ReadingRange { oldest_first: dice.below(2) == 0, ..range };
    let after = any_reading(dice, 0).position();
    let after = Some(&after).filter(|_| dice.below(2) == 0);
    let limit = 1 + dice.below(200);
    let query = ReadingQuery { device, range, after, limit, at: at(second) };
    assert_eq!(engine.find_readings(query).await.unwrap(), model.page(query));

    let newest = model.range(device, ReadingRange::newest_first(), second).into_iter().next();
    assert_eq!(engine.latest_reading(device, at(second)).await.unwrap(), newest);

    let sensor = SensorName::parse("humidity_pct").unwrap();
    let buckets = u32::try_from(1 + dice.below(50)).unwrap();
    let span = SeriesSpan::new(range.from, range.to, buckets).unwrap();
    let mut fold = BucketFold::new(span);
    for reading in model.range(device, ReadingRange { oldest_first: true, ..range }, second) {
        fold.add(reading.time, *reading.sensors.get("humidity_pct").unwrap());
    }
    let series = engine.reading_series(device, &sensor, span, at(second)).await.unwrap();
    assert_eq!(series, fold.finish());
}

#[tokio::test]
async fn readings_come_back_as_from_a_plain_list() {
    for seed in [1, 20_260_201, 20_260_202] {
        println!("seed {seed}");
        let mut dice = Dice(seed);
        let (bed, mut model) = (Bed::new(), Model::default());
        for round in 0..30 {
            let readings: Vec<_> =
                (0..60).map(|n| any_reading(&mut dice, round * 100 + n)).collect();
            let mut fresh: Vec<Reading> = Vec::new();
            for reading in readings {
                if !fresh.iter().any(|one| one.batch_id == reading.batch_id) {
                    fresh.push(reading);
                }
            }
            let kept = send(&bed.engine, &fresh, START_S).await;
            for (reading, _) in fresh.iter().zip(kept).filter(|(_, kept)| *kept) {
                model.keep(reading);
            }
            if dice.below(3) == 0 {
                bed.engine.merge_readings().await.unwrap();
            }
            for _ in 0..10 {
                agrees(&bed.engine, &model, &mut dice).await;
            }
        }
        assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
    }
}

#[tokio::test]
async fn a_reading_written_over_shows_as_it_was_sent_last() {
    let bed = Bed::new();
    let first = reading(device(1), START_S * 1000, "a", 1.0);
    let again = reading(device(1), START_S * 1000, "a", 2.0);
    send(&bed.engine, std::slice::from_ref(&first), START_S).await;
    bed.engine.merge_readings().await.unwrap();
    // The batch id is forgotten by now, but the reading still exists.
    let later = START_S + 31 * 86_400;
    assert_eq!(bed.engine.latest_reading(device(1), at(later)).await.unwrap(), Some(first));
    bed.clock.advance(jiff::SignedDuration::from_hours(31 * 24));
    assert_eq!(send(&bed.engine, std::slice::from_ref(&again), later).await, [true]);
    for _ in 0..2 {
        let all = common::readings::all_of(&bed.engine, device(1), later).await;
        assert_eq!(all, std::slice::from_ref(&again));
        let newest = bed.engine.latest_reading(device(1), at(later)).await.unwrap();
        assert_eq!(newest, Some(again.clone()));
        let span = SeriesSpan::new(time(0), time(1000), 1).unwrap();
        let sensor = SensorName::parse("humidity_pct").unwrap();
        let series = bed.engine.reading_series(device(1), &sensor, span, at(later)).await.unwrap();
        assert_eq!((series[0].count, series[0].mean.to_bits()), (1, 2.0_f64.to_bits()));
        bed.engine.merge_readings().await.unwrap();
    }
}

#[tokio::test]
async fn the_newest_reading_is_never_older_than_what_was_acknowledged() {
    let bed = Bed::new();
    let engine = bed.engine.clone();
    let reader = tokio::spawn(async move {
        let mut last = None;
        while last < Some(time(299)) {
            let newest = engine.latest_reading(device(1), at(START_S)).await.unwrap();
            let newest = newest.map(|reading| reading.time);
            assert!(newest >= last, "{newest:?} after {last:?}");
            last = newest;
            tokio::task::yield_now().await;
        }
    });
    for n in 0..300 {
        let sent = reading(device(1), time(n).as_millis(), &format!("n{n}"), 1.0);
        send(&bed.engine, std::slice::from_ref(&sent), START_S).await;
        let newest = bed.engine.latest_reading(device(1), at(START_S)).await.unwrap();
        assert_eq!(newest, Some(sent));
    }
    reader.await.unwrap();
}

#[tokio::test]
async fn a_long_series_is_gathered_piece_by_piece() {
    let bed = Bed::new();
    let device = device(1);
    // More blocks than one piece has.
    let readings: Vec<_> = (0..40_000).map(|n| realistic(device, n)).collect();
    for readings in readings.chunks(100) {
        let readings = readings.to_vec();
        let append = AppendReadings { household: HOUSEHOLD, readings, at: at(START_S) };
        bed.engine.append_readings(append).await.unwrap();
    }
    bed.engine.merge_readings().await.unwrap();
    let late = reading(device, readings[20_000].time.as_millis() + 1, "late", 99.9);
    send(&bed.engine, std::slice::from_ref(&late), START_S).await;

    let span = SeriesSpan::new(readings[100].time, readings[39_900].time, 300).unwrap();
    let mut fold = BucketFold::new(span);
    for reading in readings[..=20_000].iter().chain([&late]).chain(&readings[20_001..]) {
        fold.add(reading.time, *reading.sensors.get("humidity_pct").unwrap());
    }
    let sensor = SensorName::parse("humidity_pct").unwrap();
    let series = bed.engine.reading_series(device, &sensor, span, at(START_S)).await.unwrap();
    assert_eq!(series, fold.finish());
}
