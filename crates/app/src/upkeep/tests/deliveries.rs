use jiff::SignedDuration;
use larder_domain::{Channel, Delta};

use super::world::World;
use crate::{Deliveries, DeliveryOutcome, SendError};

const NOTHING: Deliveries = Deliveries { sent: 0, failed: 0, dead: 0, dropped: 0, capped: 0 };

fn later() -> SendError {
    SendError::Temporary("the receiver answered 503".to_owned())
}

fn never() -> SendError {
    SendError::Permanent("the receiver answered 410".to_owned())
}

impl World {
    async fn deliver(&self) -> Deliveries {
        self.caretaker.deliver(&self.stopping()).await.unwrap().expect("nobody else delivers")
    }
}

#[tokio::test]
async fn low_stock_is_told_once_to_every_member() {
    let world = World::new().await;
    let rice = world.add("Rice", "1", None).await;
    assert_eq!(world.deliver().await, Deliveries { sent: 1, ..NOTHING });
    let [message] = &world.webhook.take_sent()[..] else { panic!("not one message") };
    let [notification] = &world.notifications().await[..] else { panic!("not one notification") };
    assert_eq!(&message.notification, notification);
    assert_eq!(message.notification.item, rice.id);
    assert_eq!(message.household.name.as_str(), "Home");
    assert_eq!(message.recipients[0].email.as_str(), "anna@example.org");
    assert_eq!(message.sent_at, world.now());
    assert_eq!(message.delivery_id, format!("{}.webhook", notification.id));

    assert_eq!(world.deliver().await, NOTHING);
    assert_eq!(world.webhook.take_sent().len(), 0);
    assert_eq!(*world.counted.outcomes.lock().unwrap(), [DeliveryOutcome::Sent]);
}

#[tokio::test]
async fn what_fails_is_tried_again_when_its_time_has_come() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    world.webhook.fail(2, &later());
    assert_eq!(world.deliver().await, Deliveries { failed: 1, ..NOTHING });
    world.wait(SignedDuration::from_secs(9));
    assert_eq!(world.deliver().await, NOTHING, "ten seconds have not passed");
    world.wait(SignedDuration::from_secs(4));
    assert_eq!(world.deliver().await, Deliveries { failed: 1, ..NOTHING });
    world.wait(SignedDuration::from_secs(73));
    assert_eq!(world.deliver().await, Deliveries { sent: 1, ..NOTHING });
    let ids: Vec<_> = world.webhook.take_sent().into_iter().map(|sent| sent.delivery_id).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]), "the same id each time: {ids:?}");
}

#[tokio::test]
async fn after_nine_failures_it_is_a_dead_letter_that_can_be_revived() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    world.webhook.fail(9, &later());
    let mut failed = 0;
    let dead = loop {
        match world.deliver().await {
            Deliveries { failed: 1, .. } => failed += 1,
            done => break done,
        }
        world.wait(SignedDuration::from_hours(29));
    };
    assert_eq!(dead, Deliveries { dead: 1, ..NOTHING });
    assert_eq!(failed, 8);
    let [letter] = &world.store.dead_letters(10).await.unwrap()[..] else { panic!("not one") };
    assert_eq!((letter.channel, letter.attempts), (Channel::Webhook, 9));
    assert_eq!(letter.last_error.as_deref(), Some("the receiver answered 503"));
    assert_eq!(letter.due_at, world.now());
    assert_eq!(world.deliver().await, NOTHING);

    assert_eq!(world.store.revive_dead_letters(world.now()).await.unwrap(), 1);
    assert_eq!(world.deliver().await, Deliveries { sent: 1, ..NOTHING });
}

#[tokio::test]
async fn a_refusal_for_good_is_a_dead_letter_at_once() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    world.add("Salt", "1", None).await;
    world.webhook.fail(1, &never());
    let done = world.deliver().await;
    assert_eq!(done, Deliveries { dead: 1, sent: 1, ..NOTHING }, "one refusal stops no other");
    assert_eq!(world.store.dead_letters(10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_not_so_any_more_is_not_told() {
    let world = World::new().await;
    let rice = world.add("Rice", "1", None).await;
    let enough = Delta::parse("5").unwrap();
    world.app.adjust_item(&world.anna, rice.id, enough, None).await.unwrap();
    assert_eq!(world.deliver().await, Deliveries { dropped: 1, ..NOTHING });
    assert_eq!(world.webhook.take_sent().len(), 0);
    assert_eq!(world.deliver().await, NOTHING);
}

#[tokio::test]
async fn a_server_that_stops_sends_nothing_more() {
    let world = World::new().await;
    world.add("Rice", "1", None).await;
    world.stop();
    assert_eq!(world.deliver().await, NOTHING);
    assert_eq!(world.webhook.take_sent().len(), 0);
}
