//! The commands that prepare, inspect and repair a store, and the one that tries out a server.
//!
//! A command's answer goes to stdout, so that it can be saved or piped; its progress goes to
//! stderr.

#[cfg(feature = "postgres")]
mod migrate;
mod opened;
mod resources;
mod simulate;
#[cfg(feature = "dynamodb")]
mod tables;
#[cfg(test)]
mod tests;
mod upkeep;

use std::ffi::OsString;
use std::io::{self, Write};

use crate::cli::{MigrateCommand, TablesCommand};
use crate::config::{SettingError, StoreSetting};

pub use self::resources::resources;
pub use self::simulate::simulate;
pub use self::upkeep::{dead_letters, reconcile};

/// Success.
pub const DONE: u8 = 0;
/// Failed, or found something that is not as it should be.
pub const FAILED: u8 = 1;
/// A wrong setting or wrong usage.
pub const WRONG_SETTING: u8 = 2;
/// Could not find out.
pub const UNKNOWN: u8 = 3;

/// Looks up an environment variable, so that tests need not change the process.
pub type Environment<'a> = &'a (dyn Fn(&str) -> Option<OsString> + Sync);

/// The outputs of a command.
pub struct Console<'a> {
    /// The answer, on stdout.
    pub answer: &'a mut (dyn Write + Send),
    /// Progress, on stderr.
    pub progress: &'a mut (dyn Write + Send),
}

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The command is for stores of another kind.
    #[error(
        "`larder {command}` works on a {engine} store, but the store is {}: give one such as --store \
         '{example}'",
        shown(store.as_ref())
    )]
    OtherStore {
        /// The command.
        command: &'static str,
        /// The required engine.
        engine: &'static str,
        /// The store given, if any.
        store: Option<StoreSetting>,
        /// A valid store.
        example: &'static str,
    },
    /// The command is for an engine that was not built in.
    #[error(
        "`larder {command}` works on a {engine} store, but this build does not have that engine: build \
         Larder with the feature {feature}"
    )]
    EngineMissing {
        /// The command.
        command: &'static str,
        /// The required engine.
        engine: &'static str,
        /// The feature of the build that has it.
        feature: &'static str,
    },
    /// The store refused, or cannot be reached.
    #[error("{sentence}")]
    Failed {
        /// What happened, and how to fix it.
        sentence: String,
        /// The exit code.
        code: u8,
    },
    /// The output was closed.
    #[error("the answer cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// The exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Setting(_) | Self::OtherStore { .. } | Self::EngineMissing { .. } => {
                WRONG_SETTING
            }
            Self::Failed { code, .. } => *code,
            Self::Output(_) => FAILED,
        }
    }
}

fn shown(store: Option<&StoreSetting>) -> String {
    store.map_or("not given".to_owned(), StoreSetting::to_string)
}

/// `larder tables`; returns the exit code.
#[cfg(feature = "dynamodb")]
pub async fn tables(
    command: &TablesCommand,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    tables::run(command, environment, console).await
}

/// `larder tables` in a build without DynamoDB.
#[cfg(not(feature = "dynamodb"))]
#[expect(clippy::unused_async, reason = "the same shape in every build")]
pub async fn tables(
    _: &TablesCommand,
    _: Environment<'_>,
    _: Console<'_>,
) -> Result<u8, CommandError> {
    let (command, engine, feature) = ("tables", "DynamoDB", "dynamodb");
    Err(CommandError::EngineMissing { command, engine, feature })
}

/// `larder migrate`; returns the exit code.
#[cfg(feature = "postgres")]
pub async fn migrate(
    command: &MigrateCommand,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    migrate::run(command, environment, console).await
}

/// `larder migrate` in a build without PostgreSQL.
#[cfg(not(feature = "postgres"))]
#[expect(clippy::unused_async, reason = "the same shape in every build")]
pub async fn migrate(
    _: &MigrateCommand,
    _: Environment<'_>,
    _: Console<'_>,
) -> Result<u8, CommandError> {
    let (command, engine, feature) = ("migrate", "PostgreSQL", "postgres");
    Err(CommandError::EngineMissing { command, engine, feature })
}
