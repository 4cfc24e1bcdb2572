//! Conditions: each kind, satisfied and not.

use larder_storage_item::{Condition, Record, TransactError, Value};

use super::{failed_action, number};
use crate::EngineHarness;
use crate::engine_harness::{check, delete, put, put_when, update_when};

/// A record with every kind of attribute that conditions compare.
fn subject(h: &EngineHarness) -> Record {
    h.record("C", "subject")
        .with("text", "kept")
        .with("count", number("2.50"))
        .with("flag", true)
        .with("nothing", Value::Null)
}

/// The conditions, whether the subject fulfils them, and whether an absent record does.
fn cases() -> Vec<(Condition, bool, bool)> {
    let equals = |name: &'static str, value: Value| Condition::Equals(name.into(), value);
    let at_least = |text: &str| Condition::AtLeast("count".into(), number(text));
    let at_most = |text: &str| Condition::AtMost("count".into(), number(text));
    vec![
        (Condition::Exists, true, false),
        (Condition::NotExists, false, true),
        (equals("text", "kept".into()), true, false),
        (equals("text", "Kept".into()), false, false),
        (equals("text", number("2.5").into()), false, false),
        (equals("count", number("2.5").into()), true, false),
        (equals("count", "2.5".into()), false, false),
        (equals("flag", true.into()), true, false),
        (equals("flag", false.into()), false, false),
        (equals("nothing", Value::Null), true, false),
        (equals("missing", Value::Null), false, false),
        (Condition::Absent("missing".into()), true, false),
        (Condition::Absent("nothing".into()), false, false),
        (Condition::Absent("text".into()), false, false),
        (at_least("2.5"), true, false),
        (at_least("2.49"), true, false),
        (at_least("2.51"), false, false),
        (at_least("-10"), true, false),
        (at_least("10"), false, false),
        (at_most("2.5"), true, false),
        (at_most("2.49"), false, false),
        (at_most("10"), true, false),
        (Condition::AtLeast("text".into(), number("0")), false, false),
        (Condition::AtMost("missing".into(), number("9")), false, false),
    ]
}

pub async fn r03_every_condition_holds_for_what_it_says_and_nothing_else(h: &EngineHarness) {
    h.commit(vec![put(subject(h))]).await;
    for (condition, present, absent) in cases() {
        for (sk, holds) in [("subject", present), ("nobody", absent)] {
            let when = vec![condition.clone()];
            let outcome = h.transact(vec![check(h.key("C", sk), when)]).await;
            match outcome {
                Ok(_) => assert!(holds, "{condition:?} on {sk} should fail"),
                Err(TransactError::ConditionFailed { action: 0, .. }) => {
                    assert!(!holds, "{condition:?} on {sk} should hold");
                }
                Err(other) => panic!("{condition:?} on {sk}: {other}"),
            }
        }
    }
}

pub async fn r03_several_conditions_of_one_action_must_all_hold(h: &EngineHarness) {
    h.commit(vec![put(subject(h))]).await;
    let both = |most: &str| {
        vec![
            Condition::Equals("text".into(), "kept".into()),
            Condition::AtMost("count".into(), number(most)),
        ]
    };
    h.commit(vec![check(h.key("C", "subject"), both("3"))]).await;
    let refused = h.transact(vec![check(h.key("C", "subject"), both("2"))]).await;
    assert_eq!(failed_action(refused), 0);
}

pub async fn r03_a_refusal_names_the_first_failed_action_and_shows_its_record(h: &EngineHarness) {
    h.commit(vec![put(subject(h))]).await;
    let refused = h
        .transact(vec![
            put(h.record("C", "new")),
            put_when(h.record("C", "subject"), vec![Condition::NotExists]),
            check(h.key("C", "nobody"), vec![Condition::Exists]),
        ])
        .await;
    match refused {
        Err(TransactError::ConditionFailed { action: 1, current }) => {
            assert_eq!(current.as_deref(), Some(&subject(h)));
        }
        other => panic!("action 1 should have failed: {other:?}"),
    }
    let refused = h.transact(vec![check(h.key("C", "nobody"), vec![Condition::Exists])]).await;
    assert!(
        matches!(refused, Err(TransactError::ConditionFailed { action: 0, current: None })),
        "{refused:?}"
    );
}

pub async fn r03_conditions_see_the_state_before_the_transaction(h: &EngineHarness) {
    h.commit(vec![put(subject(h))]).await;
    let refused = h
        .transact(vec![
            delete(h.key("C", "subject")),
            update_when(h.key("C", "other"), vec![Condition::Exists], vec![]),
        ])
        .await;
    assert_eq!(failed_action(refused), 1);
    assert_eq!(h.get(&h.key("C", "subject")).await, Some(subject(h)));
}
