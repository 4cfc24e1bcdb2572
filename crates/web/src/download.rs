//! Downloads that are longer than memory: written piece by piece, as fast as the reader reads.

use std::{future::Future, io};

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::mpsc;

use crate::failure::Failure;

/// How many pieces may wait for the reader.
const WAITING: usize = 4;

/// Where a download is written to.
pub(crate) struct Pieces(mpsc::Sender<io::Result<Bytes>>);

/// Why a download ends early.
pub(crate) enum Interrupted {
    /// The reader has gone: nothing to say to nobody.
    ReaderLeft,
    /// What was to be read could not be.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Interrupted {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Pieces {
    /// Sends a piece, when the reader has room for it.
    pub(crate) async fn send(&self, piece: String) -> Result<(), Interrupted> {
        self.0.send(Ok(Bytes::from(piece))).await.map_err(|_| Interrupted::ReaderLeft)
    }
}

/// An answer that `write` writes. If it fails the connection is broken off, so that nobody takes half for the whole.
pub(crate) fn download<F>(
    content_type: &'static str,
    name: &str,
    write: impl FnOnce(Pieces) -> F,
) -> Response
where
    F: Future<Output = Result<(), Interrupted>> + Send + 'static,
{
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let writing = write(Pieces(sender.clone()));
    tokio::spawn(async move {
        if let Err(Interrupted::Failed(failure)) = writing.await {
            tracing::warn!(?failure, "download aborted");
            let broken = io::Error::other("download failed");
            // If the reader has gone too, nobody needs to know.
            let _ = sender.send(Err(broken)).await;
        }
    });
    // Compression polls again after the end: unlike `stream::unfold`, a closed channel stays at its end.
    let pieces = stream::poll_fn(move |context| receiver.poll_recv(context));
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}
