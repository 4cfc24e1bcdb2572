//! Work that completes even if its caller is cancelled.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use tokio::runtime::Handle;
use tracing::Instrument as _;

use crate::{AppError, Result};

/// Completes the work even if the caller's future is dropped. Until then it runs on the caller's task: spawning one
/// for every change costs more than most changes do.
pub(crate) async fn complete_even_if_cancelled<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T> {
    let work = AssertUnwindSafe(work.in_current_span()).catch_unwind();
    let done = Completing(Some(Box::pin(work))).await;
    done.map_err(|_| AppError::Defect("write task panicked".into()))
}

/// A future that is spawned on the runtime if it is dropped before it is ready.
struct Completing<T: Send + 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: Send + 'static> Future for Completing<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let work = self.0.as_mut().expect("a future is not polled after its end");
        let polled = work.as_mut().poll(context);
        if polled.is_ready() {
            self.0 = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Completing<T> {
    fn drop(&mut self) {
        // Without a runtime the process is ending, and the work with it.
        if let (Some(rest), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{sync::oneshot, time::timeout};

    use super::*;

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits_for_it_any_more() {
        let (go, gone) = oneshot::channel::<()>();
        let (end, ended) = oneshot::channel();
        let work = complete_even_if_cancelled(async move {
            gone.await.unwrap();
            end.send("done").unwrap();
        });
        assert!(timeout(Duration::ZERO, work).await.is_err(), "whoever waited has gone");
        go.send(()).unwrap();
        assert_eq!(ended.await, Ok("done"));
    }

    #[tokio::test]
    async fn what_was_never_begun_is_not_done() {
        let (end, ended) = oneshot::channel();
        drop(complete_even_if_cancelled(async move { end.send("done").unwrap() }));
        assert!(ended.await.is_err());
    }

    #[tokio::test]
    async fn work_that_panics_fails_those_who_wait_and_nobody_else() {
        let broken = complete_even_if_cancelled(async { panic!("broken") }).await;
        assert!(matches!(broken, Err::<(), _>(AppError::Defect(_))));
        assert_eq!(complete_even_if_cancelled(async { 7 }).await.unwrap(), 7);
    }
}
