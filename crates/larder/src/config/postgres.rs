//! Settings of a PostgreSQL store: connections, time-outs, pooler.

use std::time::Duration;

use super::SettingError;
use super::layers::Layers;

const DEFAULT_POOL_MIN: u32 = 5;
const DEFAULT_POOL_MAX: u32 = 20;
/// Ten times PostgreSQL's default limit.
const MAX_POOL: u32 = 1000;
const DEFAULT_STATEMENT_TIMEOUT_MS: u64 = 5_000;
const DEFAULT_LOCK_TIMEOUT_MS: u64 = 4_000;
/// A minute: no request lives that long.
const MAX_TIMEOUT_MS: u64 = 60_000;

/// Settings of a PostgreSQL store; ignored for other stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostgresSettings {
    /// Connections kept open when idle.
    pub pool_min: u32,
    /// Connections that are opened at most.
    pub pool_max: u32,
    /// Time limit of a statement.
    pub statement_timeout: Duration,
    /// Time limit for waiting on a row lock.
    pub lock_timeout: Duration,
    /// The pooler in front of the database.
    pub pooler: Pooler,
}

/// The pooler in front of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooler {
    /// None, or one that keeps a session per connection.
    None,
    /// A pooler that gives each transaction another session, such as `PgBouncer` in its transaction
    /// mode. No statement stays prepared, and `LISTEN` is not available.
    Transaction,
}

impl Default for PostgresSettings {
    fn default() -> Self {
        Self {
            pool_min: DEFAULT_POOL_MIN,
            pool_max: DEFAULT_POOL_MAX,
            statement_timeout: Duration::from_millis(DEFAULT_STATEMENT_TIMEOUT_MS),
            lock_timeout: Duration::from_millis(DEFAULT_LOCK_TIMEOUT_MS),
            pooler: Pooler::None,
        }
    }
}

impl PostgresSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Self, SettingError> {
        let default = Self::default();
        let connections = |name, least| {
            layers.parse(name, &format!("a whole number from {least} to {MAX_POOL}"), |text| {
                text.parse().ok().filter(|count| (least..=MAX_POOL).contains(count))
            })
        };
        let timeout = |name| {
            let accepted = format!("a whole number of milliseconds from 1 to {MAX_TIMEOUT_MS}");
            layers.parse(name, &accepted, |text| {
                let ms = text.parse().ok().filter(|ms| (1..=MAX_TIMEOUT_MS).contains(ms));
                ms.map(Duration::from_millis)
            })
        };
        let pool_max = connections("postgres_pool_max", 1)?.unwrap_or(default.pool_max);
        // A low maximum lowers the default minimum.
        let pool_min = connections("postgres_pool_min", 0)?;
        let settings = Self {
            pool_min: pool_min.unwrap_or(default.pool_min.min(pool_max)),
            pool_max,
            statement_timeout: timeout("postgres_statement_timeout_ms")?
                .unwrap_or(default.statement_timeout),
            lock_timeout: timeout("postgres_lock_timeout_ms")?.unwrap_or(default.lock_timeout),
            pooler: layers
                .choose(
                    "postgres_pooler",
                    &[("none", Pooler::None), ("transaction", Pooler::Transaction)],
                )?
                .unwrap_or(default.pooler),
        };
        if settings.pool_min > settings.pool_max {
            return Err(SettingError::BoundsCrossed {
                lower: "postgres_pool_min",
                least: settings.pool_min,
                upper: "postgres_pool_max",
                most: settings.pool_max,
            });
        }
        Ok(settings)
    }
}
