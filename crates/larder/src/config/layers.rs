//! The layers of settings, as text, in their order of precedence.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use super::{MIN_SECRET_BYTES, Origin, SettingError};
use crate::cli::ServeArgs;
use crate::secrets::Secret;

/// The keys of the settings file. Flag and variable follow from the name: `public_url` is
/// `--public-url` and `LARDER_PUBLIC_URL`.
pub const FILE_KEYS: &[&str] = &[
    "listen",
    "metrics_listen",
    "tls_cert",
    "tls_key",
    "store",
    "data",
    "public_url",
    "trusted_proxy",
    "max_connections",
    "max_connections_per_address",
    "header_timeout_seconds",
    "idle_timeout_seconds",
    "http2",
    "log",
    "log_level",
    "rate_limits",
    "registration",
    "durability",
    "journal_days",
    "clock_confirmed",
    "reading_retention_days",
    "device_requests_per_minute",
    "schemas",
    "postgres_pool_min",
    "postgres_pool_max",
    "postgres_statement_timeout_ms",
    "postgres_lock_timeout_ms",
    "postgres_pooler",
    "shutdown_grace_seconds",
    "oidc_issuer",
    "oidc_client_id",
    "oidc_name",
    "oidc_audience",
    "oidc_jwks",
    "webhook_url",
    "mail_from",
    "mail_per_day",
    "barcode_catalog",
    "barcode_endpoint",
];

/// A value and its origin.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    pub(super) text: String,
}

impl Given {
    pub(super) fn refuse(&self, accepted: &str) -> SettingError {
        self.refuse_showing(&self.text, accepted)
    }

    /// The same, showing another text if the value may contain a secret.
    pub(super) fn refuse_showing(&self, value: &str, accepted: &str) -> SettingError {
        SettingError::Refused {
            name: self.name.to_owned(),
            origin: self.origin.clone(),
            value: value.to_owned(),
            accepted: accepted.to_owned(),
        }
    }

    /// The path that this value names, of a file that can be read.
    pub(super) fn readable_path(&self) -> Result<PathBuf, SettingError> {
        // One byte shows it, of a file that may be larger than memory.
        let read = File::open(&self.text).and_then(|mut file| file.read(&mut [0]));
        read.map(|_| PathBuf::from(&self.text)).map_err(|reason| self.unreadable(&reason))
    }

    /// The contents of the file that this value names.
    pub(super) fn read_file(&self) -> Result<String, SettingError> {
        std::fs::read_to_string(&self.text).map_err(|reason| self.unreadable(&reason))
    }

    fn unreadable(&self, reason: &io::Error) -> SettingError {
        SettingError::Unreadable {
            name: self.name.to_owned(),
            origin: self.origin.clone(),
            value: self.text.clone(),
            reason: reason.to_string(),
        }
    }
}

/// Flags, environment and file; defaults are the caller's.
pub(super) struct Layers<'a> {
    flags: &'a ServeArgs,
    environment: &'a dyn Fn(&str) -> Option<OsString>,
    file: Option<SettingsFile>,
}

struct SettingsFile {
    path: PathBuf,
    table: toml::Table,
}

impl<'a> Layers<'a> {
    pub(super) fn read(
        flags: &'a ServeArgs,
        environment: &'a dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SettingError> {
        let mut layers = Self { flags, environment, file: None };
        if let Some(given) = layers.find("config")? {
            layers.file = Some(SettingsFile::read(&given)?);
        }
        Ok(layers)
    }

    /// The value of the highest layer that has one.
    pub(super) fn find(&self, name: &'static str) -> Result<Option<Given>, SettingError> {
        if let Some(text) = self.flags.flag(name) {
            let origin = Origin::Flag(format!("--{}", name.replace('_', "-")));
            return Ok(Some(Given { name, origin, text: text.to_owned() }));
        }
        let variable = format!("LARDER_{}", name.to_ascii_uppercase());
        let text = self.variable(&variable)?.or_else(|| {
            // Only the store may not be empty: `LARDER_STORE=$(larder migrate up …)` is empty if
            // that fails, and serving a new store instead would look like data loss.
            (name == "store" && (self.environment)(&variable).is_some()).then(String::new)
        });
        if let Some(text) = text {
            return Ok(Some(Given { name, origin: Origin::Environment(variable), text }));
        }
        self.file.as_ref().map_or(Ok(None), |file| file.find(name))
    }

    /// The value of `name`, parsed by `parser`, or an error that says what is `accepted`.
    pub(super) fn parse<T>(
        &self,
        name: &'static str,
        accepted: &str,
        parser: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingError> {
        self.find(name)?
            .map(|given| parser(&given.text).ok_or_else(|| given.refuse(accepted)))
            .transpose()
    }

    /// The value of a setting with a few allowed words.
    pub(super) fn choose<T: Copy>(
        &self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, SettingError> {
        self.parse(name, &alternatives(choices), |text| {
            choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice)
        })
    }

    /// A secret from the environment, the only layer that may hold one.
    pub(super) fn secret(&self, variable: &str) -> Result<Option<Secret>, SettingError> {
        match self.variable(variable)? {
            Some(text) if text.len() < MIN_SECRET_BYTES => Err(SettingError::ShortSecret {
                variable: variable.to_owned(),
                length: text.len(),
                minimum: MIN_SECRET_BYTES,
            }),
            text => Ok(text.map(|text| Secret::new(text.into_bytes()))),
        }
    }

    /// A secret of the environment that clients send in a header.
    pub(super) fn token(&self, variable: &str) -> Result<Option<Secret>, SettingError> {
        let token = self.secret(variable)?;
        match &token {
            Some(token) if !token.expose().iter().all(u8::is_ascii_graphic) => {
                Err(SettingError::UnsendableToken { variable: variable.to_owned() })
            }
            _ => Ok(token),
        }
    }

    /// An environment variable. Empty counts as absent: container tools pass unset variables as
    /// empty ones.
    pub(super) fn variable(&self, variable: &str) -> Result<Option<String>, SettingError> {
        (self.environment)(variable)
            .filter(|value| !value.is_empty())
            .map(|value| {
                value
                    .into_string()
                    .map_err(|_| SettingError::NotText { variable: variable.to_owned() })
            })
            .transpose()
    }
}

impl SettingsFile {
    fn read(given: &Given) -> Result<Self, SettingError> {
        let path = PathBuf::from(&given.text);
        let text = given.read_file()?;
        let table: toml::Table = text.parse().map_err(|mistake: toml::de::Error| {
            let offset = mistake.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or_default();
            SettingError::NotToml {
                path: path.clone(),
                line: before.matches('\n').count() + 1,
                reason: mistake.message().replace('\n', ", "),
            }
        })?;
        match table.keys().find(|key| !FILE_KEYS.contains(&key.as_str())) {
            Some(key) => Err(SettingError::UnknownKey {
                path,
                key: key.clone(),
                known: FILE_KEYS.join(", "),
            }),
            None => Ok(Self { path, table }),
        }
    }

    fn find(&self, name: &'static str) -> Result<Option<Given>, SettingError> {
        let text = match self.table.get(name) {
            None => return Ok(None),
            Some(toml::Value::String(text)) => text.clone(),
            Some(toml::Value::Integer(number)) => number.to_string(),
            Some(toml::Value::Boolean(true)) => "on".to_owned(),
            Some(toml::Value::Boolean(false)) => "off".to_owned(),
            Some(other) => {
                return Err(SettingError::WrongType {
                    path: self.path.clone(),
                    key: name.to_owned(),
                    found: other.type_str(),
                });
            }
        };
        Ok(Some(Given { name, origin: Origin::File(self.path.clone()), text }))
    }
}

/// `a, b or c`.
fn alternatives<T>(choices: &[(&str, T)]) -> String {
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
