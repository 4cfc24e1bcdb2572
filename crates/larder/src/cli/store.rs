//! The flags of commands that work on a store rather than serve from it.

use clap::Args;

use super::ServeArgs;

/// Which store a command works on.
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
    /// The same as flags of the server, so that all settings are found in one way.
    pub fn as_flags(&self) -> ServeArgs {
        ServeArgs { config: self.config.clone(), store: self.store.clone(), ..ServeArgs::default() }
    }
}
