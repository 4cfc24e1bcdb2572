//! `active → acknowledged → resolved`, and never back.

use serde_json::json;

use super::{acknowledge_path, add_watched, notified, the_open_one};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn whoever_says_first_that_they_saw_it_is_remembered() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    add_watched(&anna, "Eggs", 1, 4).await;
    let told = the_open_one(&anna).await;
    let path = acknowledge_path(&told);

    let seen = ben.post(&path, json!({})).await.expect(200);
    let mut expected = told.clone();
    expected["status"] = json!("acknowledged");
    expected["acknowledgedBy"] = json!(ben.user_id);
    expected["acknowledgedAt"] = seen["acknowledgedAt"].clone();
    assert_eq!(seen, expected);
    assert!(seen["acknowledgedAt"].is_string(), "{seen}");

    let without_a_body = anna.request(reqwest::Method::POST, &path);
    assert_eq!(anna.send(without_a_body).await.expect(200), seen, "again changes nothing");
    assert_eq!(the_open_one(&anna).await, seen, "it is still so");
}

#[tokio::test]
async fn what_was_seen_is_not_told_again_and_resolves_by_itself() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 2, 4).await;
    let told = the_open_one(&anna).await;
    let mut seen = anna.post(&acknowledge_path(&told), json!({})).await.expect(200);
    anna.adjust(id_of(&eggs), -1).await.expect(200);
    seen["quantity"] = json!(1);
    assert_eq!(notified(&anna, "status=all").await, std::slice::from_ref(&seen));

    anna.adjust(id_of(&eggs), 5).await.expect(200);
    let resolved = notified(&anna, "status=resolved").await;
    assert_eq!(resolved.len(), 1);
    assert_eq!(resolved[0]["acknowledgedBy"], seen["acknowledgedBy"]);
    assert_eq!(resolved[0]["acknowledgedAt"], seen["acknowledgedAt"]);
    assert_eq!(resolved[0]["status"], "resolved");
}

#[tokio::test]
async fn what_ended_unseen_cannot_be_seen_any_more() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 2, 4).await;
    let told = the_open_one(&anna).await;
    anna.adjust(id_of(&eggs), 5).await.expect(200);
    let resolved = notified(&anna, "status=resolved").await;
    let late = anna.post(&acknowledge_path(&told), json!({})).await;
    let problem = late.expect_problem(409, "NOTIFICATION_RESOLVED");
    assert_eq!(problem["current"], resolved[0]);
    assert_eq!(notified(&anna, "status=all").await, resolved);
}

#[tokio::test]
async fn what_is_unknown_or_not_ours_is_not_there() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    let loner = server.register("loner").await;
    add_watched(&anna, "Eggs", 1, 4).await;
    let told = the_open_one(&anna).await;
    let path = acknowledge_path(&told);
    for (client, path) in [
        (&stranger, path.as_str()),
        (&loner, &path),
        (&anna, "/notifications/f47ac10b-58cc-4372-a567-0e02b2c3d479/acknowledge"),
        (&anna, "/notifications/milk/acknowledge"),
    ] {
        let answer = client.post(path, json!({})).await;
        answer.expect_problem(404, "NOTIFICATION_NOT_FOUND");
    }
    let wordy = anna.post(&path, json!({ "status": "acknowledged" })).await;
    wordy.expect_field_error("UNKNOWN_FIELD", "status");
    assert_eq!(the_open_one(&anna).await, told);
}

#[tokio::test]
async fn a_repeated_acknowledgement_answers_the_first_result_even_later() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 1, 4).await;
    let path = acknowledge_path(&the_open_one(&anna).await);
    let first = anna.post_once(&path, "seen", &json!({})).await;
    first.expect(200);
    anna.adjust(id_of(&eggs), 5).await.expect(200);
    let again = anna.post_once(&path, "seen", &json!({})).await;
    assert_eq!((again.status, again.text), (200, first.text));
}
