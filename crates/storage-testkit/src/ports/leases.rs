//! Work that one server does at a time.

use std::sync::Arc;

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use larder_storage::TakenLease;

use crate::StoreHarness;

const FREE: Option<TakenLease> = Some(TakenLease { last_finished_at: None });

/// Takes a lease for ten seconds.
async fn take(h: &StoreHarness, job: &'static str, holder: &str) -> Option<TakenLease> {
    let until = h.now() + SignedDuration::from_secs(10);
    h.store().take_lease(job, holder, until, h.now()).await.unwrap()
}

async fn release(h: &StoreHarness, job: &'static str, holder: &str, finished: Option<Timestamp>) {
    h.store().release_lease(job, holder, finished).await.unwrap();
}

pub async fn p30_a_lease_is_one_servers_until_it_is_given_back(h: &StoreHarness) {
    const JOB: &str = "given-back";
    assert_eq!(take(h, JOB, "one").await, FREE);
    assert_eq!(take(h, JOB, "two").await, None);
    assert_eq!(take(h, JOB, "one").await, FREE, "the holder may prolong it");
    // Only the holder can release a lease.
    release(h, JOB, "two", Some(h.now())).await;
    assert_eq!(take(h, JOB, "two").await, None);
    release(h, JOB, "one", None).await;
    assert_eq!(take(h, JOB, "two").await, FREE);
    assert_eq!(take(h, JOB, "one").await, None);
    assert_eq!(take(h, "given-back-other", "one").await, FREE, "each job has a lease of its own");
}

pub async fn p30_a_lease_ends_by_itself_unless_it_is_prolonged(h: &StoreHarness) {
    const JOB: &str = "prolonged";
    assert_eq!(take(h, JOB, "one").await, FREE);
    h.advance_seconds(9);
    assert_eq!(take(h, JOB, "two").await, None);
    assert_eq!(take(h, JOB, "one").await, FREE);
    h.advance_seconds(9);
    assert_eq!(take(h, JOB, "two").await, None);
    h.advance_seconds(2);
    assert_eq!(take(h, JOB, "two").await, FREE);
    // A late holder neither has it nor can release it.
    assert_eq!(take(h, JOB, "one").await, None);
    release(h, JOB, "one", Some(h.now())).await;
    assert_eq!(take(h, JOB, "three").await, None);
    assert_eq!(take(h, JOB, "two").await, FREE);
}

pub async fn p30_when_a_job_was_finished_is_kept_for_whoever_comes_next(h: &StoreHarness) {
    const JOB: &str = "finished";
    let first = h.write().at;
    assert_eq!(take(h, JOB, "one").await, FREE);
    release(h, JOB, "one", Some(first)).await;
    assert_eq!(take(h, JOB, "two").await, Some(TakenLease { last_finished_at: Some(first) }));
    // Released unfinished, renewed, or expired: the last end is kept.
    assert_eq!(take(h, JOB, "two").await, Some(TakenLease { last_finished_at: Some(first) }));
    release(h, JOB, "two", None).await;
    assert_eq!(take(h, JOB, "one").await, Some(TakenLease { last_finished_at: Some(first) }));
    h.advance_seconds(11);
    assert_eq!(take(h, JOB, "two").await, Some(TakenLease { last_finished_at: Some(first) }));
    let second = h.write().at;
    release(h, JOB, "two", Some(second)).await;
    h.advance_seconds(365 * 24 * 60 * 60);
    assert_eq!(take(h, JOB, "one").await, Some(TakenLease { last_finished_at: Some(second) }));
}

pub async fn p30_of_many_servers_that_want_a_lease_one_gets_it(h: &StoreHarness) {
    const JOB: &str = "wanted";
    for round in 0..8 {
        let (at, until) = (h.now(), h.now() + SignedDuration::from_secs(10));
        let tasks = (0..8).map(|n| {
            let store = Arc::clone(h.store());
            tokio::spawn(async move {
                let holder = format!("server {n}");
                let taken = store.take_lease(JOB, &holder, until, at).await.unwrap();
                taken.map(|_| holder)
            })
        });
        let holders: Vec<_> =
            join_all(tasks).await.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!(holders.len(), 1, "round {round}: {holders:?}");
        // Released in one round, expired in the next.
        if round % 2 == 0 {
            release(h, JOB, &holders[0], None).await;
        } else {
            h.advance_seconds(11);
        }
    }
}
