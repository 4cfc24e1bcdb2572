//! Settings: a flag wins over the environment, the environment over the file, the file over the
//! default.
//!
//! All layers hold text, and every value is parsed by the same parser, so an invalid one gets the
//! same message from any layer.

mod barcodes;
mod channels;
mod connections;
mod error;
mod layers;
mod oidc;
mod postgres;
mod schemas;
mod store;
#[cfg(test)]
mod tests;
mod tls;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use larder_app::Registration;
use larder_http::{PublicUrl, TrustedProxies};

use self::layers::Layers;
use crate::cli::ServeArgs;
use crate::logging::{LogFormat, LogLevel};
use crate::secrets::{GivenSecrets, Secret};

pub use self::barcodes::BarcodeSettings;
pub use self::channels::ChannelSettings;
pub use self::connections::ConnectionSettings;
pub use self::error::{Origin, SettingError};
pub use self::layers::FILE_KEYS;
pub use self::oidc::{OidcClient, OidcKeys, OidcSettings};
pub use self::postgres::{Pooler, PostgresSettings};
pub use self::schemas::Schemas;
#[cfg(feature = "dynamodb")]
pub use self::store::DynamoDbAddress;
#[cfg(feature = "postgres")]
pub use self::store::PostgresUrl;
pub use self::store::StoreSetting;
pub use self::tls::TlsSettings;

/// The minimal length of a secret: HMAC-SHA-256 gains nothing beyond its 32-byte output, and RFC
/// 7518 (section 3.2) requires as much.
pub const MIN_SECRET_BYTES: usize = 32;

const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7070);
/// The default store, and the default directory of a server's own files with a remote store.
const DEFAULT_DIRECTORY: &str = "./larder-data";
const DEFAULT_JOURNAL_DAYS: u16 = 35;
const DEFAULT_READING_RETENTION_DAYS: u16 = 90;
/// Ten years: beyond it the history would outweigh the data.
const MAX_DAYS: u16 = 3650;
/// A higher limit would be no limit: no server answers that many.
const MAX_DEVICE_REQUESTS: u32 = 10_000_000;
const DEFAULT_GRACE_SECONDS: u64 = 10;
const MAX_GRACE_SECONDS: u64 = 600;

/// When a write counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// After fsync: it survives power loss.
    Full,
    /// When the operating system has it: it survives a crash of Larder, perhaps not of the machine.
    Relaxed,
}

/// The validated settings of `larder serve`.
#[derive(Debug, PartialEq, Eq)]
pub struct Settings {
    /// The address to bind; port 0 means any free one.
    pub listen: SocketAddr,
    /// The address of `/metrics`, if it is another one.
    pub metrics_listen: Option<SocketAddr>,
    /// The certificate, if the server serves TLS itself.
    pub tls: Option<TlsSettings>,
    /// The store.
    pub store: StoreSetting,
    /// The directory of this server's own files, if configured; see [`Settings::data_directory`].
    pub data: Option<PathBuf>,
    /// The public URL, if configured; see [`Settings::public_url_at`].
    pub public_url: Option<PublicUrl>,
    /// Proxies whose client addresses are trusted.
    pub trusted_proxies: TrustedProxies,
    /// Limits and time-outs of connections.
    pub connections: ConnectionSettings,
    /// The form of the log.
    pub log_format: LogFormat,
    /// The least severe log lines shown.
    pub log_level: LogLevel,
    /// Whether guessable calls are limited.
    pub rate_limits: bool,
    /// Who may register.
    pub registration: Registration,
    /// When a write counts as done.
    pub durability: Durability,
    /// Retention of the change journal, in days.
    pub journal_days: u16,
    /// A day on which an operator confirmed that the clock is right.
    pub clock_confirmed: Option<Date>,
    /// Retention of readings after their own time, in days.
    pub reading_retention_days: u16,
    /// How often one API key may be used each minute, if calls are limited at all.
    pub device_requests_per_minute: u32,
    /// The shapes of resources.
    pub schemas: Schemas,
    /// How a PostgreSQL store is used.
    pub postgres: PostgresSettings,
    /// Time limit for requests in flight when stopping.
    pub shutdown_grace: Duration,
    /// The OIDC issuer whose tokens are accepted.
    pub oidc: Option<OidcSettings>,
    /// How notifications leave the house.
    pub channels: ChannelSettings,
    /// Who suggests names for unknown barcodes.
    pub barcodes: BarcodeSettings,
    /// The token that allows operator calls.
    pub operator_token: Option<Secret>,
    /// Secrets from the environment; the others are files.
    pub given_secrets: GivenSecrets,
}

impl Settings {
    /// Reads all layers. `environment` looks up a variable, so that tests need not change the
    /// process.
    pub fn resolve(
        flags: &ServeArgs,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SettingError> {
        let layers = Layers::read(flags, environment)?;
        Ok(Self {
            listen: layers
                .parse("listen", "an IP address with a port, such as 127.0.0.1:7070", |text| {
                    text.parse().ok()
                })?
                .unwrap_or(DEFAULT_LISTEN),
            metrics_listen: layers.parse(
                "metrics_listen",
                "an IP address with a port, such as 127.0.0.1:9090",
                |text| text.parse().ok(),
            )?,
            tls: TlsSettings::read(&layers)?,
            store: match layers.find("store")? {
                Some(given) => StoreSetting::parse(&given)?,
                None => StoreSetting::Embedded(DEFAULT_DIRECTORY.into()),
            },
            data: layers.parse("data", "a directory, such as ./larder-data", |text| {
                Some(PathBuf::from(text)).filter(|path| !path.as_os_str().is_empty())
            })?,
            public_url: layers.parse("public_url", PublicUrl::ACCEPTED, PublicUrl::parse)?,
            trusted_proxies: layers
                .parse("trusted_proxy", TrustedProxies::ACCEPTED, TrustedProxies::parse)?
                .unwrap_or_default(),
            connections: ConnectionSettings::read(&layers)?,
            log_format: layers
                .choose("log", &[("json", LogFormat::Json), ("pretty", LogFormat::Pretty)])?
                .unwrap_or(LogFormat::Pretty),
            log_level: layers.choose("log_level", LogLevel::NAMED)?.unwrap_or(LogLevel::Info),
            rate_limits: layers
                .choose("rate_limits", &[("on", true), ("off", false)])?
                .unwrap_or(true),
            registration: layers
                .choose(
                    "registration",
                    &[
                        ("open", Registration::Open),
                        ("invite", Registration::Invite),
                        ("closed", Registration::Closed),
                    ],
                )?
                .unwrap_or_default(),
            durability: layers
                .choose(
                    "durability",
                    &[("full", Durability::Full), ("relaxed", Durability::Relaxed)],
                )?
                .unwrap_or(Durability::Full),
            journal_days: days(&layers, "journal_days")?.unwrap_or(DEFAULT_JOURNAL_DAYS),
            clock_confirmed: layers.parse(
                "clock_confirmed",
                "a date such as 2026-12-26",
                |text| text.parse().ok(),
            )?,
            reading_retention_days: days(&layers, "reading_retention_days")?
                .unwrap_or(DEFAULT_READING_RETENTION_DAYS),
            device_requests_per_minute: layers
                .parse(
                    "device_requests_per_minute",
                    &format!("a whole number from 1 to {MAX_DEVICE_REQUESTS}"),
                    |text| text.parse().ok().filter(|n| (1..=MAX_DEVICE_REQUESTS).contains(n)),
                )?
                .unwrap_or(larder_api::DEFAULT_DEVICE_REQUESTS_PER_MINUTE),
            schemas: Schemas::read(&layers)?,
            postgres: PostgresSettings::read(&layers)?,
            shutdown_grace: Duration::from_secs(
                layers
                    .parse(
                        "shutdown_grace_seconds",
                        &format!("a whole number from 0 to {MAX_GRACE_SECONDS}"),
                        |text| text.parse().ok().filter(|seconds| *seconds <= MAX_GRACE_SECONDS),
                    )?
                    .unwrap_or(DEFAULT_GRACE_SECONDS),
            ),
            oidc: OidcSettings::read(&layers)?,
            channels: ChannelSettings::read(&layers)?,
            barcodes: BarcodeSettings::read(&layers)?,
            operator_token: layers.token("LARDER_OPERATOR_TOKEN")?,
            given_secrets: GivenSecrets {
                jwt: layers.secret("LARDER_JWT_SECRET")?,
                cursor_key: layers.secret("LARDER_CURSOR_KEY")?,
                api_key_pepper: layers.secret("LARDER_API_KEY_PEPPER")?,
            },
        })
    }

    /// The directory of this server's secrets: as configured, or the store if that is a directory.
    pub fn data_directory(&self) -> &Path {
        match (&self.data, &self.store) {
            (Some(told), _) => told,
            (None, StoreSetting::Embedded(directory)) => directory,
            #[cfg(any(feature = "dynamodb", feature = "postgres"))]
            (None, _) => Path::new(DEFAULT_DIRECTORY),
        }
    }

    /// The latest time at which the clock was confirmed: the end of that day.
    pub fn clock_confirmed_at(&self) -> Option<Timestamp> {
        let end = self.clock_confirmed?.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?;
        Some(end.timestamp())
    }

    /// Retention of the change journal.
    pub fn journal_retention(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.journal_days))
    }

    /// Retention of readings after their own time.
    pub fn reading_retention(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.reading_retention_days))
    }

    /// The public URL of the server bound to `address`: as configured, or that address.
    pub fn public_url_at(&self, address: SocketAddr) -> PublicUrl {
        self.public_url.clone().unwrap_or_else(|| self.listening_url(address))
    }

    /// The URL of the server bound to `address`, however people reach it.
    pub fn listening_url(&self, address: SocketAddr) -> PublicUrl {
        PublicUrl::of_address(address, self.tls.is_some())
    }
}

/// A setting that is a number of days.
fn days(layers: &Layers<'_>, name: &'static str) -> Result<Option<u16>, SettingError> {
    layers.parse(name, &format!("a whole number from 1 to {MAX_DAYS}"), |text| {
        text.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days))
    })
}
