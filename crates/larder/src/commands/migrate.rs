//! `larder migrate`: the schema of a PostgreSQL store.

use larder_storage_postgres::migrate::{self, MigrationState, MigrationStatus, UpOptions};

use super::{CommandError, Console, DONE, Environment, FAILED};
use crate::cli::{DownArgs, MigrateCommand, StoreArgs, UpArgs};
use crate::config::{PostgresUrl, StoreSetting};

pub(super) async fn run(
    command: &MigrateCommand,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    match command {
        MigrateCommand::Up(args) => up(&owner_url(&args.store, environment)?, args, console).await,
        MigrateCommand::Down(args) => {
            down(&owner_url(&args.store, environment)?, args, console).await
        }
        MigrateCommand::Status(store) => status(&owner_url(store, environment)?, console).await,
    }
}

/// Only the URL goes to stdout, so that `$(larder migrate up …)` is the store to serve from.
async fn up(url: &PostgresUrl, args: &UpArgs, console: Console<'_>) -> Result<u8, CommandError> {
    let options = UpOptions {
        runtime_role: args.runtime_role.clone(),
        reset_password: args.reset_password,
        ..UpOptions::default()
    };
    let report = migrate::up(url.expose(), &options).await.map_err(|error| failed(&error))?;
    for migration in &report.applied {
        let (version, description) = (migration.version, &migration.description);
        writeln!(console.progress, "applied {version:04} {description}")?;
    }
    if report.applied.is_empty() {
        writeln!(console.progress, "nothing to apply: {url} is up to date")?;
    }
    let role = report.runtime_role;
    if role.has_password {
        writeln!(
            console.progress,
            "the server runs as {}; its password is in this URL and is not shown again:",
            role.name
        )?;
    } else {
        writeln!(
            console.progress,
            "the server runs as {}, which keeps its password; set PGPASSWORD beside this URL, or give \
             it a new one with --reset-password:",
            role.name
        )?;
    }
    writeln!(console.answer, "{}", role.url)?;
    Ok(DONE)
}

async fn down(
    url: &PostgresUrl,
    args: &DownArgs,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    let to = match args.to {
        Some(to) => to,
        None => {
            before_newest(&migrate::status(url.expose()).await.map_err(|error| failed(&error))?)
        }
    };
    let reverted = migrate::down(url.expose(), to).await.map_err(|error| failed(&error))?;
    for migration in &reverted {
        let (version, description) = (migration.version, &migration.description);
        writeln!(console.answer, "took back {version:04} {description}")?;
    }
    if reverted.is_empty() {
        writeln!(console.answer, "nothing to take back")?;
    }
    Ok(DONE)
}

async fn status(url: &PostgresUrl, console: Console<'_>) -> Result<u8, CommandError> {
    let status = migrate::status(url.expose()).await.map_err(|error| failed(&error))?;
    for MigrationStatus { name, state } in &status {
        let said = match state {
            MigrationState::Applied => "applied",
            MigrationState::Pending => "pending",
            MigrationState::Changed => "applied with another content than this program has",
            MigrationState::Dirty => "broken off",
            MigrationState::Unknown => "applied, but unknown to this program",
        };
        writeln!(console.answer, "{:04} {}: {said}", name.version, name.description)?;
    }
    let is_current = status.iter().all(|migration| migration.state == MigrationState::Applied);
    Ok(if is_current { DONE } else { FAILED })
}

/// The default target: the migration before the newest one.
fn before_newest(status: &[MigrationStatus]) -> i64 {
    let applied = status.iter().filter(|migration| migration.state != MigrationState::Pending);
    let mut versions: Vec<i64> = applied.map(|migration| migration.name.version).collect();
    versions.sort_unstable();
    versions.pop();
    versions.pop().unwrap_or_default()
}

fn owner_url(store: &StoreArgs, environment: Environment<'_>) -> Result<PostgresUrl, CommandError> {
    match StoreSetting::resolve(&store.as_flags(), &|variable| environment(variable))? {
        Some(StoreSetting::Postgres(url)) => Ok(url),
        store => Err(CommandError::OtherStore {
            command: "migrate",
            engine: "PostgreSQL",
            store,
            example: "postgres://owner@host/database",
        }),
    }
}

fn failed(error: &migrate::Error) -> CommandError {
    CommandError::Failed { sentence: error.to_string(), code: FAILED }
}

#[cfg(test)]
mod tests {
    use larder_storage_postgres::migrate::MigrationName;

    use super::*;

    fn migration(version: i64, state: MigrationState) -> MigrationStatus {
        let description = "a step".to_owned();
        MigrationStatus { name: MigrationName { version, description }, state }
    }

    #[test]
    fn down_takes_one_step_back_unless_told() {
        use MigrationState::{Applied, Pending};
        assert_eq!(before_newest(&[]), 0);
        assert_eq!(before_newest(&[migration(1, Pending)]), 0);
        assert_eq!(before_newest(&[migration(1, Applied), migration(2, Pending)]), 0);
        let three = [migration(1, Applied), migration(2, Applied), migration(5, Applied)];
        assert_eq!(before_newest(&three), 2);
    }
}
