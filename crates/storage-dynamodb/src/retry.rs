//! Retrying requests, with exponential backoff and jitter, within a deadline.

use std::time::Duration;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use larder_storage::{Result, StorageError};
use tokio::time::{Instant, sleep, timeout_at};

use crate::error::{Failure, classify};
use crate::randomness::Randomness;

/// The longest first pause. Doubles with every failure.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// No pause is longer.
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// The deadline of one call, and how often it has failed so far.
#[derive(Debug)]
pub(crate) struct RetryBudget<'r> {
    random: &'r Randomness,
    pub(crate) until: Instant,
    failures: u32,
}

impl<'r> RetryBudget<'r> {
    pub(crate) fn new(random: &'r Randomness, deadline: Duration) -> Self {
        Self { random, until: Instant::now() + deadline, failures: 0 }
    }

    /// Waits before the next attempt; `false` if no time is left for one.
    pub(crate) async fn wait(&mut self) -> bool {
        let longest = LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow(self.failures.min(10)));
        self.failures += 1;
        let pause = self.random.up_to(longest);
        if Instant::now() + pause >= self.until {
            return false;
        }
        sleep(pause).await;
        true
    }

    /// Sends an idempotent request until it is answered.
    pub(crate) async fn send<T, E, F>(&mut self, mut request: impl FnMut() -> F) -> Result<T>
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
        F: Future<Output = Result<T, SdkError<E>>>,
    {
        loop {
            let error = match timeout_at(self.until, request()).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => error,
                Err(_) => return Err(StorageError::Unavailable("no answer in time".to_owned())),
            };
            match classify(&error) {
                Failure::Permanent(error) => return Err(error),
                Failure::Transient(reason) => {
                    if !self.wait().await {
                        return Err(StorageError::Unavailable(reason));
                    }
                }
            }
        }
    }
}
