//! Pictures: decoded off the threads that serve requests, and few at once.

use std::{sync::Arc, thread};

use larder_media::{Code, PreparedPhoto, prepare_photo, read_codes};
use tokio::sync::Semaphore;

use crate::{App, AppError, Caller, Result};

/// How many pictures are decoded at once, at most. A photo may need some 200 MB while it is decoded.
const MAX_AT_ONCE: usize = 2;

/// Decodes pictures, each in its turn.
pub(crate) struct Images {
    turns: Arc<Semaphore>,
}

impl Default for Images {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { turns: Arc::new(Semaphore::new(cores.min(MAX_AT_ONCE))) }
    }
}

impl Images {
    /// Runs the work on a blocking thread when there is a permit. The work holds the permit: a
    /// cancelled request does not release it while the core is busy.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = Arc::clone(&self.turns)
            .acquire_owned()
            .await
            .map_err(|_| AppError::Defect("no more pictures are decoded".into()))?;
        tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        })
        .await
        .map_err(|error| AppError::Defect(format!("decoding of a picture failed: {error}")))?
    }
}

impl App {
    /// The codes in a picture, such as a frame of a camera. Nothing of it is kept.
    pub async fn read_codes(
        &self,
        caller: &Caller,
        picture: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<Vec<Code>> {
        let today = caller.today(self.now());
        let read = move || Ok(read_codes(picture.as_ref(), today)?);
        self.images.in_turn(read).await
    }

    /// A photo in the sizes that are stored.
    pub async fn prepare_photo(
        &self,
        picture: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<PreparedPhoto> {
        self.images.in_turn(move || Ok(prepare_photo(picture.as_ref())?)).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use larder_media::ImageRefused;
    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn no_more_than_a_few_are_decoded_at_once() {
        let images = Images { turns: Arc::new(Semaphore::new(1)) };
        let (finish, finished) = oneshot::channel::<()>();
        let (begin, started) = oneshot::channel();
        let first = images.in_turn(move || {
            begin.send(()).unwrap();
            Ok(finished.blocking_recv().is_ok())
        });
        let second = async {
            started.await.unwrap();
            assert!(timeout(Duration::from_millis(50), images.in_turn(|| Ok(()))).await.is_err());
            finish.send(()).unwrap();
        };
        let (first, ()) = tokio::join!(first, second);
        assert!(first.unwrap());
        images.in_turn(|| Ok(())).await.unwrap();
    }

    #[tokio::test]
    async fn a_refusal_is_told_and_a_panic_is_not_the_end() {
        let images = Images::default();
        let refused = images.in_turn(|| Ok(prepare_photo(b"<svg/>")?)).await.err();
        assert!(matches!(refused, Some(AppError::ImageRefused(ImageRefused::UnknownFormat))));
        let broken = images.in_turn(|| -> Result<()> { panic!("broken") }).await;
        assert!(matches!(broken, Err(AppError::Defect(_))));
        images.in_turn(|| Ok(())).await.unwrap();
    }
}
