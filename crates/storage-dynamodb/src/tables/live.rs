//! The live tables of an account, reduced to the properties in the declaration.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::describe_continuous_backups::DescribeContinuousBackupsError;
use aws_sdk_dynamodb::types::{
    BillingMode, IndexStatus, KeySchemaElement, KeyType, PointInTimeRecoveryStatus, Projection,
    ProjectionType, ProvisionedThroughputDescription, TableDescription, TableStatus,
    TimeToLiveStatus,
};

use super::TablesError;
use super::error::{Request, is_unknown_operation};

/// A live table. A setting is `None` if the endpoint does not support it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LiveTable {
    pub(super) status: String,
    pub(super) keys: Vec<String>,
    pub(super) attribute_types: BTreeMap<String, String>,
    pub(super) indexes: Vec<LiveIndex>,
    pub(super) is_on_demand: bool,
    pub(super) is_protected: Option<bool>,
    pub(super) ttl: Option<LiveTtl>,
    pub(super) is_recoverable: Option<bool>,
}

/// A secondary index as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LiveIndex {
    pub(super) name: String,
    pub(super) keys: Vec<String>,
    pub(super) projects_all: bool,
    pub(super) status: String,
    pub(super) is_global: bool,
}

/// Whether and by which attribute records expire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LiveTtl {
    Off,
    By(String),
}

/// How far a table is.
pub(super) enum Stage {
    Absent,
    /// The change in progress.
    Busy(String),
    /// In service, with all its indexes.
    Active(Box<TableDescription>),
}

/// Reads how far a table is, with one request.
pub(super) async fn read_stage(
    client: &Client,
    table: &str,
    place: &str,
) -> Result<Stage, TablesError> {
    let Some(description) = read_description(client, table, place).await? else {
        return Ok(Stage::Absent);
    };
    let live = reduce(&description, None, None);
    if live.status != "ACTIVE" {
        return Ok(Stage::Busy(live.status));
    }
    let busy = live.indexes.into_iter().find(|index| index.status != "ACTIVE");
    Ok(match busy {
        Some(index) => Stage::Busy(format!("{} its index {}", index.status, index.name)),
        None => Stage::Active(Box::new(description)),
    })
}

/// Reads a table with all its settings; `None` if it does not exist.
pub(super) async fn read(
    client: &Client,
    table: &str,
    place: &str,
) -> Result<Option<LiveTable>, TablesError> {
    let Some(description) = read_description(client, table, place).await? else { return Ok(None) };
    read_settings(client, &description, table, place).await.map(Some)
}

/// Reads the settings that a table has beside its description.
pub(super) async fn read_settings(
    client: &Client,
    description: &TableDescription,
    table: &str,
    place: &str,
) -> Result<LiveTable, TablesError> {
    let ttl = read_ttl(client, table, place).await?;
    let is_recoverable = read_recovery(client, table, place).await?;
    Ok(reduce(description, ttl, is_recoverable))
}

pub(super) async fn read_description(
    client: &Client,
    table: &str,
    place: &str,
) -> Result<Option<TableDescription>, TablesError> {
    match client.describe_table().table_name(table).send().await {
        Ok(answer) => Ok(answer.table),
        Err(error) => match error.as_service_error() {
            Some(refusal) if refusal.is_resource_not_found_exception() => Ok(None),
            _ => Err(Request { operation: "DescribeTable", table, place }.failed(&error)),
        },
    }
}

async fn read_ttl(
    client: &Client,
    table: &str,
    place: &str,
) -> Result<Option<LiveTtl>, TablesError> {
    match client.describe_time_to_live().table_name(table).send().await {
        Ok(answer) => {
            let ttl = answer.time_to_live_description;
            let is_on = ttl.as_ref().and_then(|ttl| ttl.time_to_live_status()).is_some_and(|it| {
                matches!(it, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling)
            });
            let attribute = ttl.and_then(|ttl| ttl.attribute_name).filter(|_| is_on);
            Ok(Some(attribute.map_or(LiveTtl::Off, LiveTtl::By)))
        }
        Err(error) if is_unknown_operation(&error) => Ok(None),
        Err(error) => Err(Request { operation: "DescribeTimeToLive", table, place }.failed(&error)),
    }
}

async fn read_recovery(
    client: &Client,
    table: &str,
    place: &str,
) -> Result<Option<bool>, TablesError> {
    match client.describe_continuous_backups().table_name(table).send().await {
        Ok(answer) => {
            let status = answer
                .continuous_backups_description
                .and_then(|backups| backups.point_in_time_recovery_description)
                .and_then(|recovery| recovery.point_in_time_recovery_status);
            Ok(Some(status == Some(PointInTimeRecoveryStatus::Enabled)))
        }
        Err(error) if is_unknown_operation(&error) => Ok(None),
        // The table exists, but is too new for this part of the service.
        Err(error)
            if error
                .as_service_error()
                .is_some_and(DescribeContinuousBackupsError::is_table_not_found_exception) =>
        {
            Ok(Some(false))
        }
        Err(error) => {
            Err(Request { operation: "DescribeContinuousBackups", table, place }.failed(&error))
        }
    }
}

fn reduce(
    table: &TableDescription,
    ttl: Option<LiveTtl>,
    is_recoverable: Option<bool>,
) -> LiveTable {
    let attribute_types = table.attribute_definitions().iter().map(|attribute| {
        (attribute.attribute_name.clone(), attribute.attribute_type.as_str().to_owned())
    });
    let global = table.global_secondary_indexes().iter().map(|index| LiveIndex {
        name: index.index_name().unwrap_or_default().to_owned(),
        keys: keys(index.key_schema()),
        projects_all: projects_all(index.projection()),
        status: status(index.index_status().map(IndexStatus::as_str)),
        is_global: true,
    });
    let local = table.local_secondary_indexes().iter().map(|index| LiveIndex {
        name: index.index_name().unwrap_or_default().to_owned(),
        keys: keys(index.key_schema()),
        projects_all: projects_all(index.projection()),
        status: status(None),
        is_global: false,
    });
    LiveTable {
        status: status(table.table_status().map(TableStatus::as_str)),
        keys: keys(table.key_schema()),
        attribute_types: attribute_types.collect(),
        indexes: global.chain(local).collect(),
        is_on_demand: is_on_demand(table),
        is_protected: table.deletion_protection_enabled(),
        ttl,
        is_recoverable,
    }
}

/// The partition key and then the sort key, from any order.
fn keys(schema: &[KeySchemaElement]) -> Vec<String> {
    let of_type = |wanted: KeyType| {
        schema
            .iter()
            .filter(move |key| key.key_type == wanted)
            .map(|key| key.attribute_name.clone())
    };
    of_type(KeyType::Hash).chain(of_type(KeyType::Range)).collect()
}

fn projects_all(projection: Option<&Projection>) -> bool {
    projection.and_then(Projection::projection_type) == Some(&ProjectionType::All)
}

/// An endpoint that reports no status is always active.
fn status(told: Option<&str>) -> String {
    told.unwrap_or("ACTIVE").to_owned()
}

/// A table that was never billed on demand has no summary at all; one without reserved units is not
/// billed by them.
fn is_on_demand(table: &TableDescription) -> bool {
    match table.billing_mode_summary().and_then(|summary| summary.billing_mode()) {
        Some(mode) => *mode == BillingMode::PayPerRequest,
        None => table
            .provisioned_throughput()
            .and_then(ProvisionedThroughputDescription::write_capacity_units)
            .is_none_or(|units| units == 0),
    }
}
