//! Waiting without fixed sleeps: a condition is polled until it holds or the time limit ends.

use std::time::{Duration, Instant};

use super::PATIENCE;

/// The polling interval. Short enough for a test to continue at once, long enough to leave the
/// processor to those who are waited for.
pub(crate) const ASKED_EVERY: Duration = Duration::from_millis(20);

/// Polls until there is a result. `what` is named after a time-out.
pub(crate) async fn eventually<T>(what: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
    eventually_within(PATIENCE, what, ask).await
}

/// The same with a time limit of the test's own.
pub(crate) async fn eventually_within<T>(
    limit: Duration,
    what: &str,
    mut ask: impl AsyncFnMut() -> Option<T>,
) -> T {
    let started = Instant::now();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(started.elapsed() < limit, "not within {limit:?}: {what}");
        tokio::time::sleep(ASKED_EVERY).await;
    }
}

/// Polls until a condition holds.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    eventually(what, async || holds().await.then_some(())).await;
}
