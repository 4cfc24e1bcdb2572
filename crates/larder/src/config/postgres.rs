//! How a PostgreSQL store is used: connections, time-outs, what stands in between.

use std::time::Duration;

use super::SettingError;
use super::layers::Layers;

const DEFAULT_POOL_MIN: u32 = 5;
const DEFAULT_POOL_MAX: u32 = 20;
/// Ten times what a PostgreSQL server allows unless told otherwise.
const MAX_POOL: u32 = 1000;
const DEFAULT_STATEMENT_TIMEOUT_MS: u64 = 5_000;
const DEFAULT_LOCK_TIMEOUT_MS: u64 = 4_000;
/// A minute: no request lives that long.
const MAX_TIMEOUT_MS: u64 = 60_000;

/// What a PostgreSQL store is told; other stores have no use for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostgresSettings {
    /// Connections that are kept open.
    pub pool_min: u32,
    /// Connections that are opened at most.
    pub pool_max: u32,
    /// How long a statement may take.
    pub statement_timeout: Duration,
    /// How long a statement may wait for a row that another one holds.
    pub lock_timeout: Duration,
    /// What stands between Larder and the database.
    pub pooler: Pooler,
}

/// What stands between Larder and the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooler {
    /// Nothing that matters: a connection is the same session for as long as it lasts.
    None,
    /// A pooler that gives each transaction another session, such as `PgBouncer` in its transaction
    /// mode. Statements are not kept prepared there, and nothing can be listened to.
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
        // Who wants few connections need not say so twice.
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
