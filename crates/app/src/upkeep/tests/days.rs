use jiff::SignedDuration;
use larder_domain::{NotificationKind, NotificationStatus};

use super::world::World;
use crate::DaysBegun;

const NOTHING: DaysBegun = DaysBegun { households: 0, topics: 0, opened: 0, failed: 0 };

impl World {
    async fn begin_days(&self) -> DaysBegun {
        self.caretaker.begin_days(&self.stopping()).await.unwrap().expect("nobody else does")
    }

    async fn kinds(&self) -> Vec<(NotificationKind, NotificationStatus)> {
        let all = self.notifications().await;
        all.iter().map(|one| (one.subject.kind(), one.status())).collect()
    }
}

#[tokio::test]
async fn a_date_is_told_when_it_is_near_and_when_it_has_passed_once_each() {
    use NotificationKind::{Expired, ExpiringSoon};
    use NotificationStatus::{Active, Resolved};
    let world = World::new().await;
    // It is March 1st in Tokyo, 9:00; the date is near from the 2nd to the 5th.
    world.add("Milk", "5", Some("2026-03-05")).await;
    let done = world.begin_days().await;
    assert_eq!(
        done,
        DaysBegun { households: 1, ..NOTHING },
        "a new household begins its first day"
    );
    assert_eq!(world.begin_days().await, NOTHING);

    world.wait(SignedDuration::from_hours(14));
    assert_eq!(world.begin_days().await, NOTHING, "23:00 in Tokyo");
    world.wait(SignedDuration::from_hours(1));
    let done = world.begin_days().await;
    assert_eq!(done, DaysBegun { households: 1, topics: 1, opened: 1, ..NOTHING });
    assert_eq!(world.kinds().await, [(ExpiringSoon, Active)]);

    world.wait(SignedDuration::from_hours(24));
    let done = world.begin_days().await;
    assert_eq!(done, DaysBegun { households: 1, topics: 1, ..NOTHING }, "told already");

    world.wait(SignedDuration::from_hours(3 * 24));
    let done = world.begin_days().await;
    assert_eq!(done, DaysBegun { households: 1, topics: 1, opened: 1, ..NOTHING });
    assert_eq!(world.kinds().await, [(Expired, Active), (ExpiringSoon, Resolved)]);
}

#[tokio::test]
async fn what_is_due_when_it_is_added_is_told_at_once_and_leaves_the_house_too() {
    let world = World::new().await;
    world.add("Milk", "5", Some("2026-02-28")).await;
    assert_eq!(world.kinds().await, [(NotificationKind::Expired, NotificationStatus::Active)]);
    assert_eq!(world.begin_days().await.opened, 0, "told already");
    let done = world.caretaker.deliver(&world.stopping()).await.unwrap().unwrap();
    assert_eq!(done.sent, 1);
    let sent = world.webhook.take_sent();
    assert_eq!(sent[0].notification.subject.kind(), NotificationKind::Expired);
}

#[tokio::test]
async fn a_server_that_stops_leaves_the_day_to_another() {
    let world = World::new().await;
    world.add("Milk", "5", Some("2026-03-05")).await;
    world.wait(SignedDuration::from_hours(24));
    let (another, _) = world.another();
    world.stop();
    assert_eq!(world.begin_days().await, NOTHING);
    assert_eq!(*world.counted.successes.lock().unwrap(), [], "that was no success");
    let (_sender, never) = tokio::sync::watch::channel(false);
    let done = another.begin_days(&never).await.unwrap().unwrap();
    assert_eq!(done, DaysBegun { households: 1, topics: 1, opened: 1, ..NOTHING });
}
