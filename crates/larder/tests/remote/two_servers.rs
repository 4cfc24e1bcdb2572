//! Two servers on one store.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout_at};

use crate::it::support::{
    Client, Event, Server, ServerSettings, StoreUnderTest, amount, encode, eventually_within,
    id_of, names, tag_path,
};

/// The promised latency of a change on the other server.
const TOLD_WITHIN: Duration = Duration::from_secs(2);

/// How soon a removed member is refused by the other server.
const REFUSED_WITHIN: Duration = Duration::from_secs(10);

/// How soon visits of tags are written: a second, and some for a busy machine.
const WRITTEN_WITHIN: Duration = Duration::from_secs(5);

async fn two_servers() -> (Server, Server) {
    let store = Arc::new(StoreUnderTest::networked().await);
    let one = Server::start_on(Arc::clone(&store), ServerSettings::default()).await;
    let other = Server::start_on(store, ServerSettings::default()).await;
    (one, other)
}

/// The same person at another server.
fn at(server: &Server, person: &Client) -> Client {
    server.anonymous().with_token(person.token())
}

fn tells_of(event: &Event, name: &str) -> bool {
    event.name == "ItemAdded" && event.data.to_string().contains(name)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_through_one_server_is_told_by_the_other_within_two_seconds() {
    let (one, other) = two_servers().await;
    // The first household is founded after both servers have started; the second while the other
    // server already listens for the first.
    for name in ["anna", "ben"] {
        let person = one.with_household(name).await;
        let there = at(&other, &person);
        let mut stream_there = there.events(None).await;
        let mut own_stream = person.events(None).await;
        let mut longest = Duration::ZERO;
        for number in 0..5 {
            for (client, stream, from) in
                [(&person, &mut stream_there, "one"), (&there, &mut own_stream, "other")]
            {
                let item = client.add(&format!("Item {from} {number}"), 1, "個").await;
                let answered = Instant::now();
                stream.until(|event| tells_of(event, id_of(&item))).await;
                longest = longest.max(answered.elapsed());
            }
        }
        eprintln!("{name}: told after {longest:?} at the latest");
        assert!(longest < TOLD_WITHIN, "{longest:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_change_is_told_once_by_either_server_however_often_a_listener_moves() {
    const ITEMS: usize = 60;
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let there = at(&other, &anna);
    let mut stream = there.events(None).await;
    let writers = [anna.clone(), there.clone()].map(|client| {
        tokio::spawn(async move {
            for number in 0..ITEMS / 2 {
                client.add(&format!("Item {number} {}", client.email), 1, "個").await;
            }
        })
    });

    let mut ids = Vec::new();
    let mut told = Vec::new();
    while told.len() < ITEMS {
        for _ in 0..7.min(ITEMS - told.len()) {
            let event = stream.next().await;
            assert_eq!(event.name, "ItemAdded");
            told.push(event.data.to_string());
            ids.push(event.id);
        }
        let next = if told.len() % 2 == 0 { &anna } else { &there };
        stream = next.events(ids.last().map(String::as_str)).await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    for item in anna.all_pages("/inventory/items", "limit=200").await {
        let times = told.iter().filter(|data| data.contains(id_of(&item))).count();
        assert_eq!(times, 1, "{} was told {times} times", item["name"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_member_is_refused_by_the_other_server_too() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let ben = one.register("ben").await;
    ben.join(&anna).await;
    anna.add("Rice", 1, "kg").await;
    let there = at(&other, &ben);
    assert_eq!(names(&there.items("").await), ["Rice"]);
    let mut stream = there.events(None).await;

    anna.delete(&format!("/households/current/members/{}", ben.user_id)).await.expect(204);
    let removed = Instant::now();
    let deadline = removed + REFUSED_WITHIN;
    // He is in individual mode now, where Anna's rice is invisible.
    eventually_within(REFUSED_WITHIN, "the household is closed to him", async || {
        (there.items("").await.len() != 1).then_some(())
    })
    .await;
    timeout_at(deadline, stream.until_end()).await.expect("and so is its stream");
    eprintln!("refused after {:?}", removed.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_logout_ends_access_tokens_on_the_other_server_too() {
    let (one, other) = two_servers().await;
    let anna = one.register("anna").await;
    let there = at(&other, &anna);
    there.get("/me").await.expect(200);
    anna.post("/auth/logout", json!({ "refreshToken": anna.refresh_token })).await.expect(204);
    anna.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    eventually_within(REFUSED_WITHIN, "the token is refused there", async || {
        (there.get("/me").await.status == 401).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adjustments_through_both_servers_add_up() {
    const CLIENTS: usize = 32;
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let there = at(&other, &anna);
    let rice = anna.add("Rice", 1, "kg").await;
    let path = format!("/inventory/items/{}/adjust", id_of(&rice));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let (first, second) = if number % 2 == 0 { (&anna, &there) } else { (&there, &anna) };
            let (first, second, path) = (first.clone(), second.clone(), path.clone());
            tokio::spawn(async move {
                let (key, body) = (format!("client-{number}"), json!({ "delta": 0.25 }));
                let answer = first.post_once(&path, &key, &body).await;
                answer.expect(200);
                // As if the answer had been lost and a load balancer sent the retry to the other
                // server.
                let again = second.post_once(&path, &key, &body).await;
                assert_eq!((again.status, again.text), (answer.status, answer.text));
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    for client in [&anna, &there] {
        assert_eq!(amount(&client.item(id_of(&rice)).await["quantity"]), "9");
    }
}

#[tokio::test]
async fn a_cursor_of_one_server_is_good_at_the_other() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    for name in ["Apples", "Bread", "Cheese"] {
        anna.add(name, 1, "個").await;
    }
    let first = anna.get("/inventory/items?sort=name&limit=2").await.expect(200);
    let cursor = encode(first["nextCursor"].as_str().unwrap());
    let rest = at(&other, &anna).items(&format!("sort=name&limit=2&cursor={cursor}")).await;
    assert_eq!(names(&rest), ["Cheese"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tap_sent_again_to_the_other_server_changes_nothing() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let first = one.anonymous().tap(&tag, -1, "nonce-001").await;
    let again = other.anonymous().tap(&tag, -1, "nonce-001").await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(amount(&anna.item(id_of(&eggs)).await["quantity"]), "5");
    // A replaced tag is dead everywhere at once.
    anna.rotate(&tag).await.expect(200);
    other.anonymous().tap(&tag, -1, "nonce-002").await.expect_problem(410, "TAG_ROTATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tag_changed_or_deleted_through_one_server_is_so_at_the_other_at_once() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let eggs = anna.add("Eggs", 60, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let phone = other.anonymous();
    // The other server has the tag in its caches.
    assert_eq!(phone.page(&tag).await.status, 200);
    assert_eq!(phone.tap(&tag, -1, "nonce-001").await.expect(200)["quantity"], 59);
    anna.patch(&tag_path(&tag), json!({ "step": 6 })).await.expect(200);
    assert_eq!(phone.tap(&tag, -1, "nonce-002").await.expect(200)["quantity"], 53);
    assert!(phone.page(&tag).await.text.contains("Take 6個"));
    anna.delete(&tag_path(&tag)).await.expect(204);
    assert_eq!(phone.page(&tag).await.status, 404);
    for nonce in ["nonce-002", "nonce-003"] {
        phone.tap(&tag, -1, nonce).await.expect_problem(404, "TAG_NOT_FOUND");
    }
    assert_eq!(amount(&anna.item(id_of(&eggs)).await["quantity"]), "53");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visits_counted_by_one_server_are_seen_at_the_other_soon() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Eggs", 6, "個").await, json!({})).await;
    for _ in 0..5 {
        assert_eq!(one.anonymous().page(&tag).await.status, 200);
    }
    // The other server does not see them until the first has written them.
    let (there, visited) = (at(&other, &anna), Instant::now());
    eventually_within(WRITTEN_WITHIN, "the visits are written", async || {
        (there.tags().await[0]["accessCount"] == 5).then_some(())
    })
    .await;
    eprintln!("written after {:?}", visited.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_token_of_a_program_is_refused_by_the_other_server_too() {
    let (one, other) = two_servers().await;
    let anna = one.with_household("anna").await;
    let body = json!({ "name": "script", "scopes": ["read"] });
    let token = anna.post("/me/tokens", body).await.expect(201);
    let here = anna.with_token(token["token"].as_str().unwrap());
    let there = at(&other, &here);
    there.get("/me").await.expect(200);
    let mut stream = there.events(None).await;
    anna.delete(&format!("/me/tokens/{}", id_of(&token))).await.expect(204);
    let deadline = Instant::now() + REFUSED_WITHIN;
    here.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    eventually_within(REFUSED_WITHIN, "the token is refused there", async || {
        (there.get("/me").await.status == 401).then_some(())
    })
    .await;
    timeout_at(deadline, stream.until_end()).await.expect("and so is its stream");
}
