//! The command line of `larder migrate`.

use clap::{Args, Subcommand};

use super::StoreArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  PGPASSWORD=… larder migrate up --store postgres://larder_owner@db.example/larder
  larder migrate status --store postgres://larder_owner@db.example/larder
  larder migrate down --to 2 --store postgres://larder_owner@db.example/larder
  LARDER_STORE=$(larder migrate up --store postgres://postgres@localhost/larder) larder serve

The store is named with the role that owns the schema, not the one that the server runs as. Its
password need not stand on the command line: PGPASSWORD, a .pgpass file or LARDER_STORE do.

Exit codes:
  0 done, or everything is applied; 1 failed, or migrations are pending; 2 wrong setting or wrong
  usage";

/// Commands on a schema.
#[derive(Debug, Subcommand)]
pub enum MigrateCommand {
    /// Upgrade the schema and prepare the role that the server runs as
    ///
    /// Reports the applied migrations on stderr, and prints the URL for `larder serve --store` on
    /// stdout.
    #[command(after_long_help = EXAMPLES)]
    Up(UpArgs),
    /// Revert migrations, newest first; their data is lost
    #[command(after_long_help = EXAMPLES)]
    Down(DownArgs),
    /// Show the applied migrations
    #[command(after_long_help = EXAMPLES)]
    Status(StoreArgs),
}

/// The flags of `larder migrate up`.
#[derive(Debug, Args)]
pub struct UpArgs {
    /// The store
    #[command(flatten)]
    pub store: StoreArgs,
    /// The role that the server runs as, created if absent [default: `larder_runtime`]
    #[arg(long, value_name = "NAME")]
    pub runtime_role: Option<String>,
    /// Give the role a new password; without this, an existing role keeps its password, which
    /// cannot be shown
    #[arg(long)]
    pub reset_password: bool,
}

/// The flags of `larder migrate down`.
#[derive(Debug, Args)]
pub struct DownArgs {
    /// The store
    #[command(flatten)]
    pub store: StoreArgs,
    /// Keep the migrations up to this number; 0 reverts all [default: the one before the newest
    /// applied]
    #[arg(long, value_name = "NUMBER")]
    pub to: Option<i64>,
}
