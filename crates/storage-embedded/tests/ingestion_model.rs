//! Readings in any order, with repetitions, merges, sweeps, restarts and crashes between them: the
//! store answers like a map.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::collections::{BTreeMap, HashMap};

use common::readings::{all_of, boot, device, reading, realistic, send};
use common::{Bed, START_S};
use jiff::SignedDuration;
use larder_domain::{HardwareId, Reading};
use larder_storage::Clock as _;

const DEVICES: i64 = 3;
const MONTH_S: i64 = 30 * 24 * 60 * 60;

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        i64::try_from((mixed ^ (mixed >> 31)) % bound.cast_unsigned()).unwrap()
    }

    fn device(&mut self) -> HardwareId {
        device(usize::try_from(self.below(DEVICES)).unwrap())
    }

    /// In order, late, of equal milliseconds, with ids of every form, for days or for months.
    fn reading(&mut self, now_s: i64, step: i64) -> Reading {
        let device = self.device();
        let mut reading = match self.below(4) {
            0 => realistic(device, step * 3 + self.below(3)),
            1 => realistic(device, self.below(600)),
            2 => {
                let ms = START_S * 1000 + self.below(5);
                reading(device, ms, &format!("odd.{}", self.below(400)), 1.5)
            }
            _ => {
                // A window of another device, and two windows with one start.
                let (start, end) = (self.below(50), 60 + self.below(3));
                let named = self.device();
                let id = format!("{named}_{}_{start}_{end}", boot(named));
                let ms = START_S * 1000 + self.below(1_000_000);
                reading(device, ms, &id, f64::from(u8::try_from(self.below(100)).unwrap()) / 7.0)
            }
        };
        let days = [3, 40, 100][self.index(3)];
        reading.expires_at_s = now_s + 1 + self.below(days * 86_400);
        reading
    }

    fn index(&mut self, bound: i64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }
}

#[derive(Default)]
struct Model {
    readings: BTreeMap<(HardwareId, i64, String), Reading>,
    received: HashMap<String, i64>,
}

impl Model {
    /// Which of them are new.
    fn send(&mut self, request: &[Reading], now_s: i64) -> Vec<bool> {
        let take = |reading: &Reading| {
            let id = reading.batch_id.to_string();
            let known = self.received.get(&id);
            if known.is_some_and(|received| now_s < received + MONTH_S) {
                return false;
            }
            self.received.insert(id.clone(), now_s);
            let place = (reading.hardware_id, reading.time.as_millis(), id);
            self.readings.insert(place, reading.clone());
            true
        };
        request.iter().map(take).collect()
    }

    fn all_of(&self, device: HardwareId, now_s: i64) -> Vec<Reading> {
        let own = self.readings.values().filter(|reading| reading.hardware_id == device);
        own.filter(|reading| reading.expires_at_s > now_s).cloned().collect()
    }
}

#[tokio::test]
async fn the_store_answers_what_a_map_would() {
    let seed = std::env::var("LARDER_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("seed {seed} (LARDER_TEST_SEED)");
    for seed in seed..seed + 2 {
        let (mut dice, mut model, mut bed) = (Dice(seed), Model::default(), Bed::waiting());
        let mut last: Vec<Reading> = Vec::new();
        for step in 0..120 {
            let now_s = bed.clock.now().as_second();
            match dice.below(12) {
                0 => bed.engine.merge_readings().await.unwrap(),
                1 => bed = bed.reopen(),
                2 => bed = bed.crash(),
                3 => {
                    let ahead = [60, 86_400, 11 * 86_400][dice.index(3)];
                    bed.clock.advance(SignedDuration::from_secs(ahead));
                    bed.engine.sweep().await.unwrap();
                }
                4 => assert_eq!(
                    send(&bed.engine, &last, now_s).await,
                    model.send(&last, now_s),
                    "again, seed {seed} step {step}"
                ),
                _ => {
                    let mut request: Vec<Reading> = Vec::new();
                    for _ in 0..=dice.below(100) {
                        let next = dice.reading(now_s, step);
                        if request.iter().all(|one| one.batch_id != next.batch_id) {
                            request.push(next);
                        }
                    }
                    assert_eq!(
                        send(&bed.engine, &request, now_s).await,
                        model.send(&request, now_s),
                        "seed {seed} step {step}"
                    );
                    last = request;
                }
            }
            let (device, now_s) = (dice.device(), bed.clock.now().as_second());
            let found = all_of(&bed.engine, device, now_s).await;
            let expected = model.all_of(device, now_s);
            if found != expected {
                let missing: Vec<_> = expected.iter().filter(|one| !found.contains(one)).collect();
                let wrong: Vec<_> = found.iter().filter(|one| !expected.contains(one)).collect();
                panic!("seed {seed} step {step}: missing {missing:?}, wrong {wrong:?}");
            }
        }
        bed.engine.merge_readings().await.unwrap();
        assert_eq!(bed.engine.scrub().await.unwrap().damaged, [], "seed {seed}");
    }
}
