//! Many clients at once: exact sums, one item, never below zero.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::engine::scale;
use crate::it::support::{Answer, Client, PATIENCE, Server, amount, hundredths, id_of};

const CLIENTS: usize = 64;

/// Sends one request from each of 64 clients, all at the same moment. A client that is refused
/// temporarily retries, like an app; its key makes it idempotent.
async fn at_once(anna: &Client, request: impl Fn(usize) -> (String, Value)) -> Vec<Answer> {
    let start = Arc::new(Barrier::new(CLIENTS));
    let tasks: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let (start, anna) = (Arc::clone(&start), anna.clone());
            let ((path, body), key) = (request(number), format!("client-{number}"));
            tokio::spawn(async move {
                start.wait().await;
                let begun = Instant::now();
                loop {
                    let answer = anna.post_once(&path, &key, &body).await;
                    if answer.status != 503 || begun.elapsed() > PATIENCE {
                        return answer;
                    }
                }
            })
        })
        .collect();
    let mut answers = Vec::with_capacity(CLIENTS);
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_clients_adding_the_same_item_give_one_with_the_exact_sum() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let answers = at_once(&anna, |number| {
        // Even clients count in kilograms, odd ones in grams: 32 × 0.25 kg + 32 × 10 g.
        let (quantity, unit) = if number % 2 == 0 { (json!(0.25), "kg") } else { (json!(10), "g") };
        let body = json!({ "name": "Rice", "quantity": quantity, "unit": unit });
        ("/inventory/items".to_owned(), body)
    })
    .await;

    let created = answers.iter().filter(|answer| answer.status == 201).count();
    let merged = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!((created, merged), (1, CLIENTS - 1));
    let items = anna.items("includeDepleted=true").await;
    assert_eq!(items.len(), 1);
    let expected = if items[0]["unit"] == "kg" { "8.32" } else { "8320" };
    assert_eq!(amount(&items[0]["quantity"]), expected);
    assert_eq!(items[0]["version"], CLIENTS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_clients_taking_one_of_thirty_two_take_exactly_thirty_two() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = anna.add("Eggs", 32, "個").await;
    let id = id_of(&eggs).to_owned();
    let path = format!("/inventory/items/{id}/adjust");
    let answers = at_once(&anna, |_| (path.clone(), json!({ "delta": -1 }))).await;

    let bodies: Vec<_> = answers.iter().map(|answer| answer.expect(200)).collect();
    let taken: Vec<_> = bodies.iter().map(|body| hundredths(&body["applied"])).collect();
    assert_eq!(taken.iter().filter(|applied| **applied == -100).count(), 32);
    assert_eq!(taken.iter().filter(|applied| **applied == 0).count(), 32);
    for body in &bodies {
        assert!(hundredths(&body["item"]["quantity"]) >= 0, "below zero: {body}");
    }
    let left = anna.item(&id).await;
    assert_eq!(amount(&left["quantity"]), "0");
    assert_eq!(left["isDepleted"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adding_and_taking_at_once_add_up() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = anna.add("Eggs", 3, "個").await;
    let id = id_of(&eggs).to_owned();
    let path = format!("/inventory/items/{id}/adjust");
    let answers = at_once(&anna, |number| {
        (path.clone(), json!({ "delta": if number % 2 == 0 { 0.75 } else { -1.5 } }))
    })
    .await;
    let applied: i64 =
        answers.iter().map(|answer| hundredths(&answer.expect(200)["applied"])).sum();
    assert_eq!(hundredths(&anna.item(&id).await["quantity"]), 300 + applied);
}

/// Sends the same write from 64 clients at once, without a key, so that none may be retried.
/// Returns the acknowledged ones; an engine may refuse only so many.
async fn at_once_without_a_key(anna: &Client, path: &str, body: &Value) -> Vec<Value> {
    let start = Arc::new(Barrier::new(CLIENTS));
    let tasks: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (start, anna) = (Arc::clone(&start), anna.clone());
            let (path, body) = (path.to_owned(), body.clone());
            tokio::spawn(async move {
                start.wait().await;
                anna.post(&path, body).await
            })
        })
        .collect();
    let mut done = Vec::with_capacity(CLIENTS);
    for task in tasks {
        let answer = task.await.unwrap();
        if answer.status != 503 {
            assert!([200, 201].contains(&answer.status), "{}", answer.status);
            done.push(answer.expect(answer.status));
        }
    }
    let refused = CLIENTS - done.len();
    eprintln!("{refused} of {CLIENTS} writes at once were refused: {path}");
    assert!(refused <= scale().refused_of_64_writes, "{refused} of {CLIENTS}: {path}");
    done
}

/// Every acknowledged write counts once; a refused write may have been applied or not.
fn assert_counted_once(item: &Value, begun_with: usize, done: usize) {
    let counted = usize::try_from(hundredths(&item["quantity"])).unwrap() / 100 - begun_with;
    assert!((done..=CLIENTS).contains(&counted), "{counted} counted, {done} acknowledged");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_adjustments_without_a_key_are_hardly_ever_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let id = id_of(&anna.add("Eggs", 1, "個").await).to_owned();
    let path = format!("/inventory/items/{id}/adjust");
    let done = at_once_without_a_key(&anna, &path, &json!({ "delta": 1 })).await;
    assert!(done.iter().all(|body| hundredths(&body["applied"]) == 100));
    assert_counted_once(&anna.item(&id).await, 1, done.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_additions_without_a_key_are_hardly_ever_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    let done = at_once_without_a_key(&anna, "/inventory/items", &body).await;
    // A refused write may be the one that made the item.
    let made = done.iter().filter(|body| body["merged"] == false).count();
    assert!(made == 1 || made == 0 && done.len() < CLIENTS, "{made} items were made");
    let items = anna.items("includeDepleted=true").await;
    assert_eq!(items.len(), 1);
    assert_counted_once(&items[0], 0, done.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_registrations_of_one_email_give_one_account() {
    let server = Server::start().await;
    let nobody = server.anonymous();
    let mut registrations = Vec::new();
    for _ in 0..8 {
        let nobody = nobody.clone();
        registrations.push(tokio::spawn(async move {
            let body = json!({ "email": "one@example.org", "password": "long enough it is", "name": "One" });
            nobody.post("/auth/register", body).await.status
        }));
    }
    let mut statuses = Vec::new();
    for registration in registrations {
        statuses.push(registration.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
}
