//! Two people with one list: no lost updates, and no duplicates.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::{listed, path_of, put_text, read};
use crate::engine::scale;
use crate::it::support::{Answer, Client, Server};

const CLIENTS: usize = 16;

/// Each of the two changes a different field: only the version detects the conflict.
fn change_of(round: u64, who: &str) -> (&'static str, Value) {
    if who == "anna" {
        ("", json!({ "version": round, "name": format!("Anna's {round}"), "quantity": round }))
    } else {
        let status = if round % 2 == 1 { "purchased" } else { "pending" };
        ("/status", json!({ "version": round, "status": status }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_changes_of_one_version_exactly_one_happens_every_time() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let mut current = put_text(&anna, "Bread").await;
    let path = path_of(&current);
    let mut won = [0, 0];
    for round in 1..=scale().version_races {
        let change = async |client: &Client, who: &str| {
            let (below, body) = change_of(round, who);
            client.patch(&format!("{path}{below}"), body).await
        };
        let (annas, bens) = tokio::join!(change(&anna, "anna"), change(&ben, "ben"));
        let (winner, loser) = match (annas.status, bens.status) {
            (200, 409) => (0, bens),
            (409, 200) => (1, annas),
            other => panic!("round {round}: {other:?}"),
        };
        won[winner] += 1;
        let now = read(&anna, &current).await;
        assert_eq!(now["version"], round + 1);
        assert_eq!(loser.expect_problem(409, "VERSION_CONFLICT")["current"], now);
        // The loser's change was not applied.
        let untouched = if winner == 0 { ["status", "ttl"] } else { ["name", "quantity"] };
        for field in untouched {
            assert_eq!(now[field], current[field], "round {round}");
        }
        current = now;
    }
    assert_eq!(won[0] + won[1], scale().version_races);
}

async fn at_once(clients: Vec<Client>, body: &Value) -> Vec<Answer> {
    let start = Arc::new(Barrier::new(clients.len()));
    let tasks = clients.into_iter().map(|client| {
        let (start, body) = (Arc::clone(&start), body.clone());
        tokio::spawn(async move {
            start.wait().await;
            client.post("/shopping-list", body).await
        })
    });
    let mut answers = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        answers.push(task.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_members_adding_the_same_item_at_once_give_one_entry() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 1, "kg").await;
    let clients: Vec<_> = [&anna, &ben].into_iter().cycle().take(CLIENTS).cloned().collect();

    let body = json!({ "name": "Rice", "itemId": rice["id"] });
    let answers = at_once(clients.clone(), &body).await;
    let added: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(added.len(), 1);
    let entry = added[0].json();
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        let problem = refused.expect_problem(409, "DUPLICATE_SHOPPING_ITEM");
        assert_eq!(problem["existing"], entry);
    }
    assert_eq!(listed(&anna, "").await, [entry]);

    let insisting = json!({ "name": "Rice", "itemId": rice["id"], "force": true });
    for answer in at_once(clients, &insisting).await {
        answer.expect(201);
    }
    assert_eq!(listed(&anna, "status=pending").await.len(), 1 + CLIENTS);
}
