//! The loop of the committing thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use jiff::SignedDuration;
use larder_storage::{Clock, Result, StorageError};
use larder_storage_item::Table;
use rusqlite::Connection;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use super::checkpoint::Checkpointer;
use super::flush::{Audience, DiskFailure, Flusher, Written, flush_log};
use super::job::Job;
use super::recent::Recent;
use crate::error::At;
use crate::journal::forget::forget;
use crate::journal::write::Tail;
use crate::meta;
use crate::readings::keeper::{Effort, Keeper};

/// The most jobs in one SQLite transaction: bounds how long the first waits for the last.
pub(super) const MAX_BATCH: usize = 256;

/// Why a job failed.
pub(super) enum Failure {
    /// It wrote nothing: the other jobs of its batch continue.
    Clean(StorageError),
    /// It may have written something: the SQLite transaction must not be committed.
    Dirty(StorageError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Clean(error)
    }
}

/// Why a batch was not committed.
pub(super) enum Aborted {
    /// One of its jobs failed.
    Job(StorageError),
    /// SQLite could not begin or commit.
    Commit(StorageError),
}

/// The only writer.
pub(crate) struct Writer {
    pub(super) connection: Connection,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) journal_retention: SignedDuration,
    pub(super) tail: Tail,
    pub(super) recent: Recent,
    pub(super) keeper: Keeper,
    /// Partitions that the current batch changed.
    pub(super) touched: Vec<(Table, String)>,
    /// Records written since the last checkpoint call.
    pub(super) writes: usize,
    /// Partitions that were changed since the last hand-over.
    changed: Vec<(Table, String)>,
    flusher: Option<Flusher>,
    pub(super) checkpointer: Option<Checkpointer>,
    /// For waiting for jobs with a timeout.
    pub(super) timer: Option<Runtime>,
    pub(super) audience: Audience,
}

impl Writer {
    pub(crate) fn new(
        connection: Connection,
        clock: Arc<dyn Clock>,
        journal_retention: SignedDuration,
        keeper: Keeper,
        audience: Audience,
    ) -> Result<Self> {
        let tail = Tail::load(&connection)?;
        audience.counters.set_last_sequence(tail.last());
        Ok(Self {
            connection,
            clock,
            journal_retention,
            tail,
            recent: Recent::default(),
            keeper,
            touched: Vec::new(),
            writes: 0,
            changed: Vec::new(),
            flusher: None,
            checkpointer: None,
            timer: None,
            audience,
        })
    }

    /// Sends no result before the log at this path has reached the disk.
    pub(crate) fn flushing(mut self, log: PathBuf) -> std::io::Result<Self> {
        self.flusher = Some(Flusher::start(flush_log(log), self.audience.clone())?);
        Ok(self)
    }

    /// Merges the log on a separate thread, with this connection.
    pub(crate) fn checkpointing(mut self, connection: Connection) -> std::io::Result<Self> {
        self.checkpointer = Some(Checkpointer::start(connection)?);
        Ok(self)
    }

    /// Runs jobs until the queue is closed.
    pub(super) fn run(mut self, mut receiver: mpsc::Receiver<Job>) {
        // Created here, because a runtime must not be dropped in an async context.
        match tokio::runtime::Builder::new_current_thread().enable_time().build() {
            Ok(timer) => self.timer = Some(timer),
            Err(error) => {
                tracing::error!(%error, "idle timer unavailable: readings are merged only under load");
            }
        }
        let mut closing = Vec::new();
        let mut jobs = Vec::new();
        while self.receive(&mut receiver, &mut jobs) > 0 {
            let started = Instant::now();
            self.commit(&mut jobs, &mut receiver);
            let is_close = |job: &Job| matches!(job, Job::Close { .. });
            let (closes, jobs): (Vec<_>, Vec<_>) = jobs.drain(..).partition(is_close);
            if !closes.is_empty() {
                receiver.close();
            }
            closing.extend(closes);
            let touched = std::mem::take(&mut self.changed);
            let last_sequence = self.tail.last();
            self.settle(Written { jobs, touched, last_sequence, started });
            self.checkpoint();
        }
        if let Some(checkpointer) = &mut self.checkpointer {
            checkpointer.finish();
        }
        if let Some(flusher) = &mut self.flusher {
            flusher.finish();
        }
        self.finish();
        for job in closing {
            job.answer();
        }
    }

    /// Flushes a commit and sends its results.
    fn settle(&self, written: Written) {
        match &self.flusher {
            Some(flusher) => flusher.hand_over(written),
            None => written.answer(&self.audience),
        }
    }

    /// Executes all jobs, together if possible. If a job fails the batch, each is tried on its own,
    /// so that damage fails only the jobs that touch it.
    fn commit(&mut self, jobs: &mut Vec<Job>, receiver: &mut mpsc::Receiver<Job>) {
        if self.audience.failure.has_happened() {
            receiver.close();
            for job in jobs {
                job.fail(DiskFailure::error());
            }
            return;
        }
        match self.attempt(jobs, Some(receiver)) {
            Ok(()) => {}
            Err(Aborted::Commit(error)) => {
                for job in jobs {
                    job.fail(StorageError::Unavailable(error.to_string()));
                }
            }
            Err(Aborted::Job(error)) if jobs.len() == 1 => jobs[0].fail(error),
            Err(Aborted::Job(_)) => {
                for job in std::mem::take(jobs) {
                    let mut single = vec![job];
                    if let Err(Aborted::Job(error) | Aborted::Commit(error)) =
                        self.attempt(&mut single, None)
                    {
                        single[0].fail(error);
                    }
                    jobs.append(&mut single);
                }
            }
        }
    }

    /// One SQLite transaction. Jobs that arrive while it is prepared join it.
    fn attempt(
        &mut self,
        jobs: &mut Vec<Job>,
        receiver: Option<&mut mpsc::Receiver<Job>>,
    ) -> Result<(), Aborted> {
        let is_merge = |job: &Job| matches!(job, Job::Merge { .. });
        let effort = if jobs.iter().any(is_merge) { Effort::Step } else { Effort::KeepUp };
        self.attempt_with(effort, jobs, receiver)
    }

    pub(super) fn attempt_with(
        &mut self,
        effort: Effort,
        jobs: &mut Vec<Job>,
        mut receiver: Option<&mut mpsc::Receiver<Job>>,
    ) -> Result<(), Aborted> {
        self.statement("BEGIN IMMEDIATE").map_err(Aborted::Commit)?;
        let mut done = 0;
        while done < jobs.len() {
            match self.execute(&mut jobs[done]) {
                Ok(()) => {}
                // SQLite rolls back the whole transaction on some errors.
                Err(Failure::Clean(error)) if !self.connection.is_autocommit() => {
                    jobs[done].fail(error);
                }
                Err(Failure::Clean(error) | Failure::Dirty(error)) => {
                    return Err(self.roll_back(Aborted::Job(error)));
                }
            }
            done += 1;
            if done == jobs.len()
                && done < MAX_BATCH
                && let Some(job) = receiver.as_mut().and_then(|receiver| receiver.try_recv().ok())
            {
                jobs.push(job);
            }
        }
        let now_s = self.clock.now().as_second();
        match self.keeper.prepare(&self.connection, effort, now_s) {
            Ok(rows) => self.writes += rows,
            Err(error) => return Err(self.roll_back(Aborted::Job(error))),
        }
        if let Err(error) = self.tail.flush(&self.connection) {
            return Err(self.roll_back(Aborted::Job(error)));
        }
        if let Err(error) = self.statement("COMMIT") {
            return Err(self.roll_back(Aborted::Commit(error)));
        }
        self.keeper.publish();
        self.changed.append(&mut self.touched);
        Ok(())
    }

    fn execute(&mut self, job: &mut Job) -> Result<(), Failure> {
        match job {
            Job::Transact { transaction, reply } => reply.set(self.transact(transaction)?),
            Job::Append { arrivals, reply } => {
                reply.set(self.keeper.append(&self.connection, arrivals)?);
            }
            // The merge itself is part of every commit.
            Job::Merge { reply } => reply.set(self.keeper.has_work()),
            Job::Sweep { reply } => reply.set(self.sweep().map_err(Failure::Dirty)?),
            Job::ForgetChanges { table, pk, sk, limit, reply } => {
                let changes = (*table, pk.as_str(), sk.as_deref());
                let forgotten = forget(&self.connection, changes, *limit);
                reply.set(forgotten.map_err(Failure::Dirty)?);
            }
            Job::ForgetReadings { device, household, limit, reply } => {
                let forgotten = self.keeper.forget(&self.connection, *device, *household, *limit);
                reply.set(forgotten.map_err(Failure::Dirty)?);
            }
            Job::Probe { reply } => {
                reply.set(meta::touch(&self.connection).map_err(Failure::Dirty)?);
            }
            Job::Close { reply } => reply.set(()),
        }
        Ok(())
    }

    fn roll_back(&mut self, why: Aborted) -> Aborted {
        if let Aborted::Job(StorageError::Unavailable(_))
        | Aborted::Commit(StorageError::Unavailable(_)) = &why
        {
            self.audience.write_failure.happens();
        }
        self.touched.clear();
        self.recent.clear();
        self.keeper.roll_back();
        if !self.connection.is_autocommit()
            && let Err(error) = self.statement("ROLLBACK")
        {
            tracing::error!(%error, "rollback failed");
        }
        match Tail::load(&self.connection) {
            Ok(tail) => self.tail = tail,
            Err(error) => tracing::error!(%error, "reading the journal's end failed"),
        }
        why
    }

    /// Leaves a file that needs no recovery.
    fn finish(&mut self) {
        while self.keeper.has_work() && !self.audience.failure.has_happened() {
            if let Err(Aborted::Job(error) | Aborted::Commit(error)) = self.step() {
                tracing::error!(%error, "merging readings at shutdown failed; the next start will retry");
                break;
            }
        }
        let checkpoint =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
        if let Err(error) = checkpoint {
            tracing::warn!(%error, "write-ahead log not merged at shutdown; the next start will retry");
        }
    }

    fn statement(&self, sql: &str) -> Result<()> {
        self.connection.prepare_cached(sql).at("larder.db")?.execute(()).at("larder.db")?;
        Ok(())
    }
}
