//! Several records at once.

use larder_storage_item::{Change, Key, MAX_ACTIONS, Number, Table};

use super::number;
use super::own_keys::put_into;
use crate::EngineHarness;
use crate::engine_harness::{delete, put, update};

const TABLE: Table = Table::InventoryManagement;

pub async fn r28_several_records_are_read_in_the_order_of_their_keys(h: &EngineHarness) {
    let records: Vec<_> = ["a", "b", "c"].map(|sk| h.record("M", sk).with("own", sk)).into();
    h.commit(records.iter().cloned().map(put).collect()).await;
    let keys = ["c", "nobody", "a", "c", "b", "nobody"].map(|sk| h.key("M", sk));
    let found = h.engine().get_many(TABLE, &keys).await.unwrap();
    let [a, b, c] = records.try_into().unwrap();
    assert_eq!(found, [Some(c.clone()), None, Some(a), Some(c), Some(b), None]);
    assert_eq!(h.engine().get_many(TABLE, &[]).await.unwrap(), []);
}

pub async fn r28_as_many_as_a_transaction_holds_are_read_at_once(h: &EngineHarness) {
    let records: Vec<_> = (0..MAX_ACTIONS)
        .map(|n| {
            // Too large for one response of a service.
            let text = "x".repeat(if n < 50 { 40_000 } else { 1 });
            h.record(&format!("M{}", n % 7), &format!("{n:03}")).with("text", text)
        })
        .collect();
    for record in &records {
        h.commit(vec![put(record.clone())]).await;
    }
    let keys: Vec<Key> = records.iter().map(|record| TABLE.key_of(record).unwrap()).collect();
    let found = h.engine().get_many(TABLE, &keys).await.unwrap();
    assert!(found.into_iter().flatten().eq(records), "every record is where its key is");
}

pub async fn r28_several_records_are_as_the_last_write_left_them(h: &EngineHarness) {
    let keys = ["counted", "deleted", "new"].map(|sk| h.key("M", sk));
    h.commit(vec![put(h.record("M", "deleted"))]).await;
    for n in 1..=5_i64 {
        let count = vec![Change::Add("n".into(), number("1"))];
        h.commit(vec![update(keys[0].clone(), count), delete(keys[1].clone())]).await;
        let found = h.engine().get_many(TABLE, &keys).await.unwrap();
        let expected = h.record("M", "counted").with("n", Number::from(n));
        assert_eq!(found, [Some(expected), None, None]);
    }
}

pub async fn r28_expired_records_are_not_among_several(h: &EngineHarness) {
    let end = Number::from(h.now().as_second() + 10);
    let (stays, goes) = (h.record("M", "stays"), h.record("M", "goes").with("ttl", end));
    h.commit(vec![put(stays.clone()), put(goes.clone())]).await;
    let keys = ["goes", "stays"].map(|sk| h.key("M", sk));
    let found = h.engine().get_many(TABLE, &keys).await.unwrap();
    assert_eq!(found, [Some(goes), Some(stays.clone())]);
    h.advance_seconds(10);
    let found = h.engine().get_many(TABLE, &keys).await.unwrap();
    assert_eq!(found, [None, Some(stays)]);
}

pub async fn r28_several_records_of_one_table_are_read_in_every_table(h: &EngineHarness) {
    for table in [Table::Relational, Table::Grants] {
        let record = h.record("M", "x").with("table", table.name());
        h.commit(vec![put_into(table, record.clone())]).await;
        let keys = [h.key("M", "x"), h.key("M", "y")];
        let found = h.engine().get_many(table, &keys).await.unwrap();
        assert_eq!(found, [Some(record), None]);
    }
    let device = Table::Devices.record_with(&h.key("M", "")).with("n", number("7"));
    h.commit(vec![put_into(Table::Devices, device.clone())]).await;
    let keys = [h.key("N", ""), h.key("M", "")];
    assert_eq!(h.engine().get_many(Table::Devices, &keys).await.unwrap(), [None, Some(device)]);
}
