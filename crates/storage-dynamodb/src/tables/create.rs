//! Making what is missing.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::operation::update_continuous_backups::UpdateContinuousBackupsError;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate,
    PointInTimeRecoverySpecification, TimeToLiveSpecification,
};

use super::error::Request;
use super::live::{LiveTable, Stage};
use super::wait::Patience;
use super::{
    Difference, Feature, IndexDeclaration, Report, TableDeclaration, TablesError, compare,
    declared, live, schema,
};
use crate::DynamoOptions;

/// Makes the tables, indexes and settings that are missing, waits until they are in service, and answers
/// with what still differs. Made again, it changes nothing. What is there with other keys, another billing
/// mode or another time to live is left as it is: only a person can know what depends on it.
///
/// `progress` is told each step, one line at a time.
pub async fn create(
    options: &DynamoOptions,
    progress: impl FnMut(&str) + Send,
) -> Result<Report, TablesError> {
    create_patiently(options, progress, Patience::default()).await
}

async fn create_patiently(
    options: &DynamoOptions,
    mut progress: impl FnMut(&str) + Send,
    patience: Patience,
) -> Result<Report, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = super::control_client(options).await;
    let place = super::error::place(options);
    let mut reports = Vec::with_capacity(tables.len());
    for table in &tables {
        let mut say = |step: &str| progress(&format!("{}: {step}", table.name));
        let mut maker =
            Maker { client: &client, place: &place, table, patience, progress: &mut say };
        reports.push(maker.make().await?);
    }
    Ok(Report { place, tables: reports })
}

/// Makes one table.
struct Maker<'a> {
    client: &'a Client,
    place: &'a str,
    table: &'a TableDeclaration,
    patience: Patience,
    progress: &'a mut (dyn FnMut(&str) + Send),
}

impl Maker<'_> {
    async fn make(&mut self) -> Result<super::TableReport, TablesError> {
        if self.stage().await? == Stage::Absent {
            (self.progress)("creating");
            self.create_table().await?;
        } else {
            (self.progress)("is there already");
        }
        self.wait_until_active().await?;
        if let Some(live) = self.read().await? {
            self.complete(&live).await?;
        }
        let report = compare::compare(self.table, self.read().await?.as_ref());
        for feature in &report.unsupported {
            (self.progress)(&format!("{feature}: not supported by this endpoint"));
        }
        Ok(report)
    }

    /// Adds to a table in service what it lacks.
    async fn complete(&mut self, live: &LiveTable) -> Result<(), TablesError> {
        let differences = compare::compare(self.table, Some(live)).differences;
        let is_ours = !differences.iter().any(is_of_another_table);
        for difference in differences {
            match &difference {
                Difference::IndexMissing { index } if is_ours && live.is_on_demand => {
                    (self.progress)(&format!("adding the index {index}"));
                    let declared = self.table.indexes.iter().find(|it| it.name == index.as_str());
                    self.add_index(declared.expect("only declared indexes can be missing")).await?;
                    self.wait_until_active().await?;
                }
                Difference::TimeToLiveOff { declared } if is_ours => {
                    (self.progress)(&format!("turning on {} by {declared}", Feature::TimeToLive));
                    self.turn_on_ttl(declared).await?;
                }
                Difference::PointInTimeRecoveryOff if is_ours => {
                    (self.progress)(&format!("turning on {}", Feature::PointInTimeRecovery));
                    self.turn_on_recovery().await?;
                }
                Difference::DeletionProtectionOff if is_ours => {
                    (self.progress)(&format!("turning on {}", Feature::DeletionProtection));
                    self.turn_on_protection().await?;
                    self.wait_until_active().await?;
                }
                other => (self.progress)(&format!("left as it is: {other}")),
            }
        }
        Ok(())
    }

    async fn read(&self) -> Result<Option<LiveTable>, TablesError> {
        live::read(self.client, &self.table.name, self.place).await
    }

    async fn stage(&self) -> Result<Stage, TablesError> {
        live::read_stage(self.client, &self.table.name, self.place).await
    }

    /// Waits until the table and all its indexes are in service.
    async fn wait_until_active(&mut self) -> Result<(), TablesError> {
        let mut waiting = self.patience.begin();
        loop {
            let state = match self.stage().await? {
                Stage::Active => return Ok(()),
                Stage::Busy(state) => state,
                // Right after its creation a table may not be seen yet.
                Stage::Absent => "being created".to_owned(),
            };
            (self.progress)(&format!("waiting: {state}, {} s", waiting.seconds()));
            waiting.pause(&self.table.name, &state).await?;
        }
    }

    async fn create_table(&self) -> Result<(), TablesError> {
        let table = self.table;
        let made = self
            .client
            .create_table()
            .table_name(&table.name)
            .set_key_schema(Some(schema::keys(table.keys)))
            .set_attribute_definitions(Some(schema::attributes(table)))
            .set_global_secondary_indexes(schema::indexes(table))
            .billing_mode(BillingMode::PayPerRequest)
            .deletion_protection_enabled(true)
            .send()
            .await;
        match made {
            Ok(_) => Ok(()),
            // Someone else makes it at the same moment: wait for it like for our own.
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(CreateTableError::is_resource_in_use_exception) =>
            {
                Ok(())
            }
            Err(error) => Err(self.request("CreateTable").failed(&error)),
        }
    }

    async fn add_index(&self, index: &IndexDeclaration) -> Result<(), TablesError> {
        let action = CreateGlobalSecondaryIndexAction::builder()
            .index_name(index.name)
            .set_key_schema(Some(schema::keys(index.keys)))
            .projection(schema::whole_records())
            .build()
            .expect("an index with name, keys and projection is complete");
        self.client
            .update_table()
            .table_name(&self.table.name)
            .set_attribute_definitions(Some(schema::attributes(self.table)))
            .global_secondary_index_updates(
                GlobalSecondaryIndexUpdate::builder().create(action).build(),
            )
            .send()
            .await
            .map_err(|error| self.request("UpdateTable").failed(&error))?;
        Ok(())
    }

    async fn turn_on_ttl(&self, attribute: &str) -> Result<(), TablesError> {
        let specification = TimeToLiveSpecification::builder()
            .attribute_name(attribute)
            .enabled(true)
            .build()
            .expect("a specification with attribute and switch is complete");
        self.client
            .update_time_to_live()
            .table_name(&self.table.name)
            .time_to_live_specification(specification)
            .send()
            .await
            .map_err(|error| self.request("UpdateTimeToLive").failed(&error))?;
        Ok(())
    }

    /// A new table cannot have it at once: until its backups are set up, the service says "unavailable".
    async fn turn_on_recovery(&mut self) -> Result<(), TablesError> {
        let specification = PointInTimeRecoverySpecification::builder()
            .point_in_time_recovery_enabled(true)
            .build()
            .expect("a specification with its switch is complete");
        let mut waiting = self.patience.begin();
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
                return Err(self.request("UpdateContinuousBackups").failed(&error));
            }
            let state = "setting up backups";
            (self.progress)(&format!("waiting: {state}, {} s", waiting.seconds()));
            waiting.pause(&self.table.name, state).await?;
        }
    }

    async fn turn_on_protection(&self) -> Result<(), TablesError> {
        self.client
            .update_table()
            .table_name(&self.table.name)
            .deletion_protection_enabled(true)
            .send()
            .await
            .map_err(|error| self.request("UpdateTable").failed(&error))?;
        Ok(())
    }

    fn request(&self, operation: &'static str) -> Request<'_> {
        Request { operation, table: &self.table.name, place: self.place }
    }
}

/// Whether a difference shows that this is not our table but another of the same name.
fn is_of_another_table(difference: &Difference) -> bool {
    matches!(difference, Difference::Keys { .. } | Difference::AttributeType { .. })
}
