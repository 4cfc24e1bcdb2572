//! Deletions and erasures in progress on this server: those that it started, so that they need not wait for the
//! next search for interrupted work, and those that a client polls here while the server that
//! started them seems to be gone.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Deletion, DeletionId, Erasure};
use larder_storage::StorageError;
use tokio::sync::Notify;

use crate::{App, Stopping, Topic, upkeep::stopped};

/// The capacity of the queue. All deletions are durable: evicted ones are found as interrupted
/// work.
const MOST: usize = 1_000;
/// How often in a row a piece may fail before the deletion is left to be found as interrupted work.
const MOST_FAILURES: u32 = 10;
/// The pause after a failed batch.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a deletion must have made no progress before this server takes it over. Two servers on
/// the same one slow each other down, but do no harm.
const STANDS_STILL: SignedDuration = SignedDuration::from_secs(3);

/// What this server carries on with.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// The deletion of a resource with all below it.
    Tree(Deletion),
    /// The erasure of a household, an account or a device.
    Erasure(Erasure),
}

impl Work {
    const fn id(&self) -> DeletionId {
        match self {
            Self::Tree(deletion) => deletion.id,
            Self::Erasure(erasure) => erasure.id,
        }
    }

    const fn removed(&self) -> u64 {
        match self {
            Self::Tree(deletion) => deletion.removed,
            Self::Erasure(erasure) => erasure.removed,
        }
    }

    const fn is_finished(&self) -> bool {
        match self {
            Self::Tree(deletion) => deletion.finished_at.is_some(),
            Self::Erasure(erasure) => erasure.finished_at.is_some(),
        }
    }
}

/// The deletions that this server carries on with.
#[derive(Default)]
pub(crate) struct DeletionQueue {
    state: Mutex<State>,
    came: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Begun>,
    known: HashMap<DeletionId, TrackedDeletion>,
}

/// A deletion in progress, as this server tracks it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TrackedDeletion {
    /// It is this server's.
    Own,
    /// A client polls it here; its last progress.
    Followed { removed: u64, moved_at: Timestamp },
}

struct Begun {
    work: Work,
    /// How many pieces have failed since one went well.
    failures: u32,
}

impl DeletionQueue {
    /// Adds a new one.
    pub(crate) fn begin(&self, work: Work) {
        let mut state = self.state();
        if state.known.len() < MOST || state.known.contains_key(&work.id()) {
            state.known.insert(work.id(), TrackedDeletion::Own);
            state.waiting.push_back(Begun { work, failures: 0 });
        }
        drop(state);
        self.came.notify_one();
    }

    /// Checks one that a client polls, and takes it over if it makes no progress.
    pub(crate) fn follow(&self, work: &Work, now: Timestamp) {
        let mut state = self.state();
        if work.is_finished() {
            state.known.remove(&work.id());
            return;
        }
        let seen = TrackedDeletion::Followed { removed: work.removed(), moved_at: now };
        match state.known.get(&work.id()) {
            Some(TrackedDeletion::Own) => {}
            Some(TrackedDeletion::Followed { removed, moved_at }) if *removed == work.removed() => {
                if now.duration_since(*moved_at) >= STANDS_STILL {
                    drop(state);
                    self.begin(work.clone());
                }
            }
            None if state.known.len() >= MOST => {}
            Some(TrackedDeletion::Followed { .. }) | None => {
                _ = state.known.insert(work.id(), seen);
            }
        }
    }

    fn put_back(&self, begun: Begun) {
        self.state().waiting.push_back(begun);
        self.came.notify_one();
    }

    /// Puts one back a moment later: an erasure waits for its last look, while others go on.
    fn wait(self: &Arc<Self>, work: Work) {
        let queue = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(PAUSE).await;
            queue.put_back(Begun { work, failures: 0 });
        });
    }

    fn forget(&self, id: DeletionId) {
        self.state().known.remove(&id);
    }

    async fn next(&self) -> Begun {
        loop {
            let first = self.state().waiting.pop_front();
            match first {
                Some(begun) => return begun,
                None => self.came.notified().await,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each step of a change leaves it whole, so it is whole after a panic, too.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// Continues this server's deletions, a batch of each in turn, until the server stops. The rest
    /// is then found as interrupted work by any server.
    pub async fn carry_on_deletions(&self, mut stopping: Stopping) {
        loop {
            let begun = tokio::select! {
                biased;
                () = stopped(&mut stopping) => return,
                begun = self.deletions.next() => begun,
            };
            self.carry_on(begun, &mut stopping).await;
        }
    }

    async fn carry_on(&self, begun: Begun, stopping: &mut Stopping) {
        let Begun { work, failures } = begun;
        let id = work.id();
        match self.do_some(&work).await {
            Ok(None) => self.deletions.forget(id),
            Ok(Some(next)) if next.is_finished() => {
                tracing::info!(%id, removed = next.removed(), "deletion finished");
                self.deletions.forget(id);
            }
            Ok(Some(next)) if next.removed() == work.removed() => self.deletions.wait(next),
            Ok(Some(work)) => self.deletions.put_back(Begun { work, failures: 0 }),
            Err(error) if failures < MOST_FAILURES && may_pass(&error) => {
                tracing::debug!(%id, %error, "deletion failed, will retry");
                // The others wait, too: they would probably fail for the same reason.
                let _ = tokio::time::timeout(PAUSE, stopped(stopping)).await;
                self.deletions.put_back(Begun { work, failures: failures + 1 });
            }
            Err(error) => {
                tracing::warn!(%id, %error, "deletion stopped, will retry");
                self.deletions.forget(id);
            }
        }
    }
}

impl App {
    /// Does a batch; `None` if nothing is left, not even a note of it.
    async fn do_some(&self, work: &Work) -> larder_storage::Result<Option<Work>> {
        Ok(match work {
            Work::Tree(deletion) => {
                let continued = self.storage.continue_deletion(deletion, self.now()).await;
                self.change_hints.notify(deletion.account.clone(), Topic::Things);
                Some(Work::Tree(continued?))
            }
            Work::Erasure(erasure) => {
                let continued = self.storage.continue_erasure(erasure.id, self.now()).await?;
                continued.map(Work::Erasure)
            }
        })
    }
}

fn may_pass(error: &StorageError) -> bool {
    matches!(error, StorageError::Unavailable(_) | StorageError::Contention(_))
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdId, Urn};

    use super::*;

    fn deletion(removed: u64) -> Work {
        Work::Tree(Deletion {
            id: DeletionId::fixed(1),
            account: Urn::of_household(HouseholdId::fixed(1)),
            root: "urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
            removed,
            total: None,
            started_at: Timestamp::UNIX_EPOCH,
            finished_at: None,
        })
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn waiting(queue: &DeletionQueue) -> usize {
        queue.state().waiting.len()
    }

    #[test]
    fn what_another_server_does_is_taken_over_only_when_it_stands_still() {
        let queue = DeletionQueue::default();
        for (second, removed, taken_over) in [(0, 5, 0), (2, 5, 0), (4, 6, 0), (6, 6, 0), (7, 6, 1)]
        {
            queue.follow(&deletion(removed), at(second));
            assert_eq!(waiting(&queue), taken_over, "at {second}");
        }
        queue.follow(&deletion(6), at(60));
        assert_eq!(waiting(&queue), 1, "it is this server's own by now");
    }

    #[test]
    fn what_this_server_does_is_not_taken_over() {
        let queue = DeletionQueue::default();
        queue.begin(deletion(0));
        for second in [0, 60] {
            queue.follow(&deletion(0), at(second));
        }
        assert_eq!(waiting(&queue), 1);
    }

    #[test]
    fn nothing_is_remembered_of_what_is_done() {
        let queue = DeletionQueue::default();
        queue.follow(&deletion(0), at(0));
        let Work::Tree(one) = deletion(1) else { unreachable!("a tree") };
        queue.follow(&Work::Tree(Deletion { finished_at: Some(at(1)), ..one }), at(1));
        assert!(queue.state().known.is_empty() && waiting(&queue) == 0);
    }
}
