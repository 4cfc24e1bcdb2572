//! Two clients move two nodes under each other, again and again.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Barrier;

use crate::engine::scale;
use crate::it::support::{Answer, Client, Server, resource_path};

async fn parent_of(client: &Client, urn: &str) -> Option<String> {
    let record = client.look_at(urn).await.expect(200);
    record["_parentUrn"].as_str().map(str::to_owned)
}

/// Whether it was done. A conflict is a cycle, or so much crowding that the store gave up.
#[track_caller]
fn is_done(answer: &Answer) -> bool {
    match answer.status {
        200 => true,
        503 => false,
        _ => {
            answer.expect_problem(409, "CYCLE");
            false
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_that_are_moved_under_each_other_at_once_never_make_a_cycle() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let root = anna.make_box(None).await;
    let (one, two) = (anna.make_box(Some(&root)).await, anna.make_box(Some(&root)).await);
    // A level in between makes the path longer than a single record could reveal.
    let inner = anna.make_box(Some(&two)).await;
    let gate = Arc::new(Barrier::new(2));
    let (mut firsts, mut seconds) = (0, 0);
    for round in 0..scale().cycle_rounds {
        let mover = |child: &str, parent: &str| {
            let (client, gate) = (anna.clone(), Arc::clone(&gate));
            let (child, parent) = (child.to_owned(), parent.to_owned());
            tokio::spawn(async move {
                gate.wait().await;
                client.attach(&child, &parent).await
            })
        };
        let (first, second) = (mover(&one, &inner), mover(&two, &one));
        let (first, second) = (is_done(&first.await.unwrap()), is_done(&second.await.unwrap()));
        assert!(!(first && second), "round {round}: each is above the other");
        firsts += usize::from(first);
        seconds += usize::from(second);
        let expected =
            |done: bool, parent: &str| if done { parent } else { root.as_str() }.to_owned();
        assert_eq!(parent_of(&anna, &one).await, Some(expected(first, &inner)), "round {round}");
        assert_eq!(parent_of(&anna, &two).await, Some(expected(second, &one)), "round {round}");
        let path = format!("{}/ancestors", resource_path(&inner));
        let above: Vec<Value> = anna.all_pages(&path, "limit=200").await;
        assert_eq!(above.last().unwrap()["urn"], root, "round {round}: every way up ends");
        for moved in [&one, &two] {
            anna.attach(moved, &root).await.expect(200);
        }
    }
    eprintln!("{firsts} times the one came first, {seconds} times the other");
    assert!(firsts + seconds > 0, "somebody comes first");
}
