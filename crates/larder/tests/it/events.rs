//! Live events: prompt, complete, in order, and only one's own.

use std::{collections::BTreeSet, time::Duration};

use reqwest::Method;
use serde_json::json;

use crate::it::support::{Event, EventStream, Server, id_of, now_ms, resource_path};

fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

fn mentions(event: &Event, text: &str) -> bool {
    event.data.to_string().contains(text)
}

#[tokio::test]
async fn a_change_arrives_within_two_seconds() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let mut stream = ben.events(None).await;
    let rice = anna.add("Rice", 1, "kg").await;
    let event = stream.next_within(Duration::from_secs(2)).await;
    assert_eq!(event.name, "ItemAdded");
    assert!(!event.id.is_empty());
    assert!(mentions(&event, id_of(&rice)), "{event:?}");
}

#[tokio::test]
async fn each_kind_of_change_has_its_event() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    let rice = anna.add("Rice", 2, "kg").await;
    let path = format!("/inventory/items/{}", id_of(&rice));
    anna.patch(&path, json!({ "version": 1, "notes": "brown" })).await.expect(200);
    anna.adjust(id_of(&rice), -2).await.expect(200);
    anna.adjust(id_of(&rice), 5).await.expect(200);
    anna.delete(&path).await.expect(204);
    anna.post("/stores", json!({ "name": "Shop" })).await.expect(201);
    let seen = stream.until(|event| event.name == "StoreAdded").await;
    let mut kinds = names(&seen);
    // An adjustment may also produce an update; the specific events must be there.
    kinds.dedup();
    for expected in
        ["ItemAdded", "ItemUpdated", "ItemDepleted", "ItemRestocked", "ItemDeleted", "StoreAdded"]
    {
        assert!(kinds.contains(&expected), "{expected} is missing in {kinds:?}");
    }
    let position = |name: &str| kinds.iter().position(|kind| *kind == name).unwrap();
    assert!(position("ItemAdded") < position("ItemDepleted"));
    assert!(position("ItemDepleted") < position("ItemRestocked"));
    assert!(position("ItemRestocked") < position("ItemDeleted"));
}

#[tokio::test]
async fn members_coming_and_going_is_told() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let path = format!("/households/current/members/{}", ben.user_id);
    anna.patch(&path, json!({ "role": "admin" })).await.expect(200);
    ben.delete(&path).await.expect(204);
    anna.patch("/households/current", json!({ "name": "Smaller" })).await.expect(200);
    let seen = stream.until(|event| event.name == "HouseholdUpdated").await;
    assert_eq!(
        names(&seen),
        // A leaving member knows the invite code, so there is a new one.
        ["MemberJoined", "MemberRoleChanged", "MemberLeft", "MemberInvited", "HouseholdUpdated"]
    );
}

#[tokio::test]
async fn what_has_no_events_of_its_own_is_told_to_whoever_asks_for_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let freezer = anna.add_device(&server, "AA:BB:CC:00:00:01").await;
    let rice = anna.add("Rice", 2, "kg").await;
    let mut everything = anna.events_also("things%2Creadings,tags").await;
    let mut things = anna.events_also("things").await;
    let mut changes = anna.events(None).await;
    let eve = server.with_household("eve").await;
    let mut strangers = eve.events_also("things,tags").await;

    let topic_changed =
        |topic: &str| ("TopicChanged".to_owned(), String::new(), json!({ "topic": topic }));
    let next = async |stream: &mut EventStream| {
        let Event { name, id, data } = stream.next_within(Duration::from_secs(2)).await;
        (name, id, data)
    };
    let house = anna.make("Home.House", None).await;
    assert_eq!(next(&mut everything).await, topic_changed("things"));
    assert_eq!(next(&mut things).await, topic_changed("things"));
    let reading = freezer.reading(now_ms(), "2d1c1a52-4f93-4b8f-9d3a-6f7f0d8f1a01");
    freezer.send(&[reading]).await.expect(200);
    assert_eq!(next(&mut everything).await, topic_changed("readings"));
    anna.add_tag(&rice, json!({})).await;
    assert_eq!(next(&mut everything).await, topic_changed("tags"));
    anna.delete(&resource_path(&house)).await.expect(204);
    for stream in [&mut everything, &mut things] {
        assert_eq!(next(stream).await, topic_changed("things"));
    }
    // No one received any other event before this one.
    anna.post("/stores", json!({ "name": "Shop" })).await.expect(201);
    for stream in [&mut everything, &mut things, &mut changes] {
        assert_eq!(stream.next().await.name, "StoreAdded");
    }
    eve.post("/stores", json!({ "name": "Shop" })).await.expect(201);
    assert_eq!(strangers.next().await.name, "StoreAdded");
}

#[tokio::test]
async fn nobody_can_ask_for_what_there_is_not() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for also in ["", "other", "things,", "Things", "things;tags"] {
        let answer = anna.get(&format!("/events?also={also}")).await;
        answer.expect_problem(400, "INVALID_FIELDS");
    }
    anna.get("/events?alas=things").await.expect_problem(400, "UNKNOWN_FIELD");
}

/// Reads a few events, drops the connection, resumes after the last one read, and so on, while
/// writers go on all the time: the pieces put together must be the whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resuming_leaves_no_gap_while_writes_go_on() {
    const WRITERS: usize = 4;
    const ITEMS_EACH: usize = 40;
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;

    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let anna = anna.clone();
            tokio::spawn(async move {
                for number in 0..ITEMS_EACH {
                    anna.add(&format!("Item {writer}-{number}"), 1, "個").await;
                }
            })
        })
        .collect();

    let mut ids = Vec::new();
    let mut items = Vec::new();
    while items.len() < WRITERS * ITEMS_EACH {
        for _ in 0..7.min(WRITERS * ITEMS_EACH - items.len()) {
            let event = stream.next().await;
            assert_eq!(event.name, "ItemAdded");
            items.push(event.data.to_string());
            ids.push(event.id);
        }
        stream = anna.events(ids.last().map(String::as_str)).await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let distinct: BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), WRITERS * ITEMS_EACH, "an event came twice");
    for item in anna.all_pages("/inventory/items", "limit=200").await {
        let told = items.iter().filter(|data| data.contains(id_of(&item))).count();
        assert_eq!(told, 1, "{} was told {told} times", item["name"]);
    }
}

#[tokio::test]
async fn a_stream_resumes_over_a_restart_of_the_server() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    anna.add("Before", 1, "個").await;
    let last = stream.next().await.id;
    let missed = anna.add("Missed", 1, "個").await;
    server.kill_9().await;
    server.restart().await;
    let mut stream = anna.events(Some(&last)).await;
    assert!(mentions(&stream.next().await, id_of(&missed)));
}

#[tokio::test]
async fn events_of_other_households_are_not_seen() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let mut bens = ben.events(None).await;
    let secret = anna.add("Anna's secret", 1, "個").await;
    anna.adjust(id_of(&secret), 1).await.expect(200);
    let own = ben.add("Ben's own", 1, "個").await;
    let first = bens.next().await;
    assert_eq!(first.name, "ItemAdded");
    assert!(mentions(&first, id_of(&own)), "{first:?}");
}

#[tokio::test]
async fn an_event_id_of_another_household_gives_nothing_away() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut annas = anna.events(None).await;
    let secret = anna.add("Anna's secret", 1, "個").await;
    let foreign_id = annas.next().await.id;
    anna.adjust(id_of(&secret), 1).await.expect(200);

    let ben = server.with_household("ben").await;
    let request = ben.request(Method::GET, "/events").header("Last-Event-ID", foreign_id);
    let response = request.send().await.unwrap();
    if response.status() == 400 {
        return;
    }
    let mut bens = EventStream::of(response);
    let own = ben.add("Ben's own", 1, "個").await;
    let seen = bens.until(|event| mentions(event, id_of(&own))).await;
    assert!(seen.iter().all(|event| !mentions(event, id_of(&secret))), "{seen:?}");
}

#[tokio::test]
async fn a_removed_member_hears_nothing_more() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let mut stream = ben.events(None).await;
    anna.delete(&format!("/households/current/members/{}", ben.user_id)).await.expect(204);
    anna.add("Secret", 1, "個").await;
    stream.until_end().await;
}
