//! The endpoint, and the engine's deadlines.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

use crate::tables::TablesError;

/// How to reach DynamoDB, and the engine's settings.
#[derive(Debug, Clone)]
pub struct DynamoOptions {
    /// The region; by default from the environment or the profile.
    pub region: Option<String>,
    /// Another endpoint than the region's own: DynamoDB Local, or a compatible cluster.
    pub endpoint: Option<String>,
    /// Credentials; by default from AWS's sources: environment, profile, container, instance.
    pub access_key: Option<AccessKey>,
    /// The prefix of all table names.
    pub prefix: String,
    /// Retention of changes, for history and for readers that reconnect.
    pub journal_retention: SignedDuration,
    /// Time limit of an operation, including retries.
    pub deadline: Duration,
    /// Time limit of one request.
    pub attempt_timeout: Duration,
    /// Time limit for connecting.
    pub connect_timeout: Duration,
    /// The interval of polling partitions with listeners for changes of other servers.
    pub poll_interval: Duration,
    /// Whether to request and count the capacity units that every request consumes.
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

/// Static credentials.
#[derive(Clone)]
pub struct AccessKey {
    /// The access key id.
    pub id: String,
    /// The secret access key.
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
    /// No region is configured, in the environment or in the profile.
    #[error("no region: give one as 'region=' in the address of the store, or set AWS_REGION")]
    NoRegion,
    /// A table name would be invalid.
    #[error(transparent)]
    Name(#[from] TablesError),
    /// The system has no randomness to give.
    #[error("no randomness: {0}")]
    Randomness(String),
}
