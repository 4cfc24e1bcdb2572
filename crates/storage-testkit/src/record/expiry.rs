//! Expired records are invisible, whether or not they have been swept.

use larder_storage_item::{Change, Condition, GSI1, Number, Query, Record, Table};

use super::failed_action;
use crate::EngineHarness;
use crate::engine_harness::{check, put, put_when, update};

/// A record that is good for this many seconds.
fn mortal(h: &EngineHarness, sk: &str, seconds: i64) -> Record {
    h.record("E", sk)
        .with("ttl", Number::from(h.now().as_second() + seconds))
        .with("GSI1PK", h.partition("I"))
        .with("GSI1SK", sk)
}

pub async fn r09_a_record_is_gone_from_the_second_it_expires(h: &EngineHarness) {
    let record = mortal(h, "x", 10);
    h.commit(vec![put(record.clone()), put(mortal(h, "y", 11))]).await;
    h.advance_seconds(9);
    assert_eq!(h.get(&h.key("E", "x")).await, Some(record));
    h.advance_seconds(1);
    assert_eq!(h.get(&h.key("E", "x")).await, None);
    assert_eq!(h.read_sort_keys(&h.query("E")).await, ["y"]);
    h.eventually(&vec!["y".to_owned()], async || h.read_sort_keys(&h.index_query(GSI1, "I")).await)
        .await;
}

pub async fn r09_conditions_take_the_expired_for_absent(h: &EngineHarness) {
    h.commit(vec![put(mortal(h, "x", 10).with("text", "old"))]).await;
    h.advance_seconds(10);
    for condition in [
        Condition::Exists,
        Condition::Equals("text".into(), "old".into()),
        Condition::Absent("missing".into()),
        Condition::AtLeast("ttl".into(), Number::ZERO),
    ] {
        let refused = h.transact(vec![check(h.key("E", "x"), vec![condition])]).await;
        assert_eq!(failed_action(refused), 0);
    }
    let anew = h.record("E", "x").with("text", "new");
    h.commit(vec![put_when(anew.clone(), vec![Condition::NotExists])]).await;
    assert_eq!(h.get(&h.key("E", "x")).await, Some(anew));
    let index = h.index_query(GSI1, "I");
    h.eventually(&Vec::new(), async || h.read_sort_keys(&index).await).await;
}

pub async fn r09_an_update_of_the_expired_starts_anew(h: &EngineHarness) {
    h.commit(vec![put(mortal(h, "x", 10).with("count", Number::from(7)))]).await;
    h.advance_seconds(10);
    let add = Change::Add("count".into(), Number::from(1));
    h.commit(vec![update(h.key("E", "x"), vec![add])]).await;
    let expected = h.record("E", "x").with("count", Number::from(1));
    assert_eq!(h.get(&h.key("E", "x")).await, Some(expected));
}

pub async fn r09_a_later_expiry_keeps_a_record(h: &EngineHarness) {
    h.commit(vec![put(mortal(h, "x", 10))]).await;
    let later = Change::Set("ttl".into(), Number::from(h.now().as_second() + 100).into());
    h.commit(vec![update(h.key("E", "x"), vec![later])]).await;
    h.advance_seconds(50);
    assert!(h.get(&h.key("E", "x")).await.is_some());
    h.advance_seconds(50);
    assert_eq!(h.get(&h.key("E", "x")).await, None);
}

pub async fn r09_pages_go_on_past_the_expired(h: &EngineHarness) {
    for n in 0..12 {
        let record = if n % 4 == 0 {
            h.record("E", &format!("{n:02}"))
        } else {
            mortal(h, &format!("{n:02}"), 5)
        };
        h.commit(vec![put(record)]).await;
    }
    h.advance_seconds(5);
    for limit in 1..=4 {
        let query = Query { limit, ..h.query("E") };
        assert_eq!(h.read_sort_keys(&query).await, ["00", "04", "08"]);
    }
}

pub async fn r09_only_tables_that_say_so_expire_records(h: &EngineHarness) {
    let record = h.record("E", "x").with("ttl", Number::from(1));
    let table = Table::Relational;
    let action = larder_storage_item::Action::Put {
        table,
        record: record.clone(),
        when: vec![],
        embed: None,
    };
    h.commit(vec![action]).await;
    assert_eq!(h.engine().get(table, &h.key("E", "x")).await.unwrap(), Some(record));
}
