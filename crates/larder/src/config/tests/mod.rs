//! Settings from all layers, without touching the process.

mod precedence;
mod refusals;
mod schemas;
mod stores;

use std::collections::HashMap;
use std::path::Path;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::cli::{Cli, Command};

/// The layers of one start.
#[derive(Default)]
struct Start {
    flags: Vec<String>,
    environment: HashMap<String, OsString>,
    directory: Option<TempDir>,
}

impl Start {
    fn flag(mut self, flag: &str, value: &str) -> Self {
        self.flags.extend([flag.to_owned(), value.to_owned()]);
        self
    }

    fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// Names a settings file of this text, by environment.
    fn file(mut self, text: &str) -> Self {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("larder.toml");
        std::fs::write(&path, text).unwrap();
        self.directory = Some(directory);
        self.variable("LARDER_CONFIG", path)
    }

    fn file_path(&self) -> String {
        let directory = self.directory.as_ref().map_or(Path::new(""), TempDir::path);
        directory.join("larder.toml").display().to_string()
    }

    fn resolve(&self) -> Result<Settings, SettingError> {
        let line = ["larder", "serve"].into_iter().chain(self.flags.iter().map(String::as_str));
        let Command::Serve(flags) = Cli::try_parse_from(line).unwrap().into_command() else {
            panic!("the line says serve");
        };
        Settings::resolve(&flags, &|name| self.environment.get(name).cloned())
    }

    fn settings(&self) -> Settings {
        self.resolve().unwrap()
    }

    fn refusal(&self) -> String {
        self.resolve().unwrap_err().to_string()
    }
}
