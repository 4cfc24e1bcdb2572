//! The command line.
//!
//! Flags are taken as text and parsed in [`crate::config`], so that an invalid value gets the same
//! message from a flag, the environment or the file. There is no flag for a secret: command lines
//! are visible to every user of the machine.

mod migrate;
mod resources;
mod serve;
mod simulate;
mod store;
mod tables;
#[cfg(test)]
mod tests;
mod upkeep;

use clap::{Parser, Subcommand};

pub use self::migrate::{DownArgs, MigrateCommand, UpArgs};
pub use self::resources::{ResourcesCommand, UpcastArgs};
pub use self::serve::ServeArgs;
pub use self::simulate::SimulateArgs;
pub use self::store::StoreArgs;
pub use self::tables::{DescribeArgs, TablesCommand};
pub use self::upkeep::DeadLettersCommand;

const EXAMPLES_AND_ENVIRONMENT: &str = "\
Examples:
  larder                                      serve on http://127.0.0.1:7070, data in ./larder-data
  larder serve --listen 0.0.0.0:7070 --public-url https://larder.example
  larder serve --config /etc/larder.toml --log json
  larder serve --store 'dynamodb:?region=eu-central-1&prefix=home-'
  PGPASSWORD=… larder serve --store postgres://larder_runtime@db.example/larder

Settings:
  A flag wins over the environment, the environment over the file, the file over the default.
  Each flag has an environment variable and a key in the file: --public-url is LARDER_PUBLIC_URL
  and public_url. An empty environment variable counts as not set, except for
  LARDER_STORE, which must not be empty. Relative paths start at the working directory.

Secrets (environment only; an absent one is made on first run, in <data>/secrets, mode 0600):
  LARDER_JWT_SECRET        signs access tokens; at least 32 bytes
  LARDER_CURSOR_KEY        authenticates page cursors; at least 32 bytes
  LARDER_API_KEY_PEPPER    hashes the API keys of devices; at least 32 bytes
  LARDER_OPERATOR_TOKEN    allows operator calls; at least 32 characters; never made: without it there
                           are no such calls
  LARDER_WEBHOOK_SECRET    signs what is posted to --webhook-url; at least 32 bytes
  LARDER_SMTP_URL          the mail server, such as smtps://user:password@mail.example; never made,
                           but read from <data>/secrets/smtp-url
  Servers that share a store must share these too, by the environment or by the same files.

Exit codes:
  0 stopped as asked, 1 failed while running, 2 wrong setting or wrong usage";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "larder",
    version,
    about = "Larder keeps a household's stock: what is in the cupboard, how much, and what goes off when",
    long_about = "Larder keeps a household's stock: what is in the cupboard, how much, and what goes \
                  off when.\n\nOne program with its own store, or with one of DynamoDB or \
                  PostgreSQL. Without a command it serves.",
    after_long_help = EXAMPLES_AND_ENVIRONMENT,
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

impl Cli {
    /// The command to run; without one, `larder` serves, so that starting it needs no manual.
    pub fn into_command(self) -> Command {
        self.command.unwrap_or_else(|| Command::Serve(Box::new(self.serve)))
    }
}

/// The commands of `larder`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the household over HTTP (the default command)
    #[command(after_long_help = EXAMPLES_AND_ENVIRONMENT)]
    Serve(Box<ServeArgs>),
    /// Create, verify or show the tables of a DynamoDB store
    #[command(subcommand, after_long_help = tables::EXAMPLES)]
    Tables(TablesCommand),
    /// Change or show the schema of a PostgreSQL store
    #[command(subcommand, after_long_help = migrate::EXAMPLES)]
    Migrate(MigrateCommand),
    /// Find and repair inconsistencies
    #[command(after_long_help = upkeep::RECONCILE_EXAMPLES)]
    Reconcile(StoreArgs),
    /// Upcast resources to the newest schema version
    #[command(subcommand, after_long_help = resources::EXAMPLES)]
    Resources(ResourcesCommand),
    /// Show or retry dead letters: notifications that could not be delivered
    #[command(subcommand, after_long_help = upkeep::DEAD_LETTERS_EXAMPLES)]
    DeadLetters(DeadLettersCommand),
    /// Send readings of simulated devices to a server
    #[command(after_long_help = simulate::EXAMPLES)]
    Simulate(SimulateArgs),
}
