#![allow(clippy::print_stdout, reason = "says with which seed it ran")]

use std::collections::BTreeMap;

use larder_domain::{
    BatchId, BootId, FirmwareVersion, HardwareId, Reading, ReadingTime, SensorStatuses, Sensors,
};
use rusqlite::Connection;

use super::{Blocks, DeviceBlocks, StreamBlocks, due, merge};
use crate::layout::{Layout, definitions_after};
use crate::readings::section::Stream;
use crate::readings::windows::Window;

const SENDER: HardwareId = HardwareId::from_bytes([1; 6]);
const MONTH_S: i64 = 30 * 24 * 60 * 60;

fn blocks() -> StreamBlocks {
    StreamBlocks::of(&Stream { pk: "operator#stream".into(), of: SENDER })
}

fn store() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    for (_, sql) in definitions_after(0) {
        connection.execute_batch(&sql).unwrap();
    }
    for tree in Layout::all().iter().flat_map(Layout::trees) {
        tree.plant(&connection).unwrap();
    }
    connection
}

fn window(start: u64, received_at_s: i64) -> Window {
    Window { start, end: start + 5, received_at_s, sender: SENDER }
}

/// The contents of the blocks, in order.
fn held(connection: &Connection) -> Vec<Vec<Window>> {
    let sql = "SELECT sk, body FROM processed_batches ORDER BY sk";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let decoded = rows.map(|row| {
        let (sk, body): (String, Vec<u8>) = row.unwrap();
        let windows = blocks().decode(&body).unwrap();
        assert_eq!(blocks().sk(&windows[0]), sk, "a block is kept by its first item");
        windows
    });
    decoded.collect()
}

fn sizes(connection: &Connection) -> Vec<usize> {
    held(connection).iter().map(Vec::len).collect()
}

#[test]
fn what_comes_in_order_fills_one_block_after_the_other() {
    let connection = store();
    for part in 0..11 {
        let items = (0..100).map(|n| window(1000 * part + n * 10, 0)).collect();
        merge(&connection, &blocks(), items, 0).unwrap();
    }
    assert_eq!(sizes(&connection), [512, 512, 76]);
}

#[test]
fn what_comes_late_goes_into_its_block_which_is_halved_when_it_is_full() {
    let connection = store();
    let items = (0..600).map(|n| window(10 * n, 0)).collect();
    merge(&connection, &blocks(), items, 0).unwrap();
    merge(&connection, &blocks(), vec![window(55, 0), window(5995, 0)], 0).unwrap();
    assert_eq!(sizes(&connection), [257, 256, 89]);
    let starts: Vec<_> = held(&connection)[0].iter().take(7).map(|w| w.start).collect();
    assert_eq!(starts, [0, 10, 20, 30, 40, 50, 55]);
}

#[test]
fn what_comes_before_everything_joins_the_first_block() {
    let connection = store();
    merge(&connection, &blocks(), vec![window(100, 0)], 0).unwrap();
    merge(&connection, &blocks(), vec![window(50, 0)], 0).unwrap();
    assert_eq!(sizes(&connection), [2]);
}

#[test]
fn what_is_gone_leaves_with_the_next_change_of_its_block() {
    let connection = store();
    merge(&connection, &blocks(), vec![window(1, 100), window(2, 200)], 150).unwrap();
    merge(&connection, &blocks(), vec![window(3, 300)], 100 + MONTH_S).unwrap();
    let left: Vec<_> = held(&connection).concat().iter().map(|w| w.start).collect();
    assert_eq!(left, [2, 3]);
    merge(&connection, &blocks(), vec![window(4, 400)], 400 + MONTH_S).unwrap();
    assert_eq!(sizes(&connection), [0; 0]);
}

fn reading(second: i64) -> Reading {
    Reading {
        hardware_id: SENDER,
        time: ReadingTime::from_millis(1_704_067_200_000 + second * 1000).unwrap(),
        batch_id: BatchId::parse(&format!("batch-{second}")).unwrap(),
        boot_id: BootId::from_random([1; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: Sensors::default(),
        sensor_status: SensorStatuses::default(),
        expires_at_s: second,
    }
}

#[test]
fn readings_that_are_gone_stay_until_the_sweep_takes_them() {
    let (connection, blocks) = (store(), DeviceBlocks::of(SENDER));
    merge(&connection, &blocks, vec![reading(1), reading(2)], 0).unwrap();
    // The clock may have jumped by now.
    merge(&connection, &blocks, vec![reading(3)], 40 * 24 * 60 * 60).unwrap();
    let sql = "SELECT body FROM device_readings";
    let body: Vec<u8> = connection.query_row(sql, (), |row| row.get(0)).unwrap();
    let held = blocks.decode(&body).unwrap();
    assert_eq!(held, [reading(1), reading(2), reading(3)]);
}

#[test]
fn a_block_is_due_when_all_is_gone_or_half_of_what_stays_for_days() {
    let items = |received: &[i64]| received.iter().map(|at| window(0, *at)).collect::<Vec<_>>();
    let day = 24 * 60 * 60;
    assert_eq!(due::<StreamBlocks>(&items(&[0, 5, 9])), 9 + MONTH_S);
    assert_eq!(due::<StreamBlocks>(&items(&[0, 5, 5 + 2 * day])), 5 + 2 * day + MONTH_S);
    assert_eq!(due::<StreamBlocks>(&items(&[0, 5, 6 + 2 * day])), 5 + MONTH_S);
}

/// `SplitMix64`.
fn roll(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) % bound
}

#[test]
fn blocks_hold_what_a_map_would_in_any_order_of_arrival() {
    let seed = std::env::var("LARDER_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("seed {seed} (LARDER_TEST_SEED)");
    let (connection, mut dice, mut model) = (store(), seed, BTreeMap::new());
    for round in 0..60 {
        let width = [50, 2000, 20_000][usize::try_from(roll(&mut dice, 3)).unwrap()];
        let from = roll(&mut dice, 20_000);
        let fresh: BTreeMap<_, _> = (0..=roll(&mut dice, 200))
            .map(|_| window(from + roll(&mut dice, width), round))
            .map(|window| (window.place(), window))
            .collect();
        merge(&connection, &blocks(), fresh.values().copied().collect(), 0).unwrap();
        model.extend(fresh);
    }
    let held = held(&connection);
    assert!(held.iter().all(|block| block.len() <= StreamBlocks::MOST));
    assert_eq!(held.concat(), model.into_values().collect::<Vec<_>>());
}
