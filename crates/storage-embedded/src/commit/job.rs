//! What is asked of the committing thread, and the way to it.

use std::thread::{self, JoinHandle};

use larder_storage::{ReadingState, Result, StorageError};
use larder_storage_item::{Committed, TransactError, Transaction};
use tokio::sync::{mpsc, oneshot};

use super::{Swept, Writer};
use crate::readings::section::Arrival;

/// How many requests wait before new ones are held back.
const QUEUE_LENGTH: usize = 1024;

/// One request.
pub(crate) enum Job {
    Transact {
        transaction: Transaction,
        reply: oneshot::Sender<Result<Committed, TransactError>>,
    },
    /// Keep readings.
    Append {
        arrivals: Vec<Arrival>,
        reply: oneshot::Sender<Result<Vec<ReadingState>, TransactError>>,
    },
    /// Put some readings that wait into their blocks; answers whether more wait.
    Merge {
        reply: oneshot::Sender<Result<bool, TransactError>>,
    },
    Sweep {
        reply: oneshot::Sender<Result<Swept, TransactError>>,
    },
    /// Bring delayed indexes up to date.
    CatchUp {
        reply: oneshot::Sender<Result<(), TransactError>>,
    },
    /// Write something that nobody reads, to see whether anything can be written.
    Probe {
        reply: oneshot::Sender<Result<(), TransactError>>,
    },
    Close {
        reply: oneshot::Sender<()>,
    },
}

/// What a request came to.
pub(super) enum Outcome {
    Transact(Committed),
    Append(Vec<ReadingState>),
    /// Whether more waits.
    Merge(bool),
    Sweep(Swept),
    Nothing,
}

impl Job {
    /// Answers the one who asked. Someone who no longer waits is no failure.
    pub(super) fn answer(self, outcome: Result<Outcome, TransactError>) {
        match self {
            Self::Transact { reply, .. } => {
                let answer = outcome.and_then(|outcome| match outcome {
                    Outcome::Transact(committed) => Ok(committed),
                    _ => Err(mismatch()),
                });
                drop(reply.send(answer));
            }
            Self::Append { reply, .. } => {
                let answer = outcome.and_then(|outcome| match outcome {
                    Outcome::Append(states) => Ok(states),
                    _ => Err(mismatch()),
                });
                drop(reply.send(answer));
            }
            Self::Merge { reply } => {
                let answer = outcome.and_then(|outcome| match outcome {
                    Outcome::Merge(more) => Ok(more),
                    _ => Err(mismatch()),
                });
                drop(reply.send(answer));
            }
            Self::Sweep { reply } => {
                let answer = outcome.and_then(|outcome| match outcome {
                    Outcome::Sweep(swept) => Ok(swept),
                    _ => Err(mismatch()),
                });
                drop(reply.send(answer));
            }
            Self::CatchUp { reply } | Self::Probe { reply } => {
                drop(reply.send(outcome.map(|_| ())));
            }
            Self::Close { reply } => drop(reply.send(())),
        }
    }
}

fn mismatch() -> TransactError {
    StorageError::Defect("a request was answered with another's outcome".into()).into()
}

/// The committing thread.
pub(crate) struct Committer {
    sender: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Committer {
    pub(crate) fn start(writer: Writer) -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::channel(QUEUE_LENGTH);
        let thread =
            thread::Builder::new().name("committer".into()).spawn(move || writer.run(receiver))?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    /// Hands a request over and waits for its answer.
    pub(crate) async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<T>) -> Job) -> Result<T> {
        let closed = || StorageError::Unavailable("the store is closed".into());
        let (reply, answer) = oneshot::channel();
        let sender = self.sender.as_ref().ok_or_else(closed)?;
        sender.send(job(reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())
    }

    /// Whether requests are still taken.
    pub(crate) fn is_open(&self) -> bool {
        self.sender.as_ref().is_some_and(|sender| !sender.is_closed())
    }

    /// How many requests wait.
    pub(crate) fn queue_depth(&self) -> usize {
        self.sender.as_ref().map_or(0, |sender| sender.max_capacity() - sender.capacity())
    }

    /// Lets the thread finish what has queued and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the committing thread had panicked");
        }
    }
}
