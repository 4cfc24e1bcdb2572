//! Batch ids used by several households.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::HouseholdId;
use larder_storage::{
    Clock as _, ManualClock,
    ReadingState::{self, Acknowledged, Duplicate},
};
use larder_storage_item::{
    AppendReadings, Key, ReadingEngine as _, RecordEngine as _, Table, processed_batch_of,
};
use larder_storage_testkit::{ReferenceEngine, START};

use crate::{DAY_S, FREEZER, OURS, THEIRS, reading};

struct Fixture {
    engine: ReferenceEngine,
    clock: Arc<ManualClock>,
}

impl Fixture {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::new(START));
        Self { engine: ReferenceEngine::new(Arc::clone(&clock) as _), clock }
    }

    fn go_to_day(&self, day: i64) {
        let elapsed = self.clock.now().duration_since(START);
        self.clock.advance(SignedDuration::from_secs(day * DAY_S) - elapsed);
    }

    async fn send(&self, household: Option<HouseholdId>) -> ReadingState {
        let readings = vec![reading(FREEZER, "window-1", START)];
        let append = AppendReadings { household, readings, at: self.clock.now() };
        self.engine.append_readings(append).await.unwrap()[0]
    }

    /// When the id under a key was received and when its record expires, in days.
    async fn remembered(&self, key: &str) -> Option<(i64, i64)> {
        let record = self.engine.get(Table::ProcessedBatches, &Key::new(key, "")).await.unwrap()?;
        let batch = processed_batch_of(&record).unwrap();
        let day = |second: i64| (second - START.as_second()) / DAY_S;
        Some((day(batch.received_at.as_second()), day(batch.expires_at_s)))
    }
}

#[tokio::test]
async fn each_household_remembers_an_id_for_30_days_of_its_own() {
    let fixture = Fixture::new();
    for (day, who, expected) in [
        (0, OURS, Acknowledged),
        (10, THEIRS, Acknowledged),
        (20, None, Acknowledged),
        (29, OURS, Duplicate),
        (29, THEIRS, Duplicate),
        (29, None, Duplicate),
        // Ours is forgotten, theirs and the operator's are not.
        (30, OURS, Acknowledged),
        (30, OURS, Duplicate),
        (39, THEIRS, Duplicate),
        (40, THEIRS, Acknowledged),
        (49, None, Duplicate),
        (50, None, Acknowledged),
        (59, OURS, Duplicate),
        // Forgotten by every household, including the holder of the plain key.
        (80, THEIRS, Acknowledged),
        (80, OURS, Acknowledged),
        (81, THEIRS, Duplicate),
        (81, OURS, Duplicate),
    ] {
        fixture.go_to_day(day);
        assert_eq!(fixture.send(who).await, expected, "{who:?} on day {day}");
    }
}

#[tokio::test]
async fn only_the_second_household_has_a_key_that_names_it_and_the_plain_one_outlives_it() {
    let fixture = Fixture::new();
    fixture.send(OURS).await;
    assert_eq!(fixture.remembered("window-1").await, Some((0, 30)));
    fixture.go_to_day(10);
    fixture.send(THEIRS).await;
    let named = format!("{}#window-1", HouseholdId::fixed(2));
    assert_eq!(fixture.remembered(&named).await, Some((10, 40)));
    assert_eq!(fixture.remembered("window-1").await, Some((0, 40)));
    assert_eq!(fixture.remembered("operator#window-1").await, None);
}

#[tokio::test]
async fn a_forgotten_id_does_not_make_a_reading_count_twice() {
    let fixture = Fixture::new();
    assert_eq!(fixture.send(OURS).await, Acknowledged);
    fixture.go_to_day(31);
    assert_eq!(fixture.send(OURS).await, Acknowledged);
    let range = larder_storage::ReadingRange::newest_first();
    let query = larder_storage_item::ReadingQuery {
        device: FREEZER,
        range,
        after: None,
        limit: 10,
        at: fixture.clock.now(),
    };
    let found = fixture.engine.find_readings(query).await.unwrap();
    assert_eq!(found.items, [reading(FREEZER, "window-1", START)]);
}
