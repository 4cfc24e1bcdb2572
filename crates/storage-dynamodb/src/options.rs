//! Where DynamoDB is, and the engine's deadlines.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

use crate::tables::TablesError;

/// How to reach DynamoDB, and what to do there.
#[derive(Debug, Clone)]
pub struct DynamoOptions {
    /// The region; `None` takes it from the environment or the profile.
    pub region: Option<String>,
    /// Another endpoint than the region's own: DynamoDB Local, or a compatible cluster.
    pub endpoint: Option<String>,
    /// Credentials; `None` looks for them where AWS has them: environment, profile, container, instance.
    pub access_key: Option<AccessKey>,
    /// What the names of all tables begin with.
    pub prefix: String,
    /// How long changes are kept for history and for readers who come back.
    pub journal_retention: SignedDuration,
    /// How long one operation may take with all its repetitions.
    pub deadline: Duration,
    /// How long one request may take.
    pub attempt_timeout: Duration,
    /// How long making a connection may take.
    pub connect_timeout: Duration,
    /// How often partitions that have listeners are looked at for changes of other servers.
    pub poll_interval: Duration,
    /// Whether to ask for, and count, the units that every request consumes.
    pub count_units: bool,
}

impl Default for DynamoOptions {
    fn default() -> Self {
        Self {
            region: None,
            endpoint: None,
            access_key: None,
            prefix: String::new(),
            journal_retention: SignedDuration::from_hours(35 * 24),
            // Long enough for many writers of one household to have their turn, short enough for a person.
            deadline: Duration::from_secs(8),
            attempt_timeout: Duration::from_secs(2),
            connect_timeout: Duration::from_secs(1),
            poll_interval: Duration::from_millis(300),
            count_units: false,
        }
    }
}

/// Credentials that are given and not looked for.
#[derive(Clone)]
pub struct AccessKey {
    /// Whose.
    pub id: String,
    /// What proves it.
    pub secret: String,
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AccessKey").field("id", &self.id).field("secret", &"[redacted]").finish()
    }
}

/// Why the engine cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// No region was given, and neither the environment nor the profile has one.
    #[error("no region: give one as 'region=' in the address of the store, or set AWS_REGION")]
    NoRegion,
    /// A table would have a name that DynamoDB refuses.
    #[error(transparent)]
    Name(#[from] TablesError),
    /// The system has no randomness to give.
    #[error("no randomness: {0}")]
    Randomness(String),
}
