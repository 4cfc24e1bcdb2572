//! The items of a request: each with its own condition, and with its record as the answer if that is not met.

use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use larder_storage::{Result, StorageError};
use larder_storage_item::{Condition, Key, Record, Table};

use crate::attributes::{from_key, from_record};
use crate::expression::{Conditions, Placeholders};
use crate::names::NamedTable;

const SHOW_RECORD: ReturnValuesOnConditionCheckFailure =
    ReturnValuesOnConditionCheckFailure::AllOld;

/// A condition, if there is one, with its placeholders.
pub(super) type Guard = (Option<String>, Placeholders);

/// A condition that a key without expiry is free.
pub(super) fn nobody_wrote() -> Guard {
    let mut marks = Placeholders::default();
    let conditions = Conditions { table: Table::Relational, now_s: 0 };
    (conditions.all(&[Condition::NotExists], &mut marks), marks)
}

fn built<T, E: std::fmt::Display>(item: Result<T, E>) -> Result<T> {
    item.map_err(|error| StorageError::Defect(error.to_string()))
}

pub(super) fn put_item(
    table: NamedTable<'_>,
    record: &Record,
    (when, marks): Guard,
) -> Result<TransactWriteItem> {
    let put = Put::builder()
        .table_name(table.name)
        .set_item(Some(from_record(record)))
        .set_condition_expression(when)
        .set_expression_attribute_names(marks.names())
        .set_expression_attribute_values(marks.values())
        .return_values_on_condition_check_failure(SHOW_RECORD);
    Ok(TransactWriteItem::builder().put(built(put.build())?).build())
}

pub(super) fn update_item(
    table: NamedTable<'_>,
    key: &Key,
    (when, marks): Guard,
    expression: String,
) -> Result<TransactWriteItem> {
    let update = Update::builder()
        .table_name(table.name)
        .set_key(Some(from_key(table.keys, key)))
        .update_expression(expression)
        .set_condition_expression(when)
        .set_expression_attribute_names(marks.names())
        .set_expression_attribute_values(marks.values())
        .return_values_on_condition_check_failure(SHOW_RECORD);
    Ok(TransactWriteItem::builder().update(built(update.build())?).build())
}

pub(super) fn delete_item(
    table: NamedTable<'_>,
    key: &Key,
    (when, marks): Guard,
) -> Result<TransactWriteItem> {
    let delete = Delete::builder()
        .table_name(table.name)
        .set_key(Some(from_key(table.keys, key)))
        .set_condition_expression(when)
        .set_expression_attribute_names(marks.names())
        .set_expression_attribute_values(marks.values())
        .return_values_on_condition_check_failure(SHOW_RECORD);
    Ok(TransactWriteItem::builder().delete(built(delete.build())?).build())
}

pub(super) fn check_item(
    table: NamedTable<'_>,
    key: &Key,
    (when, marks): Guard,
) -> Result<TransactWriteItem> {
    let check = ConditionCheck::builder()
        .table_name(table.name)
        .set_key(Some(from_key(table.keys, key)))
        .set_condition_expression(when)
        .set_expression_attribute_names(marks.names())
        .set_expression_attribute_values(marks.values())
        .return_values_on_condition_check_failure(SHOW_RECORD);
    Ok(TransactWriteItem::builder().condition_check(built(check.build())?).build())
}
