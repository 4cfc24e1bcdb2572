//! A clock that has jumped deletes nothing.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Delta, Item};

use super::world::World;
use crate::Sweep;

const DAY: SignedDuration = SignedDuration::from_hours(24);

impl World {
    /// Sweeps as a server does; `false` if that is paused.
    async fn sweeps(&self, confirmed_at: Option<Timestamp>) -> bool {
        let swept = self.caretaker.sweep(&self.stopping(), confirmed_at, self.engine.sweep()).await;
        match swept.unwrap().expect("there is no other server") {
            Sweep::Done(_) => true,
            Sweep::Paused => false,
        }
    }

    /// Something with ten changes in its history, on a store that was swept a moment ago.
    async fn used(&self) -> Item {
        let milk = self.add("Milk", "1", None).await;
        for _ in 0..9 {
            let one = Delta::from_hundredths(100).unwrap();
            self.app.adjust_item(&self.anna, milk.id, one, None).await.unwrap();
        }
        assert!(self.sweeps(None).await);
        milk
    }

    async fn history(&self, of: &Item) -> usize {
        self.app.item_history(&self.anna, of.id, None, 100).await.unwrap().items.len()
    }
}

#[tokio::test]
async fn a_clock_that_jumps_by_days_deletes_nothing_until_it_is_confirmed() {
    let world = World::new().await;
    let milk = world.used().await;
    world.wait(DAY * 40);
    for _ in 0..3 {
        assert!(!world.sweeps(None).await);
        world.wait(DAY);
    }
    assert_eq!(world.history(&milk).await, 10);
    assert!(*world.counted.is_paused.lock().unwrap());
    assert!(!world.sweeps(Some(world.now() - DAY * 20)).await, "that was before the jump");

    assert!(world.sweeps(Some(world.now())).await);
    assert_eq!(world.history(&milk).await, 0);
    assert!(!*world.counted.is_paused.lock().unwrap());
    world.wait(DAY);
    assert!(world.sweeps(None).await, "from here on it is known to be right");
}

#[tokio::test]
async fn a_clock_that_is_set_right_again_needs_no_confirmation() {
    let world = World::new().await;
    let milk = world.used().await;
    world.wait(DAY * 40);
    assert!(!world.sweeps(None).await);
    world.wait(-DAY * 40);
    assert!(world.sweeps(None).await);
    assert_eq!(world.history(&milk).await, 10);
}

#[tokio::test]
async fn days_that_pass_one_by_one_are_swept() {
    let world = World::new().await;
    let milk = world.used().await;
    for _ in 0..36 {
        world.wait(DAY);
        assert!(world.sweeps(None).await);
    }
    assert_eq!(world.history(&milk).await, 0);
}
