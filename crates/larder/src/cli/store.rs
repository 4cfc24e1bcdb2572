//! The flags of commands on a store.

use clap::Args;

use super::ServeArgs;

/// The store of a command.
#[derive(Debug, Default, Args)]
pub struct StoreArgs {
    /// Settings file (TOML) that may name the store
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// The store; also by `LARDER_STORE` or in the settings file
    #[arg(long, value_name = "STORE")]
    pub store: Option<String>,
}

impl StoreArgs {
    /// The same as flags of the server, so that all commands read settings in the same way.
    pub fn as_flags(&self) -> ServeArgs {
        ServeArgs { config: self.config.clone(), store: self.store.clone(), ..ServeArgs::default() }
    }
}
