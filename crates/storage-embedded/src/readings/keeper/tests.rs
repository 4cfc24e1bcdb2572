use jiff::Timestamp;
use larder_domain::{
    BatchId, BootId, FirmwareVersion, PerSensor, ReadingTime, SensorName, SensorValue,
};
use larder_storage_item::AppendReadings;

use super::*;
use crate::layout::{Layout, definitions_after};
use crate::meta::{self, Counter};

const DEVICE: HardwareId = HardwareId::from_bytes([0xaa, 0xbb, 0xcc, 1, 2, 3]);
const START_S: i64 = 1_800_000_000;

struct Bed {
    connection: Connection,
    pending: Arc<Pending>,
    keeper: Keeper,
}

impl Bed {
    fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        for (_, sql) in definitions_after(0) {
            connection.execute_batch(&sql).unwrap();
        }
        for tree in Layout::all().iter().flat_map(Layout::trees) {
            tree.plant(&connection).unwrap();
        }
        for counter in Counter::after(0) {
            meta::write(&connection, counter, 1).unwrap();
        }
        let (pending, latest) = (Arc::<Pending>::default(), Arc::default());
        let (counters, buffer) = (Arc::default(), ReadingBuffer::default());
        let keeper =
            Keeper::load(&connection, Arc::clone(&pending), latest, counters, buffer).unwrap();
        Self { connection, pending, keeper }
    }

    fn begin(&self) {
        self.connection.execute_batch("BEGIN").unwrap();
    }

    fn append(&mut self, ids: &[&str]) -> Vec<ReadingState> {
        let at = Timestamp::from_second(START_S).unwrap();
        let readings = ids.iter().map(|id| reading(id)).collect();
        let arrivals = Arrival::of_request(AppendReadings { household: None, readings, at });
        self.keeper.append(&self.connection, &arrivals).unwrap()
    }

    fn prepare(&mut self, effort: Effort) {
        self.keeper.prepare(&self.connection, effort, START_S).unwrap();
    }

    fn commit(&mut self) {
        self.connection.execute_batch("COMMIT").unwrap();
        self.keeper.publish();
    }

    fn roll_back(&mut self) {
        self.connection.execute_batch("ROLLBACK").unwrap();
        self.keeper.roll_back();
    }

    fn waiting(&self) -> Vec<String> {
        let all = self.pending.of_device(DEVICE).unwrap();
        all.iter().map(|one| one.reading.batch_id.to_string()).collect()
    }

    fn rows(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        self.connection.query_row(&sql, (), |row| row.get(0)).unwrap()
    }
}

fn reading(id: &str) -> Reading {
    let ms = START_S * 1000;
    Reading {
        hardware_id: DEVICE,
        time: ReadingTime::from_millis(ms).unwrap(),
        batch_id: BatchId::parse(id).unwrap(),
        boot_id: BootId::from_random([7; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: PerSensor::new(vec![(
            SensorName::parse("humidity_pct").unwrap(),
            SensorValue::new(45.2).unwrap(),
        )])
        .unwrap(),
        sensor_status: PerSensor::default(),
        expires_at_s: ms / 1000 + 1000,
    }
}

fn window(start: u64) -> String {
    format!("{DEVICE}_{}_{start}_{}", BootId::from_random([7; 16]), start + 300)
}

const NEW: ReadingState = ReadingState::Acknowledged;
const KNOWN: ReadingState = ReadingState::Duplicate;

#[test]
fn nobody_sees_readings_before_they_are_committed() {
    let mut bed = Bed::new();
    bed.begin();
    assert_eq!(bed.append(&["a", &window(1)]), [NEW, NEW]);
    assert_eq!(bed.append(&["a", "b"]), [KNOWN, NEW], "others of the same commit");
    bed.prepare(Effort::KeepUp);
    assert_eq!(bed.waiting(), [""; 0]);
    bed.commit();
    assert_eq!(bed.waiting(), [&window(1), "a", "b"]);
    assert_eq!(bed.rows("reading_log"), 1);
}

#[test]
fn nothing_stays_of_a_transaction_that_was_rolled_back() {
    let mut bed = Bed::new();
    bed.begin();
    bed.append(&["a", &window(1)]);
    bed.prepare(Effort::KeepUp);
    bed.commit();
    for effort in [Effort::KeepUp, Effort::Step] {
        bed.begin();
        assert_eq!(bed.append(&["a", "b", &window(1), &window(2)]), [KNOWN, NEW, KNOWN, NEW]);
        bed.prepare(effort);
        bed.roll_back();
        assert_eq!(bed.waiting(), [window(1), "a".into()]);
        assert_eq!((bed.rows("reading_log"), bed.rows("device_readings")), (1, 0));
    }
    bed.begin();
    assert_eq!(bed.append(&["b", &window(2), "a", &window(1)]), [NEW, NEW, KNOWN, KNOWN]);
    bed.prepare(Effort::Step);
    bed.commit();
    assert_eq!(bed.waiting(), [window(2), "b".into()], "what came before is merged");
    assert_eq!((bed.rows("reading_log"), bed.rows("device_readings")), (1, 1));
    bed.begin();
    assert_eq!(bed.append(&["a", &window(1), "b", &window(2)]), [KNOWN; 4]);
    bed.roll_back();
}

#[test]
fn a_request_that_fails_leaves_the_others_of_its_commit_alone() {
    let mut bed = Bed::new();
    bed.begin();
    bed.append(&[&window(1)]);
    bed.prepare(Effort::Step);
    bed.commit();
    bed.begin();
    bed.prepare(Effort::Step);
    bed.commit();
    bed.connection.execute_batch("UPDATE processed_batches SET body = X'00'").unwrap();
    bed.begin();
    assert_eq!(bed.append(&["x"]), [NEW]);
    bed.keeper.batch_ids.forget_file();
    let at = Timestamp::from_second(START_S).unwrap();
    let readings = vec![reading("y"), reading(&window(1))];
    let arrivals = Arrival::of_request(AppendReadings { household: None, readings, at });
    assert!(bed.keeper.append(&bed.connection, &arrivals).is_err());
    bed.prepare(Effort::KeepUp);
    bed.commit();
    assert_eq!(bed.waiting(), ["x"]);
    bed.begin();
    assert_eq!(bed.append(&["x", "y"]), [KNOWN, NEW]);
    bed.roll_back();
}
