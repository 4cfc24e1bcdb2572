//! The limits of one transaction.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{ConditionCheck, TransactWriteItem};
use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, MAX_ACTIONS, MAX_TRANSACTION_BYTES, Table};

use super::plan::Plan;
use crate::attributes::from_key;
use crate::database::Database;
use crate::error::{Failure, classify};
use crate::units::WriteUnits;

/// The limits of known endpoints, largest first: the service itself, its past and compatible
/// clusters, and old versions of DynamoDB Local.
const LIMITS: [usize; 3] = [MAX_ACTIONS, 25, 10];

impl Database {
    /// The endpoint's limit of actions per transaction. Probed once, with actions that cannot
    /// succeed.
    pub(crate) async fn max_actions(&self) -> Result<usize> {
        let known = self.max_actions.get_or_try_init(|| async {
            for window in LIMITS.windows(2) {
                if self.takes(window[1] + 1).await? {
                    return Ok(window[0]);
                }
            }
            Ok::<_, StorageError>(LIMITS[LIMITS.len() - 1])
        });
        known.await.copied()
    }

    /// Whether a transaction of this many actions is evaluated, not rejected for its size.
    async fn takes(&self, actions: usize) -> Result<bool> {
        let table = self.names.of(Table::Relational);
        let (mut checks, mut units) = (Vec::with_capacity(actions), WriteUnits::default());
        for n in 0..actions {
            let check = ConditionCheck::builder()
                .table_name(table.name)
                .set_key(Some(from_key(table.keys, &Key::new("LIMIT", format!("{n:03}")))))
                .condition_expression("attribute_exists(PK)")
                .build()
                .map_err(|error| StorageError::Defect(error.to_string()))?;
            checks.push(TransactWriteItem::builder().condition_check(check).build());
            units += WriteUnits::of_check(None);
        }
        let request = self.client.transact_write_items().set_transact_items(Some(checks));
        let mut retries = self.retries();
        loop {
            let Err(error) = request.clone().send().await else { return Ok(true) };
            if let Some(TransactWriteItemsError::TransactionCanceledException(_)) =
                error.as_service_error()
            {
                self.units.wrote(units);
                return Ok(true);
            }
            match classify(&error) {
                Failure::Permanent(StorageError::Defect(_)) => return Ok(false),
                Failure::Permanent(error) => return Err(error),
                Failure::Transient(reason) if !retries.wait().await => {
                    return Err(StorageError::Unavailable(reason));
                }
                Failure::Transient(_) => {}
            }
        }
    }

    /// Refuses a plan that exceeds the endpoint's limits, before anything is sent.
    pub(super) async fn check_limits(&self, plan: &Plan) -> Result<()> {
        let bytes: usize = plan.bytes.iter().sum();
        if bytes > MAX_TRANSACTION_BYTES {
            return Err(StorageError::TooLarge(format!(
                "a transaction of {bytes} bytes with its change records, where {MAX_TRANSACTION_BYTES} are the most"
            )));
        }
        let actions = plan.items.len();
        // Within every endpoint's limit.
        if actions <= LIMITS[LIMITS.len() - 1] {
            return Ok(());
        }
        let most = self.max_actions().await?;
        if actions > most {
            return Err(StorageError::TooLarge(format!(
                "{actions} actions with its change records, where this endpoint takes {most}"
            )));
        }
        Ok(())
    }
}
