//! Background tasks, and waiting for them at shutdown.

use std::sync::Arc;

use tokio::sync::watch;

/// Counts the running tasks.
#[derive(Debug, Clone)]
pub(crate) struct Background {
    under_way: Arc<watch::Sender<usize>>,
}

impl Default for Background {
    fn default() -> Self {
        Self { under_way: Arc::new(watch::Sender::new(0)) }
    }
}

impl Background {
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.under_way.send_modify(|count| *count += 1);
        let done = Done(Arc::clone(&self.under_way));
        tokio::spawn(async move {
            let _done = done;
            work.await;
        });
    }

    /// Waits until all tasks are done.
    pub(crate) async fn settled(&self) {
        let mut receiver = self.under_way.subscribe();
        receiver.wait_for(|count| *count == 0).await.expect("the sender is borrowed here");
    }
}

/// Counts down even if the task panics.
struct Done(Arc<watch::Sender<usize>>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn what_was_started_is_waited_for() {
        let background = Background::default();
        background.settled().await;
        let ((release, held), (done, mut is_done)) = (oneshot::channel::<()>(), oneshot::channel());
        background.spawn(async move {
            held.await.unwrap();
            done.send(()).unwrap();
        });
        release.send(()).unwrap();
        background.settled().await;
        assert_eq!(is_done.try_recv(), Ok(()));
    }
}
