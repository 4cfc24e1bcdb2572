//! Which migrations are applied.

use std::collections::BTreeMap;

use sqlx::{Connection, PgConnection, migrate::Migration};

use super::{MIGRATOR, MigrationName, Result, connect};

/// The status of one migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// The migration.
    pub name: MigrationName,
    /// Its state.
    pub state: MigrationState,
}

/// The state of a migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// Applied as this program has it.
    Applied,
    /// Not applied yet.
    Pending,
    /// Applied, but its content differs from this program's.
    Changed,
    /// Begun and not finished.
    Dirty,
    /// Applied by a newer program; unknown to this one.
    Unknown,
}

/// Every migration of this program and the database, oldest first. Read-only.
pub async fn status(owner_url: &str) -> Result<Vec<MigrationStatus>> {
    let mut connection = connect(owner_url).await?;
    let status = read(&mut connection).await?;
    connection.close().await?;
    Ok(status)
}

type AppliedRow = (i64, String, Vec<u8>, bool);

pub(super) async fn read(
    connection: &mut PgConnection,
) -> Result<Vec<MigrationStatus>, sqlx::Error> {
    let has_table: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    let mut rows: Vec<AppliedRow> = Vec::new();
    if has_table {
        let sql = "SELECT version, description, checksum, success FROM _sqlx_migrations";
        rows = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    }
    let known = MIGRATOR.iter().filter(|migration| migration.migration_type.is_up_migration());
    let mut all: BTreeMap<i64, MigrationStatus> =
        known.clone().map(|migration| (migration.version, pending(migration))).collect();
    for (version, description, checksum, success) in rows {
        let known = known.clone().find(|migration| migration.version == version);
        let state = match known {
            _ if !success => MigrationState::Dirty,
            None => MigrationState::Unknown,
            Some(migration) if *migration.checksum != *checksum => MigrationState::Changed,
            Some(_) => MigrationState::Applied,
        };
        let name = MigrationName { version, description };
        all.insert(version, MigrationStatus { name, state });
    }
    Ok(all.into_values().collect())
}

fn pending(migration: &Migration) -> MigrationStatus {
    let description = migration.description.to_string();
    let name = MigrationName { version: migration.version, description };
    MigrationStatus { name, state: MigrationState::Pending }
}
