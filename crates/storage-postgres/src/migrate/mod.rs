//! The schema, its two roles, and the check before serving.
//!
//! The owner's role runs migrations and owns every table; the run-time role serves and owns no
//! table, so that row-level security applies to all of its queries.

mod check;
mod error;
mod grants;
mod role;
mod scram;
mod status;
mod url;

use std::str::FromStr;

use sqlx::{
    Connection, PgConnection,
    migrate::{Migrate, Migration, Migrator},
    postgres::PgConnectOptions,
};

pub use check::{RoleProblem, check_runtime_role};
pub use error::Error;
pub use role::{DEFAULT_RUNTIME_ROLE, RuntimeRole};
pub use status::{MigrationState, MigrationStatus, status};

static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// The table of applied migrations.
const TABLE: &str = "_sqlx_migrations";

/// The result of every function here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How to bring a database up.
#[derive(Debug, Clone, Default)]
pub struct UpOptions {
    /// The run-time role; [`DEFAULT_RUNTIME_ROLE`] by default. Roles belong to the whole server, so
    /// databases that should not share a password need different roles.
    pub runtime_role: Option<String>,
    /// The password of the run-time role. By default, a new role gets a random one and an existing
    /// role keeps its own.
    pub password: Option<Password>,
    /// Gives an existing role a new random password, unless `password` is set.
    pub reset_password: bool,
}

/// A password that does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Wraps a password.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password([redacted])")
    }
}

/// The result of [`up`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpReport {
    /// The migrations that were applied now, oldest first.
    pub applied: Vec<MigrationName>,
    /// The role that serves.
    pub runtime_role: RuntimeRole,
}

/// A migration by number and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MigrationName {
    /// Its number.
    pub version: i64,
    /// What the migration does.
    pub description: String,
}

/// Applies every pending migration, ensures that the run-time role exists, and grants it exactly
/// the rights that it needs. Idempotent; concurrent runs wait for each other.
pub async fn up(owner_url: &str, options: &UpOptions) -> Result<UpReport> {
    let mut connection = connect(owner_url).await?;
    wait_for_others(&mut connection).await?;
    let applied = apply(&mut connection).await?;
    let runtime_role = role::ensure(&mut connection, owner_url, options).await?;
    connection.close().await?;
    Ok(UpReport { applied, runtime_role })
}

/// Reverts migrations, newest first, down to `to`; 0 removes everything of Larder from the
/// database. **The data of reverted migrations is lost.** The run-time role remains, because other
/// databases may use it.
pub async fn down(owner_url: &str, to: i64) -> Result<Vec<MigrationName>> {
    if to != 0 && !MIGRATOR.version_exists(to) {
        return Err(Error::UnknownTarget { to, newest: newest_version() });
    }
    let mut connection = connect(owner_url).await?;
    wait_for_others(&mut connection).await?;
    let status = status::read(&mut connection).await?;
    refuse_what_others_migrated(&status)?;
    let mut reverted = Vec::new();
    for MigrationStatus { name, state } in status.into_iter().rev() {
        if state == MigrationState::Applied && name.version > to {
            connection.revert(TABLE, script(name.version, Direction::Down)?).await?;
            reverted.push(name);
        }
    }
    if to == 0 {
        sqlx::query("DROP TABLE IF EXISTS _sqlx_migrations").execute(&mut connection).await?;
    }
    connection.close().await?;
    Ok(reverted)
}

async fn apply(connection: &mut PgConnection) -> Result<Vec<MigrationName>> {
    if !may_create(connection).await? {
        return Err(Error::MayNotCreate { role: current_user(connection).await? });
    }
    let status = status::read(connection).await?;
    refuse_what_others_migrated(&status)?;
    connection.ensure_migrations_table(TABLE).await?;
    let mut applied = Vec::new();
    for MigrationStatus { name, state } in status {
        if state == MigrationState::Pending {
            connection.apply(TABLE, script(name.version, Direction::Up)?).await?;
            applied.push(name);
        }
    }
    Ok(applied)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// The script that applies or reverts a migration.
fn script(version: i64, direction: Direction) -> Result<&'static Migration> {
    let mut scripts = MIGRATOR.iter().filter(|script| script.version == version);
    let is_wanted = |script: &&Migration| {
        script.migration_type.is_down_migration() == (direction == Direction::Down)
    };
    scripts.find(is_wanted).ok_or(Error::Irreversible { version })
}

/// Refuses to change a database with migrations that differ from this program's.
fn refuse_what_others_migrated(status: &[MigrationStatus]) -> Result<()> {
    let newest = newest_version();
    for MigrationStatus { name, state } in status.iter().rev() {
        let version = name.version;
        match state {
            MigrationState::Applied | MigrationState::Pending => {}
            MigrationState::Unknown => return Err(Error::DatabaseIsNewer { version, newest }),
            MigrationState::Changed => return Err(Error::Changed { version }),
            MigrationState::Dirty => return Err(Error::Dirty { version }),
        }
    }
    Ok(())
}

fn newest_version() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or_default()
}

async fn connect(owner_url: &str) -> Result<PgConnection> {
    let options = PgConnectOptions::from_str(owner_url).map_err(Error::Url)?;
    Ok(PgConnection::connect_with(&options).await?)
}

/// One at a time per database, roles and rights included; ends with the connection.
async fn wait_for_others(connection: &mut PgConnection) -> Result<()> {
    let sql = "SELECT pg_advisory_lock(hashtextextended('larder migrate', 0))";
    sqlx::query(sql).execute(connection).await?;
    Ok(())
}

async fn may_create(connection: &mut PgConnection) -> Result<bool> {
    let sql = "SELECT COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)";
    Ok(sqlx::query_scalar(sql).fetch_one(connection).await?)
}

async fn current_user(connection: &mut PgConnection) -> Result<String> {
    Ok(sqlx::query_scalar("SELECT current_user::text").fetch_one(connection).await?)
}
