//! The requests that change a table.

use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::operation::update_continuous_backups::UpdateContinuousBackupsError;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate,
    PointInTimeRecoverySpecification, TimeToLiveSpecification,
};

use super::Maker;
use crate::tables::error::Request;
use crate::tables::{IndexDeclaration, TablesError, schema};

impl Maker {
    pub(super) async fn create_table(&self) -> Result<(), TablesError> {
        let table = &self.table;
        let request = self
            .client
            .create_table()
            .table_name(&table.name)
            .set_key_schema(Some(schema::keys(table.keys)))
            .set_attribute_definitions(Some(schema::attributes(table)))
            .set_global_secondary_indexes(schema::indexes(table))
            .billing_mode(BillingMode::PayPerRequest)
            .deletion_protection_enabled(true);
        match self.in_turn(|| request.clone().send()).await? {
            Ok(_) => Ok(()),
            // It is being created concurrently: wait for it as for our own.
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(CreateTableError::is_resource_in_use_exception) =>
            {
                Ok(())
            }
            Err(error) => Err(self.failed("CreateTable", &error)),
        }
    }

    pub(super) async fn add_index(&self, index: &IndexDeclaration) -> Result<(), TablesError> {
        let action = CreateGlobalSecondaryIndexAction::builder()
            .index_name(index.name)
            .set_key_schema(Some(schema::keys(index.keys)))
            .projection(schema::whole_records())
            .build()
            .expect("an index with name, keys and projection is complete");
        let request = self
            .client
            .update_table()
            .table_name(&self.table.name)
            .set_attribute_definitions(Some(schema::attributes(&self.table)))
            .global_secondary_index_updates(
                GlobalSecondaryIndexUpdate::builder().create(action).build(),
            );
        let added = self.in_turn(|| request.clone().send()).await?;
        added.map_err(|error| self.failed("UpdateTable", &error))?;
        Ok(())
    }

    pub(super) async fn turn_on_ttl(&self, attribute: &str) -> Result<(), TablesError> {
        let specification = TimeToLiveSpecification::builder()
            .attribute_name(attribute)
            .enabled(true)
            .build()
            .expect("a specification with attribute and switch is complete");
        let request = self
            .client
            .update_time_to_live()
            .table_name(&self.table.name)
            .time_to_live_specification(specification);
        let turned_on = self.in_turn(|| request.clone().send()).await?;
        turned_on.map_err(|error| self.failed("UpdateTimeToLive", &error))?;
        Ok(())
    }

    /// A new table cannot have it at once: until its backups are set up, the service answers
    /// "unavailable".
    pub(super) async fn turn_on_recovery(&self) -> Result<(), TablesError> {
        let specification = PointInTimeRecoverySpecification::builder()
            .point_in_time_recovery_enabled(true)
            .build()
            .expect("a specification with its switch is complete");
        let mut poll = self.policy.begin();
        loop {
            let request = self
                .client
                .update_continuous_backups()
                .table_name(&self.table.name)
                .point_in_time_recovery_specification(specification.clone());
            let Err(error) = request.send().await else { return Ok(()) };
            let is_early = error.as_service_error().is_some_and(
                UpdateContinuousBackupsError::is_continuous_backups_unavailable_exception,
            );
            if !is_early {
                return Err(self.failed("UpdateContinuousBackups", &error));
            }
            self.pause(&mut poll, "setting up backups").await?;
        }
    }

    pub(super) async fn turn_on_protection(&self) -> Result<(), TablesError> {
        let request = self
            .client
            .update_table()
            .table_name(&self.table.name)
            .deletion_protection_enabled(true);
        let turned_on = self.in_turn(|| request.clone().send()).await?;
        turned_on.map_err(|error| self.failed("UpdateTable", &error))?;
        Ok(())
    }

    /// Sends a request until it is accepted: an account can change only a few tables at once, and
    /// fewer while it is busy.
    async fn in_turn<T, E, F>(
        &self,
        request: impl Fn() -> F,
    ) -> Result<Result<T, SdkError<E, HttpResponse>>, TablesError>
    where
        E: ProvideErrorMetadata,
        F: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
    {
        let mut poll = self.policy.begin();
        loop {
            match request().await {
                Err(error) if error.code() == Some("LimitExceededException") => {
                    let said = error.message().unwrap_or("too many tables at once").to_owned();
                    self.pause(&mut poll, &format!("for its turn ({said})")).await?;
                }
                answer => return Ok(answer),
            }
        }
    }

    fn failed<E>(&self, operation: &'static str, error: &SdkError<E, HttpResponse>) -> TablesError
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        Request { operation, table: &self.table.name, place: &self.place }.failed(error)
    }
}
