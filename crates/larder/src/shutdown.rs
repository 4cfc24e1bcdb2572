//! Graceful shutdown: requests in flight are finished, within a grace period.
//!
//! The first SIGTERM or SIGINT starts the shutdown; a second one, or the end of the grace period,
//! aborts.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Tells everything that runs forever (accepting, event streams, background jobs) that the server
/// is stopping.
#[derive(Debug)]
pub struct Shutdown {
    requested: watch::Sender<bool>,
}

impl Shutdown {
    /// A server that is not stopping.
    #[expect(clippy::new_without_default, reason = "a process has one, made by name")]
    pub fn new() -> Self {
        Self { requested: watch::Sender::new(false) }
    }

    /// A handle that turns `true` when the server is stopping.
    pub fn handle(&self) -> watch::Receiver<bool> {
        self.requested.subscribe()
    }

    /// Starts the shutdown.
    pub fn request(&self) {
        self.requested.send_replace(true);
    }
}

/// Completes when the server is stopping, or when the `Shutdown` was dropped.
pub async fn requested(mut handle: watch::Receiver<bool>) {
    // An error means that the `Shutdown` was dropped, which ends the wait too.
    let _ = handle.wait_for(|stopping| *stopping).await;
}

/// How the work ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended<T> {
    /// By itself, or within the grace period.
    Finished(T),
    /// Cut off at the end of the grace period.
    GraceExpired,
    /// Cut off by a second signal.
    SecondSignal,
}

/// Runs `work`. The first signal requests the shutdown; the work then has `grace` to finish, and a
/// second signal ends it at once.
pub async fn run_until_stopped<T>(
    work: impl Future<Output = T>,
    mut next_signal: impl AsyncFnMut(),
    shutdown: &Shutdown,
    grace: Duration,
) -> Ended<T> {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        result = &mut work => return Ended::Finished(result),
        () = next_signal() => {}
    }
    tracing::info!(grace_seconds = grace.as_secs(), "stopping");
    shutdown.request();
    tokio::select! {
        biased;
        result = &mut work => Ended::Finished(result),
        () = next_signal() => Ended::SecondSignal,
        () = tokio::time::sleep(grace) => Ended::GraceExpired,
    }
}

/// The stop signals of a process.
#[derive(Debug)]
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Installs the handlers, in place of immediate termination.
    pub fn take() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next SIGTERM or SIGINT.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::Instant;

    use super::*;

    const GRACE: Duration = Duration::from_secs(10);

    /// Signals at these times after the start, and none later.
    fn signals_at<const N: usize>(seconds: [u64; N]) -> impl AsyncFnMut() {
        let start = Instant::now();
        let mut moments = seconds.into_iter();
        async move || match moments.next() {
            Some(second) => tokio::time::sleep_until(start + Duration::from_secs(second)).await,
            None => pending().await,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_ends_by_itself_requests_no_shutdown() {
        let shutdown = Shutdown::new();
        let ended = run_until_stopped(ready(7), signals_at([]), &shutdown, GRACE).await;
        assert_eq!(ended, Ended::Finished(7));
        assert!(!*shutdown.handle().borrow());
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_signal_the_work_is_told_and_finishes() {
        let shutdown = Shutdown::new();
        let start = Instant::now();
        let handle = shutdown.handle();
        let work = async {
            requested(handle).await;
            tokio::time::sleep(Duration::from_secs(3)).await;
            "done"
        };
        let ended = run_until_stopped(work, signals_at([5]), &shutdown, GRACE).await;
        assert_eq!(ended, Ended::Finished("done"));
        assert_eq!(start.elapsed().as_secs(), 8);
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_does_not_finish_is_cut_off_after_the_grace_period() {
        let shutdown = Shutdown::new();
        let start = Instant::now();
        let ended = run_until_stopped(pending::<()>(), signals_at([5]), &shutdown, GRACE).await;
        assert_eq!(ended, Ended::GraceExpired);
        assert_eq!(start.elapsed().as_secs(), 15);
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_signal_ends_at_once() {
        let shutdown = Shutdown::new();
        let start = Instant::now();
        let ended = run_until_stopped(pending::<()>(), signals_at([5, 6]), &shutdown, GRACE).await;
        assert_eq!(ended, Ended::SecondSignal);
        assert_eq!(start.elapsed().as_secs(), 6);
    }

    #[tokio::test]
    async fn a_handle_taken_after_the_request_knows_of_it() {
        let shutdown = Shutdown::new();
        shutdown.request();
        let handle = shutdown.handle();
        assert!(*handle.borrow());
        requested(handle).await;
    }
}
