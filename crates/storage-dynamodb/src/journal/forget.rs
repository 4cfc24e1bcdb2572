//! Forgetting changes.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{DeleteRequest, WriteRequest};
use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Record, Table};

use super::entry::{IMAGES, StoredEntry};
use super::place;
use crate::attributes::{from_key, to_record};
use crate::database::Database;
use crate::expression::Placeholders;
use crate::tables::{BY_RECORD, CHANGES_KEYS};

/// The most deletions of one request: DynamoDB's limit.
const DELETIONS_AT_ONCE: usize = 25;

impl Database {
    /// Forgets the changes of a partition, or of one record of it; see the port.
    pub(crate) async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize> {
        match sk {
            None => self.delete_changes(place::partition(table, pk), limit).await,
            Some(sk) => self.empty_changes(table, &Key::new(pk, sk), limit).await,
        }
    }

    /// Deletes all changes of a partition that nothing is written to any more, so that its numbers
    /// may begin anew.
    async fn delete_changes(&self, partition: String, limit: usize) -> Result<usize> {
        let request = self
            .changes_of("PK", partition, None)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let found = self.keys_of(request).await?;
        self.delete_all(&found).await?;
        Ok(found.len())
    }

    /// Empties the changes of one record. They keep their places, which the changes of other
    /// records count from.
    async fn empty_changes(&self, table: Table, key: &Key, limit: usize) -> Result<usize> {
        let request = self
            .changes_of(BY_RECORD.pk, place::record_id(table, key), None)
            .index_name(BY_RECORD.name)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, false);
        let mut emptied = 0;
        for item in answer.items.unwrap_or_default() {
            let record = to_record(CHANGES_KEYS, item)?;
            let beside = StoredEntry::from_record(&record)?.beside;
            let images: Vec<Key> = beside.into_iter().map(|(_, key)| key).collect();
            self.delete_all(&images).await?;
            emptied += usize::from(self.empty_change(&record).await?);
        }
        Ok(emptied)
    }

    /// Empties one change; `false` if it is empty, and the index has not noticed yet.
    async fn empty_change(&self, record: &Record) -> Result<bool> {
        let key = self.names.changes().key_of(record).ok_or_else(|| record.misfit("no key"))?;
        let mut marks = Placeholders::default();
        let contents = IMAGES.into_iter().chain(["beside", BY_RECORD.pk]);
        let names: Vec<String> = contents.map(|name| marks.name(name)).collect();
        let still = format!("attribute_exists({})", marks.name(BY_RECORD.pk));
        let request = self
            .client
            .update_item()
            .table_name(self.names.changes().name)
            .set_key(Some(from_key(CHANGES_KEYS, &key)))
            .update_expression(format!("REMOVE {}", names.join(", ")))
            .condition_expression(still)
            .set_expression_attribute_names(marks.names());
        let mut retries = self.retries();
        let sent = retries.send(|| async {
            match request.clone().send().await {
                Ok(_) => Ok(true),
                Err(error)
                    if error
                        .as_service_error()
                        .is_some_and(UpdateItemError::is_conditional_check_failed_exception) =>
                {
                    Ok(false)
                }
                Err(error) => Err(error),
            }
        });
        sent.await
    }

    async fn keys_of(
        &self,
        request: aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder,
    ) -> Result<Vec<Key>> {
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, true);
        let records = answer.items.unwrap_or_default().into_iter();
        let records = records.map(|item| to_record(CHANGES_KEYS, item));
        records
            .map(|record| {
                let record = record?;
                self.names.changes().key_of(&record).ok_or_else(|| record.misfit("no key"))
            })
            .collect()
    }

    /// Deletes change records, or images beside them. What the service leaves undone is found again
    /// by the next call.
    async fn delete_all(&self, doomed: &[Key]) -> Result<()> {
        for chunk in doomed.chunks(DELETIONS_AT_ONCE) {
            let delete = |key: &Key| -> Result<WriteRequest> {
                let request = DeleteRequest::builder().set_key(Some(from_key(CHANGES_KEYS, key)));
                let request = request.build().map_err(|e| StorageError::Defect(e.to_string()))?;
                Ok(WriteRequest::builder().delete_request(request).build())
            };
            let requests: Vec<WriteRequest> = chunk.iter().map(delete).collect::<Result<_>>()?;
            let request =
                self.client.batch_write_item().request_items(self.names.changes().name, requests);
            self.retries().send(|| request.clone().send()).await?;
        }
        Ok(())
    }
}
