//! The jobs of the committing thread, and the queue to it.

use std::thread::{self, JoinHandle};

use larder_domain::{HardwareId, HouseholdId};
use larder_storage::{ReadingState, Result, StorageError};
use larder_storage_item::{Committed, Table, TransactError, Transaction};
use tokio::sync::{mpsc, oneshot};

use super::{Swept, Writer};
use crate::readings::section::Arrival;

/// The length of the queue, beyond which new jobs wait.
const QUEUE_LENGTH: usize = 1024;

/// One request, with the channel for its result.
pub(crate) enum Job {
    Transact {
        transaction: Transaction,
        reply: Reply<Result<Committed, TransactError>>,
    },
    /// Store readings.
    Append {
        arrivals: Vec<Arrival>,
        reply: Reply<Vec<ReadingState>>,
    },
    /// Move some pending readings into their blocks; the result is whether more are pending.
    Merge {
        reply: Reply<bool>,
    },
    Sweep {
        reply: Reply<Swept>,
    },
    /// Forget changes of a partition, or of one record of it.
    ForgetChanges {
        table: Table,
        pk: String,
        sk: Option<String>,
        limit: usize,
        reply: Reply<usize>,
    },
    /// Forget readings of a device that are in their blocks.
    ForgetReadings {
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
        reply: Reply<usize>,
    },
    /// Write a row that is never read, to test whether writes succeed.
    Probe {
        reply: Reply<()>,
    },
    Close {
        reply: Reply<()>,
    },
}

/// Holds the result of a job until its commit is durable, then sends it.
pub(crate) struct Reply<T> {
    sender: oneshot::Sender<Result<T>>,
    result: Option<Result<T>>,
}

impl<T> Reply<T> {
    pub(super) fn new() -> (Self, oneshot::Receiver<Result<T>>) {
        let (sender, receiver) = oneshot::channel();
        (Self { sender, result: None }, receiver)
    }

    /// Sets the result, in place of that of an earlier attempt.
    pub(super) fn set(&mut self, result: T) {
        self.result = Some(Ok(result));
    }

    fn fail(&mut self, error: StorageError) {
        self.result = Some(Err(error));
    }

    /// A caller that has stopped waiting is not an error. Without a result, the caller sees a
    /// closed store.
    fn send(self) {
        if let Some(result) = self.result {
            drop(self.sender.send(result));
        }
    }
}

/// Evaluates an expression for the reply of any job.
macro_rules! with_reply {
    ($job:expr, $reply:ident => $then:expr) => {
        match $job {
            Job::Transact { reply: $reply, .. } => $then,
            Job::Append { reply: $reply, .. } => $then,
            Job::Merge { reply: $reply } => $then,
            Job::Sweep { reply: $reply } => $then,
            Job::ForgetChanges { reply: $reply, .. }
            | Job::ForgetReadings { reply: $reply, .. } => $then,
            Job::Probe { reply: $reply } | Job::Close { reply: $reply } => $then,
        }
    };
}

impl Job {
    /// Sets an error as the result.
    pub(super) fn fail(&mut self, error: StorageError) {
        with_reply!(self, reply => reply.fail(error));
    }

    /// Sends the result to the caller.
    pub(super) fn answer(self) {
        with_reply!(self, reply => reply.send());
    }
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

    /// Queues a job and waits for its result.
    pub(crate) async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T> {
        let closed = || StorageError::Unavailable("the store is closed".into());
        let (reply, result) = Reply::new();
        let queue = self.sender.as_ref().ok_or_else(closed)?;
        queue.send(job(reply)).await.map_err(|_| closed())?;
        result.await.map_err(|_| closed())?
    }

    /// Whether jobs are still accepted.
    pub(crate) fn is_open(&self) -> bool {
        self.sender.as_ref().is_some_and(|sender| !sender.is_closed())
    }

    /// How many jobs are queued.
    pub(crate) fn queue_depth(&self) -> usize {
        self.sender.as_ref().map_or(0, |sender| sender.max_capacity() - sender.capacity())
    }

    /// Waits until the thread has finished the queued jobs and ended.
    pub(crate) fn stop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("committing thread panicked");
        }
    }
}
