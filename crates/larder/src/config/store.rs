//! Which engine keeps the data, and where.

use std::path::{Path, PathBuf};

use super::SettingError;
use super::layers::Given;

/// The engine that the `store` setting names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreSetting {
    /// The embedded engine, in this directory.
    Embedded(PathBuf),
}

impl StoreSetting {
    /// The directory that holds the data and the secrets of this node.
    pub fn data_directory(&self) -> &Path {
        match self {
            Self::Embedded(directory) => directory,
        }
    }

    pub(super) fn parse(given: &Given) -> Result<Self, SettingError> {
        let text = given.text.as_str();
        let missing = |value: &str, engine| SettingError::EngineMissing {
            origin: given.origin.clone(),
            value: value.to_owned(),
            engine,
        };
        if text.starts_with("dynamodb:") {
            return Err(missing("dynamodb:…", "DynamoDB"));
        }
        // A URL may hold a password: only its scheme is repeated.
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => Err(missing("postgres://…", "PostgreSQL")),
            Some((scheme, _)) => Err(SettingError::Refused {
                name: given.name.to_owned(),
                origin: given.origin.clone(),
                value: format!("{scheme}://…"),
                accepted: ACCEPTED.to_owned(),
            }),
            None if text.is_empty() => Err(given.refuse(ACCEPTED)),
            None => Ok(Self::Embedded(text.into())),
        }
    }
}

const ACCEPTED: &str = "a directory, such as ./larder-data";
