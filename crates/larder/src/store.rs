//! The store of a server, on any engine: opened, measured, swept, closed.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use larder_http::Metrics;
use larder_storage::{Clock, Store};

use crate::config::{Settings, StoreSetting};
#[cfg(feature = "dynamodb")]
use crate::dynamodb;
use crate::embedded;
#[cfg(feature = "postgres")]
use crate::postgres;
use crate::system::random_bytes;
use crate::upkeep::Pace;

/// The backoff after the first failed attempt to connect; doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The maximal backoff: a server should be available soon after its database.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// An open store, with its background work.
#[async_trait]
pub(crate) trait OpenStore: Send + Sync {
    /// The ports for the use cases.
    fn ports(&self) -> Arc<dyn Store>;

    /// Registers the store's own metrics at `/metrics`.
    fn measure(&self, metrics: &Metrics);

    /// Whether expired data has to be swept by Larder.
    fn needs_sweeping(&self) -> bool {
        true
    }

    /// Logs what was worth telling when it was opened. Opening itself logs nothing, because the first
    /// line of the log is the one with the address.
    fn log_opening(&self) {}

    /// Deletes expired data, and describes the result.
    async fn sweep(&self) -> larder_storage::Result<String>;

    /// Periodic work other than sweeping, which also runs while sweeping is paused.
    async fn maintain(&self) -> larder_storage::Result<()> {
        Ok(())
    }

    /// Ends the store's background tasks and releases files and connections.
    async fn close(&self);
}

/// Why a store is not open.
#[derive(Debug)]
pub(crate) enum NotOpened {
    /// Not reachable; may be later.
    #[cfg_attr(
        not(any(feature = "dynamodb", feature = "postgres")),
        allow(dead_code, reason = "a directory is there or it is not")
    )]
    Unreachable(String),
    /// Refused permanently; a retry is pointless.
    Refused(Refusal),
}

/// Why the server refuses to serve, in a sentence that says how to fix it.
pub(crate) type Refusal = Box<dyn Error + Send + Sync>;

/// Opens the store of the settings, once it can be reached.
pub(crate) async fn open(
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<dyn OpenStore>, Refusal> {
    // Boxed: opening happens once, and would make the whole server's future large.
    open_patiently(&settings.store, async || Box::pin(attempt(settings, clock)).await).await
}

#[cfg_attr(
    not(any(feature = "dynamodb", feature = "postgres")),
    expect(clippy::unused_async, reason = "a directory is opened on the spot")
)]
async fn attempt(
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<dyn OpenStore>, NotOpened> {
    let clock = Arc::clone(clock);
    Ok(match &settings.store {
        StoreSetting::Embedded(directory) => Arc::new(embedded::open(directory, settings, clock)?),
        #[cfg(feature = "dynamodb")]
        StoreSetting::DynamoDb(address) => {
            Arc::new(dynamodb::open(address, settings, clock).await?)
        }
        #[cfg(feature = "postgres")]
        StoreSetting::Postgres(url) => Arc::new(postgres::open(url, settings, clock).await?),
    })
}

/// The server's name as a lease holder. A directory has one server at a time, which resumes its
/// unfinished work at once after a crash.
pub(crate) fn caretaker_name(store: &StoreSetting) -> io::Result<String> {
    if store.is_local() {
        return Ok("local".to_owned());
    }
    let mut bytes = [0; 16];
    random_bytes(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// How often to poll this store for work.
pub(crate) fn pace(store: &StoreSetting) -> Pace {
    match store {
        #[cfg(feature = "dynamodb")]
        StoreSetting::DynamoDb(_) => Pace::Thrifty,
        _ => Pace::Brisk,
    }
}

/// Retries until the store answers. Each reason is logged once, not at each attempt.
async fn open_patiently<T>(
    store: &dyn Display,
    mut attempt: impl AsyncFnMut() -> Result<T, NotOpened>,
) -> Result<T, Refusal> {
    let mut pause = FIRST_PAUSE;
    let mut last_reason = None;
    loop {
        match attempt().await {
            Ok(opened) => return Ok(opened),
            Err(NotOpened::Refused(refusal)) => return Err(refusal),
            Err(NotOpened::Unreachable(reason)) => {
                if last_reason.as_ref() != Some(&reason) {
                    tracing::warn!(%store, %reason, "store unavailable, will retry");
                    last_reason = Some(reason);
                }
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Opens the store once, without retrying: for commands, which run interactively.
pub(crate) async fn open_now(
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<dyn OpenStore>, NotOpened> {
    Box::pin(attempt(settings, clock)).await
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_store_is_tried_until_it_answers_with_growing_pauses() {
        let start = Instant::now();
        let mut moments = Vec::new();
        let opened = open_patiently(&"a store", async || {
            moments.push(start.elapsed().as_millis());
            if moments.len() < 8 { Err(NotOpened::Unreachable("nobody".into())) } else { Ok(7) }
        });
        assert_eq!(opened.await.unwrap(), 7);
        assert_eq!(moments, [0, 250, 750, 1750, 3750, 7750, 12750, 17750]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_refuses_is_not_tried_again() {
        let mut attempts = 0;
        let opened = open_patiently::<()>(&"a store", async || {
            attempts += 1;
            match attempts {
                1 => Err(NotOpened::Unreachable("nobody".into())),
                _ => Err(NotOpened::Refused("the role is a superuser".into())),
            }
        });
        assert_eq!(opened.await.unwrap_err().to_string(), "the role is a superuser");
        assert_eq!(attempts, 2);
    }
}
