//! The command line of `larder resources`.

use clap::{Args, Subcommand};

use super::{ServeArgs, StoreArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  larder resources upcast --schemas ./schemas.toml --store ./larder-data
  LARDER_STORE=postgres://larder_runtime@db.example/larder larder resources upcast --schemas ./schemas.toml

Resources of older shapes are read in the newest at any time, and written in it when they are next saved;
this writes the rest. Interrupted, it goes on where it was. A store in a directory has one process at a
time: stop the server first. Other stores may be served meanwhile, by servers that know the same shapes.

Exit codes:
  0 all are in the newest shape; 1 failed, or some are not, which are named; 2 wrong setting or wrong
  usage";

/// Commands on the resources of a store.
#[derive(Debug, Subcommand)]
pub enum ResourcesCommand {
    /// Rewrite resources in the newest schema version
    #[command(after_long_help = EXAMPLES)]
    Upcast(UpcastArgs),
}

/// The flags of `larder resources upcast`.
#[derive(Debug, Default, Args)]
pub struct UpcastArgs {
    /// The store
    #[command(flatten)]
    pub store: StoreArgs,
    /// File (TOML) of the conversions from older schema versions to the newest; also by
    /// `LARDER_SCHEMAS` or in the settings file
    #[arg(long, value_name = "FILE")]
    pub schemas: Option<String>,
}

impl UpcastArgs {
    /// The same as flags of the server, so that all commands read settings in the same way.
    pub fn as_flags(&self) -> ServeArgs {
        ServeArgs { schemas: self.schemas.clone(), ..self.store.as_flags() }
    }
}
