use std::collections::HashMap;

use aws_sdk_dynamodb::types::CancellationReason;
use jiff::Timestamp;
use larder_storage::StorageError;
use larder_storage_item::{Action, Condition, Key, Number, Table, Transaction};

use super::*;
use crate::attributes::from_record;
use crate::transact::Target;

const NOW: i64 = 1000;

/// Three checks of "n is at least 1", the last of which is guarded, and a change record.
fn judged(reasons: Vec<CancellationReason>) -> Result<Verdict> {
    let key = |n: usize| Key::new("p", n.to_string());
    let check = |n| Action::Check {
        table: Table::InventoryManagement,
        key: key(n),
        when: vec![Condition::AtLeast("n".into(), Number::from(1))],
    };
    let actions = (0..3).map(check).collect();
    let transaction = Transaction { actor: "mia".to_owned(), at: Timestamp::UNIX_EPOCH, actions };
    let target = |n| Target { table: Table::InventoryManagement, key: key(n), journaled: true };
    let targets: Vec<_> = (0..3).map(target).collect();
    let found = HashMap::new();
    let reading =
        Reading { transaction: &transaction, targets: &targets, found: &found, now_s: NOW };
    let mut plan = Plan::empty();
    plan.parts = (0..3).map(|at| Part::Action { at, guarded: at == 2 }).collect();
    plan.parts.push(Part::Log);
    plan.judge(&reading, reasons)
}

fn reason(code: &str, record: Option<&Record>) -> CancellationReason {
    let item = record.map(from_record);
    CancellationReason::builder().code(code).set_item(item).message("why").build()
}

fn fine() -> CancellationReason {
    reason("None", None)
}

fn failed(record: Option<&Record>) -> CancellationReason {
    reason("ConditionalCheckFailed", record)
}

fn record(n: i64) -> Record {
    Record::new().with("PK", "p").with("SK", "s").with("n", Number::from(n))
}

fn refused(action: usize, current: Option<Record>) -> Verdict {
    Verdict::Refused { action, current: current.map(Box::new) }
}

#[test]
fn the_first_action_that_failed_is_told_with_its_record() {
    let reasons = vec![fine(), failed(Some(&record(0))), failed(None), failed(None)];
    assert_eq!(judged(reasons).unwrap(), refused(1, Some(record(0))));
    assert_eq!(judged(vec![failed(None), failed(None)]).unwrap(), refused(0, None));
}

#[test]
fn an_expired_record_is_told_as_absent() {
    for (ttl, current) in [(NOW, None), (NOW + 1, Some(()))] {
        let record = record(0).with("ttl", Number::from(ttl));
        let expected = refused(0, current.map(|()| record.clone()));
        assert_eq!(judged(vec![failed(Some(&record))]).unwrap(), expected, "{ttl}");
    }
}

#[test]
fn a_change_record_that_somebody_else_wrote_decides_nothing() {
    let reasons = vec![fine(), fine(), fine(), failed(None)];
    assert_eq!(judged(reasons).unwrap(), Verdict::Undecided);
}

#[test]
fn behind_an_action_that_nobody_judged_nothing_is_decided() {
    for code in ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"] {
        let reasons = vec![reason(code, None), failed(None)];
        assert_eq!(judged(reasons).unwrap(), Verdict::Undecided, "{code}");
        let reasons = vec![failed(None), reason(code, None)];
        assert_eq!(judged(reasons).unwrap(), refused(0, None), "{code}");
    }
}

#[test]
fn a_guard_that_failed_is_no_refusal_while_the_conditions_are_met() {
    let with = |n: i64| vec![fine(), fine(), failed(Some(&record(n))), fine()];
    assert_eq!(judged(with(1)).unwrap(), Verdict::Undecided);
    assert_eq!(judged(with(0)).unwrap(), refused(2, Some(record(0))));
}

#[test]
fn what_the_database_finds_invalid_is_an_error() {
    let error = judged(vec![reason("ValidationError", None)]).unwrap_err();
    assert!(matches!(error, StorageError::Defect(_)), "{error}");
}
