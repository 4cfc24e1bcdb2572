//! The engine and location of the data.

#[cfg(feature = "dynamodb")]
mod dynamodb;
#[cfg(feature = "postgres")]
mod postgres;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "dynamodb")]
pub use self::dynamodb::DynamoDbAddress;
#[cfg(feature = "postgres")]
pub use self::postgres::PostgresUrl;

use super::SettingError;
use super::layers::{Given, Layers};
use crate::cli::ServeArgs;

/// The engine that the `store` setting names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreSetting {
    /// The embedded engine, in this directory.
    Embedded(PathBuf),
    /// Tables of DynamoDB, or of a service that speaks its protocol.
    #[cfg(feature = "dynamodb")]
    DynamoDb(DynamoDbAddress),
    /// A database of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    Postgres(PostgresUrl),
}

impl StoreSetting {
    /// The configured store, for commands that need nothing else; `None` if there is none.
    pub fn resolve(
        flags: &ServeArgs,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Self>, SettingError> {
        let layers = Layers::read(flags, environment)?;
        layers.find("store")?.map(|given| Self::parse(&given)).transpose()
    }

    /// The directory of the store, if it is one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Embedded(directory) => Some(directory),
            #[cfg(any(feature = "dynamodb", feature = "postgres"))]
            _ => None,
        }
    }

    /// Whether the store is on this machine, so that opening it needs no network.
    pub fn is_local(&self) -> bool {
        self.directory().is_some()
    }

    pub(super) fn parse(given: &Given) -> Result<Self, SettingError> {
        let text = given.text.as_str();
        match text.split_once(':') {
            Some(("dynamodb", rest)) => dynamodb(given, rest),
            Some(("postgres" | "postgresql", _)) => postgres(given),
            // A URL may contain a password: only its scheme is repeated.
            Some((scheme, rest)) if rest.starts_with("//") => {
                Err(given.refuse_showing(&format!("{scheme}://…"), ACCEPTED))
            }
            _ if text.is_empty() => Err(given.refuse(ACCEPTED)),
            _ => Ok(Self::Embedded(text.into())),
        }
    }
}

/// As the log may show it: without user names, passwords and other parameters.
impl fmt::Display for StoreSetting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded(directory) => directory.display().fmt(out),
            #[cfg(feature = "dynamodb")]
            Self::DynamoDb(address) => address.fmt(out),
            #[cfg(feature = "postgres")]
            Self::Postgres(url) => url.fmt(out),
        }
    }
}

const ACCEPTED: &str = "a directory such as ./larder-data, a DynamoDB address such as \
                        dynamodb:?region=eu-central-1 or a URL such as postgres://host/database";

#[cfg(feature = "dynamodb")]
fn dynamodb(given: &Given, rest: &str) -> Result<StoreSetting, SettingError> {
    DynamoDbAddress::parse(rest).map(StoreSetting::DynamoDb).map_err(|mistake| {
        SettingError::StoreAddress { origin: given.origin.clone(), mistake: mistake.to_string() }
    })
}

#[cfg(not(feature = "dynamodb"))]
fn dynamodb(given: &Given, _: &str) -> Result<StoreSetting, SettingError> {
    Err(missing(given, "dynamodb:…", "DynamoDB", "dynamodb"))
}

#[cfg(feature = "postgres")]
fn postgres(given: &Given) -> Result<StoreSetting, SettingError> {
    PostgresUrl::parse(&given.text)
        .map(StoreSetting::Postgres)
        .map_err(|mistake| SettingError::StoreAddress { origin: given.origin.clone(), mistake })
}

#[cfg(not(feature = "postgres"))]
fn postgres(given: &Given) -> Result<StoreSetting, SettingError> {
    Err(missing(given, "postgres://…", "PostgreSQL", "postgres"))
}

#[cfg(not(all(feature = "dynamodb", feature = "postgres")))]
fn missing(
    given: &Given,
    shown: &str,
    engine: &'static str,
    feature: &'static str,
) -> SettingError {
    let (origin, value) = (given.origin.clone(), shown.to_owned());
    SettingError::EngineMissing { origin, value, engine, feature }
}
