//! Sending a transaction exactly once, with retries.

use std::sync::Arc;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, CancellationReason, ReturnValue};
use larder_storage::{Result, StorageError};
use larder_storage_item::Key;
use tokio::time::timeout_at;

use super::Partition;
use super::plan::Plan;
use crate::attributes::{from_key, to_record};
use crate::database::Database;
use crate::error::{Failure, classify};
use crate::expression::Placeholders;
use crate::journal::{Place, place};
use crate::retry::RetryBudget;
use crate::tables::{BY_RECORD, CHANGES_KEYS};
use crate::units::WriteUnits;

/// The answer of the database.
pub(super) enum Sent {
    Committed,
    /// Nothing was changed: one reason for each item.
    Canceled(Vec<CancellationReason>),
}

impl Database {
    /// Sends a plan until its outcome is known. The token makes retries idempotent, so that a lost
    /// answer neither loses nor repeats a commit.
    pub(super) async fn send(&self, plan: &Plan, retries: &mut RetryBudget<'_>) -> Result<Sent> {
        if plan.items.is_empty() {
            return Ok(Sent::Committed);
        }
        let request = self
            .client
            .transact_write_items()
            .set_transact_items(Some(plan.items.clone()))
            .client_request_token(self.random.token());
        loop {
            let answer = timeout_at(retries.until, request.clone().send()).await;
            let error = match answer {
                Ok(Ok(_)) => {
                    self.units.wrote(plan.units);
                    return Ok(Sent::Committed);
                }
                Ok(Err(error)) => error,
                Err(_) => return Err(StorageError::Unavailable("no answer in time".to_owned())),
            };
            if let Some(reasons) = cancellation(&error) {
                self.units.wrote(plan.units.refused());
                return Ok(Sent::Canceled(reasons));
            }
            match classify(&error) {
                Failure::Permanent(error) => return Err(error),
                Failure::Transient(reason) => {
                    if !retries.wait().await {
                        return Err(StorageError::Unavailable(reason));
                    }
                }
            }
        }
    }

    /// Lets the first change of a transaction expire that is no longer the newest. Runs in the
    /// background: if it fails, one change record stays until a reader of the journal finds it.
    pub(crate) fn let_expire(&self, (table, pk): &Partition, transaction: u64) {
        if transaction == 0 {
            return;
        }
        let key = Key::new(place::partition(*table, pk), Place::first(transaction).sort_key());
        let mut marks = Placeholders::default();
        let ttl = marks.name("ttl");
        let expiry = AttributeValue::N(self.journal_expiry_s().to_string());
        let expression = format!("SET {ttl} = {}", marks.value(expiry));
        let exists = format!("attribute_exists({})", marks.name("PK"));
        let table = self.names.changes();
        let request = self
            .client
            .update_item()
            .table_name(table.name)
            .set_key(Some(from_key(table.keys, &key)))
            .update_expression(expression)
            .condition_expression(exists)
            .set_expression_attribute_names(marks.names())
            .set_expression_attribute_values(marks.values())
            // For its size.
            .set_return_values(self.units.is_counting().then_some(ReturnValue::AllNew));
        let units = Arc::clone(&self.units);
        self.background.spawn(async move {
            let Ok(answer) = request.send().await else { return };
            if let Some(Ok(new)) = answer.attributes.map(|new| to_record(CHANGES_KEYS, new)) {
                let mut old = new.clone();
                old.remove("ttl");
                units.wrote(WriteUnits::of_write(&[BY_RECORD], Some(&old), Some(&new)));
            }
        });
    }
}

fn cancellation(error: &SdkError<TransactWriteItemsError>) -> Option<Vec<CancellationReason>> {
    match error.as_service_error()? {
        TransactWriteItemsError::TransactionCanceledException(canceled) => {
            Some(canceled.cancellation_reasons().to_vec())
        }
        _ => None,
    }
}
