//! Errors of settings: one sentence each, with the setting, its origin and the accepted values.

use std::fmt;
use std::path::PathBuf;

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A flag such as `--listen`.
    Flag(String),
    /// A variable such as `LARDER_LISTEN`.
    Environment(String),
    /// The settings file.
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(out, "the flag {flag}"),
            Self::Environment(variable) => write!(out, "the environment variable {variable}"),
            Self::File(path) => write!(out, "the file {}", path.display()),
        }
    }
}

/// Why the server does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The value is not one that the setting accepts.
    #[error("the setting {name} is {value:?} (from {origin}), but it must be {accepted}")]
    Refused {
        /// The setting.
        name: String,
        /// The origin of the value.
        origin: Origin,
        /// The value, without any password in it.
        value: String,
        /// The accepted values.
        accepted: String,
    },
    /// The store is of an engine that was not built in.
    #[error(
        "the setting store is {value:?} (from {origin}), but this build does not have the {engine} \
         engine: it must be a directory, such as ./larder-data, unless Larder is built with the \
         feature {feature}"
    )]
    EngineMissing {
        /// The origin of the value.
        origin: Origin,
        /// Only the scheme: the rest may contain a password.
        value: String,
        /// The requested engine.
        engine: &'static str,
        /// The feature of the build that has it.
        feature: &'static str,
    },
    /// The URL of a remote store is invalid. It is not repeated, as it may contain a password.
    #[error("the setting store (from {origin}) {mistake}")]
    StoreAddress {
        /// The origin of the value.
        origin: Origin,
        /// The mistake.
        mistake: String,
    },
    /// A lower bound above its upper bound.
    #[error("the setting {lower} is {least}, but it must not be above {upper}, which is {most}")]
    BoundsCrossed {
        /// The setting of the lower bound.
        lower: &'static str,
        /// Its value.
        least: u32,
        /// The setting of the upper bound.
        upper: &'static str,
        /// Its value.
        most: u32,
    },
    /// A variable is not UTF-8; its value is not shown, as it may be a secret.
    #[error("the environment variable {variable} must be UTF-8 text, but it is not")]
    NotText {
        /// The variable.
        variable: String,
    },
    /// A secret is too short.
    #[error(
        "the environment variable {variable} holds {length} bytes, but a secret must have at least \
         {minimum}"
    )]
    ShortSecret {
        /// The variable.
        variable: String,
        /// How long it is.
        length: usize,
        /// How long it must be.
        minimum: usize,
    },
    /// A secret that must be a URL is not one. It is not shown.
    #[error(
        "the environment variable {variable} is not usable, as {mistake}: it must be {accepted}"
    )]
    SecretUrl {
        /// The variable.
        variable: &'static str,
        /// The mistake.
        mistake: &'static str,
        /// The accepted values.
        accepted: &'static str,
    },
    /// A token that no HTTP header could carry.
    #[error(
        "the environment variable {variable} must be printable ASCII without spaces, as it is sent \
         in a header, but it is not"
    )]
    UnsendableToken {
        /// The variable.
        variable: String,
    },
    /// The OIDC settings are incomplete.
    #[error("the setting {missing} is absent, but {needed_by} needs it")]
    OidcIncomplete {
        /// The first setting that is absent.
        missing: &'static str,
        /// A setting that is given and makes no sense without it.
        needed_by: &'static str,
    },
    /// People log in at an issuer whose endpoints are not looked up.
    #[error(
        "the settings oidc_client_id and oidc_jwks are both given, but logging in takes what the issuer \
         publishes: leave out oidc_jwks, and its keys are found as well"
    )]
    OidcKeysInFile,
    /// TLS needs a certificate and its key.
    #[error(
        "the setting {missing} is absent, but tls_cert and tls_key must be given together or not at all"
    )]
    TlsIncomplete {
        /// The setting that is absent.
        missing: &'static str,
    },
    /// A file that a setting names cannot be read.
    #[error(
        "the setting {name} is {value:?} (from {origin}), but it must be a readable file: {reason}"
    )]
    Unreadable {
        /// The setting.
        name: String,
        /// The origin of the value.
        origin: Origin,
        /// The path.
        value: String,
        /// The operating system's error.
        reason: String,
    },
    /// The file of resource schemas is invalid.
    #[error("line {line} of the file {} (from {origin}) is wrong: {reason}", path.display())]
    Schemas {
        /// The origin of the file name.
        origin: Origin,
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The mistake.
        reason: String,
    },
    /// The settings file is not TOML.
    #[error("the file {} must be TOML, but line {line} is not: {reason}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The mistake.
        reason: String,
    },
    /// The settings file has an unknown key.
    #[error(
        "the file {} has the unknown key {key:?}, but it must have no keys except {known} (secrets \
         come from the environment or from files of their own)",
        path.display()
    )]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The valid keys.
        known: String,
    },
    /// A value in the settings file has the wrong type: a list, table, date or fraction.
    #[error(
        "the setting {key} in the file {} is of the type {found}, but it must be a string, a whole \
         number or a boolean",
        path.display()
    )]
    WrongType {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The TOML type found.
        found: &'static str,
    },
}
