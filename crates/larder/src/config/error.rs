//! Refusals of settings: one sentence each, naming the setting, its origin and what is accepted.

use std::fmt;
use std::path::PathBuf;

/// Where a value came from.
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
        /// Where the value came from.
        origin: Origin,
        /// The value, without any password it may hold.
        value: String,
        /// What would do.
        accepted: String,
    },
    /// The store is of an engine that was not built in.
    #[error(
        "the setting store is {value:?} (from {origin}), but this build does not have the {engine} \
         engine: it must be a directory, such as ./larder-data, unless Larder is built with the \
         feature {feature}"
    )]
    EngineMissing {
        /// Where the value came from.
        origin: Origin,
        /// The scheme alone: the rest may hold a password.
        value: String,
        /// The engine asked for.
        engine: &'static str,
        /// The feature of the build that has it.
        feature: &'static str,
    },
    /// The store is somewhere else, and its address is wrong. It is not repeated, as it may hold a
    /// password.
    #[error("the setting store (from {origin}) {mistake}")]
    StoreAddress {
        /// Where the value came from.
        origin: Origin,
        /// What is wrong.
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
    /// A secret that has to be a URL is something else; it is not shown.
    #[error(
        "the environment variable {variable} is not usable, as {mistake}: it must be {accepted}"
    )]
    SecretUrl {
        /// The variable.
        variable: &'static str,
        /// What is wrong.
        mistake: &'static str,
        /// What would do.
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
    /// Outside identity is told by half.
    #[error(
        "the setting {missing} is absent, but oidc_issuer, oidc_audience and oidc_jwks must be given \
         together or not at all"
    )]
    OidcIncomplete {
        /// The first setting that is absent.
        missing: &'static str,
    },
    /// A file that a setting names cannot be read.
    #[error(
        "the setting {name} is {value:?} (from {origin}), but it must be a readable file: {reason}"
    )]
    Unreadable {
        /// The setting.
        name: String,
        /// Where the value came from.
        origin: Origin,
        /// The path.
        value: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file with the shapes of resources says something that cannot be.
    #[error("line {line} of the file {} (from {origin}) is wrong: {reason}", path.display())]
    Schemas {
        /// Where the name of the file came from.
        origin: Origin,
        /// The file.
        path: PathBuf,
        /// Where the mistake is, counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The settings file is not TOML.
    #[error("the file {} must be TOML, but line {line} is not: {reason}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// Where the mistake is, counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The settings file has a key that means nothing.
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
        /// The keys that would do.
        known: String,
    },
    /// The settings file has a list, table, date or fraction where none belongs.
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
