//! `GET /authorize`.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, encode};

const NOTHING: &str = "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505";

fn refusal() -> Value {
    json!({ "allowed": false, "path": [], "actions": [] })
}

fn by(path: &[(&str, &str)], actions: &[&str]) -> Value {
    let path: Vec<_> = path.iter().map(|(urn, via)| json!({ "urn": urn, "via": via })).collect();
    json!({ "allowed": true, "path": path, "actions": actions })
}

#[tokio::test]
async fn members_may_by_their_household_and_lose_it_with_their_membership() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let thing = anna.make_box(None).await;
    let account = anna.account().await;
    let path = [(thing.as_str(), "self"), (account.as_str(), "account")];
    let (her, him) = (anna.principal(), ben.principal());

    assert_eq!(anna.may(&her, "grant", &thing).await, by(&path, &["*"]));
    let as_member = by(&path, &["delete", "read", "write"]);
    assert_eq!(ben.may(&him, "delete", &thing).await, as_member);
    assert_eq!(anna.may(&him, "read", &thing).await, as_member);
    assert_eq!(anna.may(&him, "grant", &thing).await, refusal());
    assert_eq!(anna.may(&him, "read", NOTHING).await, refusal());
    let itself = |actions: &[&str]| by(&[(account.as_str(), "self")], actions);
    assert_eq!(ben.may(&him, "read", &account).await, itself(&["delete", "read", "write"]));
    assert_eq!(ben.may(&him, "grant", &account).await, refusal());
    anna.grant(&him, &account, &["grant"]).await.expect(200);
    assert_eq!(ben.may(&him, "grant", &account).await, itself(&["grant"]));

    anna.delete(&format!("/households/current/members/{}", ben.user_id)).await.expect(204);
    assert_eq!(anna.may(&him, "read", &thing).await, refusal());
    assert_eq!(ben.may(&him, "read", &thing).await, refusal());
    assert_eq!(anna.may(&him, "read", &account).await, refusal());
    ben.look_at(&thing).await.expect_problem(404, "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn the_answer_names_the_way_that_allowed_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let room = anna.make_box(None).await;
    let shelf = anna.make_box(Some(&room)).await;
    let thing = anna.make_box(Some(&shelf)).await;
    let conveying = anna.make_box(None).await;
    let plain = anna.make_box(None).await;
    anna.add_member(&conveying, &shelf, true).await.expect(201);
    anna.add_member(&plain, &shelf, false).await.expect(201);
    let robot = "urn:pp:Service.Robot::01955556-3cd2-7df2-b839-693fa6fbd505";
    let asked = async |action: &str| anna.may(robot, action, &thing).await;

    assert_eq!(asked("read").await, refusal());
    anna.grant(robot, &plain, &["read"]).await.expect(200);
    assert_eq!(asked("read").await, refusal(), "that collection does not convey");

    anna.grant(robot, &anna.account().await, &["read"]).await.expect(200);
    let account = anna.account().await;
    assert_eq!(asked("read").await, by(&[(&thing, "self"), (&account, "account")], &["read"]));

    anna.grant(robot, &conveying, &["read", "paint"]).await.expect(200);
    let to_shelf = [(thing.as_str(), "self"), (shelf.as_str(), "parent")];
    let way = [&to_shelf[..], &[(conveying.as_str(), "collection")]].concat();
    assert_eq!(asked("read").await, by(&way, &["paint", "read"]));

    anna.grant(robot, &room, &["*"]).await.expect(200);
    let way = [&to_shelf[..], &[(room.as_str(), "parent")]].concat();
    assert_eq!(asked("read").await, by(&way, &["*"]), "parents come before collections");

    anna.grant(robot, &thing, &["paint"]).await.expect(200);
    assert_eq!(
        asked("paint").await,
        by(&[(&thing, "self")], &["paint"]),
        "the nearest comes first"
    );
    assert_eq!(asked("read").await, by(&way, &["*"]), "which does not allow this");
}

async fn asks(client: &Client, who: &str, urn: &str) -> bool {
    let answer = client.may(who, "read", urn).await;
    if answer["allowed"] == false {
        assert_eq!(answer, refusal());
    }
    answer["allowed"] == true
}

#[tokio::test]
async fn about_others_one_asks_for_oneself_alone() {
    let server = Server::start().await;
    let (anna, eve) = (server.with_household("anna").await, server.with_household("eve").await);
    let thing = anna.make_box(None).await;
    let (annas, eves) = (anna.principal(), eve.principal());
    let loner = server.register("loner").await;
    for client in [&eve, &loner] {
        assert!(!asks(client, &annas, &thing).await);
        assert!(!asks(client, &client.principal(), &thing).await);
    }
    anna.grant(&eves, &thing, &["read"]).await.expect(200);
    anna.grant(&loner.principal(), &thing, &["read"]).await.expect(200);
    assert!(asks(&eve, &eves, &thing).await);
    assert!(asks(&loner, &loner.principal(), &thing).await);
    assert!(!asks(&eve, &loner.principal(), &thing).await);
    assert!(!asks(&eve, &annas, &thing).await);
    assert!(asks(&anna, &eves, &thing).await);
}

#[tokio::test]
async fn wrong_questions_are_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (who, urn) = (encode(&anna.principal()), encode(NOTHING));
    for (query, code) in [
        (format!("principal={who}&urn={urn}"), "INVALID_FIELDS"),
        (format!("principal={who}&action=Read&urn={urn}"), "INVALID_FIELDS"),
        (format!("principal={who}&action=read"), "INVALID_FIELDS"),
        (format!("action=read&urn={urn}"), "INVALID_FIELDS"),
        (format!("principal={who}&action=read&urn={urn}&why=1"), "UNKNOWN_FIELD"),
        (format!("principal=anna&action=read&urn={urn}"), "INVALID_URN"),
        (format!("principal={who}&action=read&urn=thing"), "INVALID_URN"),
    ] {
        anna.get(&format!("/authorize?{query}")).await.expect_problem(400, code);
    }
}
