//! The second half of a commit: callers get their results only after the bytes have reached the
//! disk.
//!
//! A separate thread flushes the write-ahead log while the committing thread already prepares the
//! next transaction. SQLite's own flush in each commit would leave the processor idle for as long
//! as the disk takes. The order of the log is the order of the commits, so one flush settles every
//! commit before it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use larder_storage::StorageError;
use larder_storage_item::Table;

use super::job::Job;
use crate::statistics::Counters;
use crate::watch::Watchers;

/// How many commits may be ahead of the disk. Callers that wait for a result bound it anyway.
const MAX_AHEAD: usize = 0;

/// A commit that SQLite has written but that may not be on disk yet.
pub(super) struct Written {
    pub(super) jobs: Vec<Job>,
    pub(super) touched: Vec<(Table, String)>,
    pub(super) last_sequence: i64,
    pub(super) started: Instant,
}

/// Whether a flush has ever failed. The content of the file is then unknown, so nothing more is
/// written until an operator restarts the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct DiskFailure(Arc<AtomicBool>);

impl DiskFailure {
    pub(crate) fn has_happened(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(super) fn error() -> StorageError {
        StorageError::Unavailable("flush to disk failed".to_owned())
    }
}

/// Whether a write has failed for a transient reason, such as a full disk, with no successful write
/// since.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteFailure(Arc<AtomicBool>);

impl WriteFailure {
    pub(crate) fn has_happened(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// A write succeeded.
    pub(crate) fn is_over(&self) {
        self.0.store(false, Ordering::Release);
    }

    pub(super) fn happens(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The flushing thread.
pub(super) struct Flusher {
    sender: Option<SyncSender<Written>>,
    thread: Option<JoinHandle<()>>,
}

/// The shared state that the thread updates after a commit.
#[derive(Clone)]
pub(crate) struct Audience {
    pub(crate) watchers: Arc<Watchers>,
    pub(crate) counters: Arc<Counters>,
    pub(crate) failure: DiskFailure,
    pub(crate) write_failure: WriteFailure,
}

impl Flusher {
    /// `flush` makes everything durable that was written before it was called.
    pub(super) fn start(
        flush: impl FnMut() -> io::Result<()> + Send + 'static,
        audience: Audience,
    ) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(MAX_AHEAD);
        let thread = thread::Builder::new()
            .name("flusher".into())
            .spawn(move || run(&receiver, flush, &audience))?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    pub(super) fn hand_over(&self, written: Written) {
        if let Some(sender) = &self.sender {
            // If the thread is gone, the jobs are dropped and their callers see a closed store.
            drop(sender.send(written));
        }
    }

    /// Waits until everything handed over has been answered.
    pub(super) fn finish(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("flushing thread panicked");
        }
    }
}

fn run(
    receiver: &Receiver<Written>,
    mut flush: impl FnMut() -> io::Result<()>,
    audience: &Audience,
) {
    let mut waiting = Vec::new();
    while let Ok(first) = receiver.recv() {
        waiting.push(first);
        waiting.extend(receiver.try_iter());
        if !audience.failure.has_happened()
            && let Err(error) = flush()
        {
            tracing::error!(%error, "flush to disk failed: accepting no more writes until a restart");
            audience.failure.0.store(true, Ordering::Release);
        }
        for written in waiting.drain(..) {
            written.answer(audience);
        }
    }
}

impl Written {
    /// Sends the results to the callers, and wakes the watchers.
    pub(super) fn answer(self, audience: &Audience) {
        let Self { mut jobs, touched, last_sequence, started } = self;
        if audience.failure.has_happened() {
            for job in &mut jobs {
                job.fail(DiskFailure::error());
            }
        } else {
            audience.counters.committed(jobs.len(), started.elapsed(), last_sequence);
            audience.watchers.changed(touched.into_iter(), last_sequence);
        }
        jobs.into_iter().for_each(Job::answer);
    }
}

/// Flushes the write-ahead log of a store. The log exists once something was written, and stays the same file
/// for as long as the store is open.
pub(super) fn flush_log(log: PathBuf) -> impl FnMut() -> io::Result<()> {
    let mut file: Option<File> = None;
    move || {
        if let Some(file) = &file {
            return file.sync_data();
        }
        // Only the log: closing a second handle of the database itself would drop SQLite's locks.
        let opened = OpenOptions::new().write(true).open(&log)?;
        opened.sync_all()?;
        file = Some(opened);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use larder_storage::Result;
    use tokio::sync::oneshot::{self, error::TryRecvError};

    use super::super::job::Reply;
    use super::*;

    fn audience() -> Audience {
        Audience {
            watchers: Arc::default(),
            counters: Arc::default(),
            failure: DiskFailure::default(),
            write_failure: WriteFailure::default(),
        }
    }

    fn written() -> (Written, oneshot::Receiver<Result<()>>) {
        let (mut reply, answer) = Reply::new();
        reply.set(());
        let written = Written {
            jobs: vec![Job::Probe { reply }],
            touched: vec![(Table::InventoryManagement, "p".into())],
            last_sequence: 7,
            started: Instant::now(),
        };
        (written, answer)
    }

    #[test]
    fn nobody_is_answered_before_the_disk_has_it() {
        let (entered, flushing) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let audience = audience();
        let flush = move || {
            entered.send(()).unwrap();
            released.recv().unwrap()
        };
        let mut flusher = Flusher::start(flush, audience.clone()).unwrap();
        let (written, mut answer) = written();
        flusher.hand_over(written);
        flushing.recv().unwrap();
        assert!(matches!(answer.try_recv(), Err(TryRecvError::Empty)));
        assert_eq!(audience.watchers.version(Table::InventoryManagement, "p"), 0);
        release.send(Ok(())).unwrap();
        flusher.finish();
        assert!(matches!(answer.try_recv(), Ok(Ok(()))));
        assert_eq!(audience.watchers.version(Table::InventoryManagement, "p"), 1);
    }

    #[test]
    fn a_disk_that_refuses_once_is_not_trusted_again() {
        let audience = audience();
        let mut results = [Err(io::Error::other("full")), Ok(())].into_iter();
        let flush = move || results.next().expect("it is not asked again after it refused");
        let mut flusher = Flusher::start(flush, audience.clone()).unwrap();
        let (first, mut first_answer) = written();
        let (second, mut second_answer) = written();
        flusher.hand_over(first);
        flusher.hand_over(second);
        flusher.finish();
        for answer in [&mut first_answer, &mut second_answer] {
            let refused = answer.try_recv().unwrap();
            assert!(matches!(refused, Err(StorageError::Unavailable(_))));
        }
        assert!(audience.failure.has_happened());
    }
}
