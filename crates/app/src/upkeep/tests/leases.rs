use std::{future::pending, time::Duration};

use jiff::SignedDuration;

use super::world::World;
use crate::{Deliveries, Job};

impl World {
    /// Simulates a crash: the lease is taken and never released.
    async fn die_holding(&self, job: Job) {
        let (another, _) = self.another();
        assert!(another.lease(job).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn while_one_server_delivers_the_other_does_not() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    world.die_holding(Job::Deliveries).await;
    let stopping = world.stopping();
    assert_eq!(world.caretaker.deliver(&stopping).await.unwrap(), None);
    assert_eq!(world.webhook.take_sent().len(), 0);

    world.wait(Job::Deliveries.term() + SignedDuration::from_secs(1));
    let done = world.caretaker.deliver(&stopping).await.unwrap();
    assert_eq!(done, Some(Deliveries { sent: 1, ..Deliveries::default() }), "it has died");
}

#[tokio::test]
async fn what_one_server_has_done_the_other_does_not_do_again() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    let (another, its_webhook) = world.another();
    let stopping = world.stopping();
    let (one, two) = tokio::join!(world.caretaker.deliver(&stopping), another.deliver(&stopping));
    let sent = |done: Option<Deliveries>| done.map_or(0, |done| done.sent);
    assert_eq!(sent(one.unwrap()) + sent(two.unwrap()), 1);
    assert_eq!(world.webhook.take_sent().len() + its_webhook.take_sent().len(), 1);
}

#[tokio::test]
async fn every_job_waits_for_its_lease_and_no_other() {
    let world = World::new().await;
    let stopping = world.stopping();
    for job in Job::ALL {
        world.die_holding(job).await;
        let run = world.caretaker.alone(job, &stopping, async { Ok(job) }).await;
        assert_eq!(run.unwrap(), None, "{job:?}");
        for other in Job::ALL.into_iter().filter(|other| *other != job) {
            let run = world.caretaker.alone(other, &stopping, async { Ok(other) }).await;
            assert_eq!(run.unwrap(), Some(other), "{other:?} beside {job:?}");
        }
        world.wait(SignedDuration::from_mins(3));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_lasts_as_long_as_the_work_and_not_longer() {
    let world = World::new().await;
    let (another, _) = world.another();
    let stopping = world.stopping();
    let work = async {
        let mut taken_over = 0;
        // Two and a half times the duration of a lease.
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_secs(5)).await;
            world.wait(SignedDuration::from_secs(5));
            taken_over += usize::from(another.lease(Job::Deliveries).await?.is_some());
        }
        Ok(taken_over)
    };
    let run = world.caretaker.alone(Job::Deliveries, &stopping, work).await;
    assert_eq!(run.unwrap(), Some(0));
    assert!(another.lease(Job::Deliveries).await.unwrap().is_some(), "it was given back");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stood_still_too_long_leaves_the_work_to_the_other() {
    let world = World::new().await;
    let (another, _) = world.another();
    let stopping = world.stopping();
    let work = async {
        world.wait(Job::Deliveries.term() + SignedDuration::from_secs(1));
        assert!(another.lease(Job::Deliveries).await?.is_some());
        pending().await
    };
    let run: Option<()> = world.caretaker.alone(Job::Deliveries, &stopping, work).await.unwrap();
    assert_eq!(run, None);
    assert!(world.caretaker.lease(Job::Deliveries).await.unwrap().is_none());
}

#[tokio::test]
async fn all_households_are_gone_through_once_a_week_by_one_server() {
    let world = World::new().await;
    let (another, _) = world.another();
    let stopping = world.stopping();
    let first = world.caretaker.reconcile_weekly(&stopping).await.unwrap().unwrap();
    assert_eq!((first.households, first.repaired(), first.failed), (1, 0, 0));
    for hours in [1, 6 * 24, 22] {
        world.wait(SignedDuration::from_hours(hours));
        assert_eq!(another.reconcile_weekly(&stopping).await.unwrap(), None);
    }
    world.wait(SignedDuration::from_hours(1));
    assert_eq!(another.reconcile_weekly(&stopping).await.unwrap().unwrap().households, 1);
    assert_eq!(world.caretaker.reconcile_weekly(&stopping).await.unwrap(), None);
    assert_eq!(world.caretaker.reconcile(&stopping).await.unwrap().unwrap().households, 1);
}

#[tokio::test]
async fn with_nothing_left_undone_there_is_nothing_to_resume() {
    let world = World::new().await;
    assert_eq!(world.caretaker.resume_work(&world.stopping()).await.unwrap(), Some(0));
    assert_eq!(*world.counted.successes.lock().unwrap(), [Job::Work]);
}
