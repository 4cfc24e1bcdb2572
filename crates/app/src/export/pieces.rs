//! Where an export is written to: as fast as its reader reads.

use std::io;

use tokio::sync::mpsc;

use crate::AppError;

/// Where an export is written to.
#[derive(Debug)]
pub struct Pieces(mpsc::Sender<io::Result<String>>);

/// Why an export ends early.
#[derive(Debug)]
pub enum Interrupted {
    /// The reader has gone: nothing to say to nobody.
    ReaderLeft,
    /// What was to be read could not be.
    Failed(AppError),
}

impl<E: Into<AppError>> From<E> for Interrupted {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Pieces {
    /// Pieces that go to this channel, whose capacity limits how much waits for the reader.
    pub const fn to(channel: mpsc::Sender<io::Result<String>>) -> Self {
        Self(channel)
    }

    /// Sends a piece, when the reader has room for it.
    pub(crate) async fn send(&self, piece: String) -> Result<(), Interrupted> {
        if piece.is_empty() {
            return Ok(());
        }
        self.0.send(Ok(piece)).await.map_err(|_| Interrupted::ReaderLeft)
    }
}
