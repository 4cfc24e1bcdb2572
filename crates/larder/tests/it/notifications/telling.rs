//! Live events of notifications.

use serde_json::{Value, json};

use super::{acknowledge_path, add_watched, the_open_one};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn each_step_of_a_notification_is_told_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    let mut stream = anna.events(None).await;
    anna.adjust(id_of(&eggs), -3).await.expect(200);
    let told = the_open_one(&anna).await;
    anna.post(&acknowledge_path(&told), json!({})).await.expect(200);
    anna.post(&acknowledge_path(&told), json!({})).await.expect(200);
    anna.adjust(id_of(&eggs), 3).await.expect(200);
    anna.post("/stores", json!({ "name": "Shop" })).await.expect(201);

    let seen = stream.until(|event| event.name == "StoreAdded").await;
    let steps: Vec<_> =
        seen.iter().filter(|event| event.name.starts_with("Notification")).collect();
    let names: Vec<_> = steps.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["NotificationOpened", "NotificationAcknowledged", "NotificationResolved"]);
    for (event, by) in steps.iter().zip([Value::Null, json!(anna.user_id), Value::Null]) {
        assert_eq!(event.data["notificationId"], told["notificationId"]);
        assert_eq!((&event.data["itemId"], &event.data["userId"]), (&eggs["id"], &by));
    }
    assert_eq!(steps[0].data["kind"], "low_stock");
}

#[tokio::test]
async fn what_is_left_now_is_told_without_making_it_new_again() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    anna.adjust(id_of(&eggs), -3).await.expect(200);
    let told = the_open_one(&anna).await;
    let seen = anna.post(&acknowledge_path(&told), json!({})).await.expect(200);
    let mut stream = anna.events(None).await;
    anna.adjust(id_of(&eggs), -3).await.expect(200);
    let update = stream.until(|event| event.name.starts_with("Notification")).await;
    let update = update.last().unwrap();
    assert_eq!(update.name, "NotificationUpdated");
    assert_eq!(update.data["notificationId"], told["notificationId"]);
    let mut expected = seen.clone();
    expected["quantity"] = json!(0);
    assert_eq!(the_open_one(&anna).await, expected, "seen, by whom and when it was");
}

#[tokio::test]
async fn another_household_hears_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    let mut stream = stranger.events(None).await;
    add_watched(&anna, "Eggs", 1, 4).await;
    the_open_one(&anna).await;
    stranger.post("/stores", json!({ "name": "Shop" })).await.expect(201);
    assert_eq!(stream.next().await.name, "StoreAdded");
}
