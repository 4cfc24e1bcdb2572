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

/// One item, with the condition that all kinds have in common.
macro_rules! item {
    ($Kind:ident.$add:ident, $table:ident, $guard:ident $(, $set:ident($value:expr))+) => {{
        let (when, marks): Guard = $guard;
        let item = $Kind::builder()
            .table_name($table.name)
            $(.$set($value))+
            .set_condition_expression(when)
            .set_expression_attribute_names(marks.names())
            .set_expression_attribute_values(marks.values())
            .return_values_on_condition_check_failure(SHOW_RECORD)
            .build();
        let item = item.map_err(|error| StorageError::Defect(error.to_string()))?;
        Ok(TransactWriteItem::builder().$add(item).build())
    }};
}

pub(super) fn put_item(
    table: NamedTable<'_>,
    record: &Record,
    guard: Guard,
) -> Result<TransactWriteItem> {
    item!(Put.put, table, guard, set_item(Some(from_record(record))))
}

pub(super) fn update_item(
    table: NamedTable<'_>,
    key: &Key,
    guard: Guard,
    expression: String,
) -> Result<TransactWriteItem> {
    let key = Some(from_key(table.keys, key));
    item!(Update.update, table, guard, set_key(key), update_expression(expression))
}

pub(super) fn delete_item(
    table: NamedTable<'_>,
    key: &Key,
    guard: Guard,
) -> Result<TransactWriteItem> {
    item!(Delete.delete, table, guard, set_key(Some(from_key(table.keys, key))))
}

pub(super) fn check_item(
    table: NamedTable<'_>,
    key: &Key,
    guard: Guard,
) -> Result<TransactWriteItem> {
    let key = Some(from_key(table.keys, key));
    item!(ConditionCheck.condition_check, table, guard, set_key(key))
}
