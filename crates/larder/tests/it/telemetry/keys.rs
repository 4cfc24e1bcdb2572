//! API keys: creation, display, and validity.

use reqwest::Method;
use serde_json::{Value, json};

use super::garden::Garden;
use crate::it::support::{Client, Server, eventually, without_request_id};

fn path_of(key: &Value) -> String {
    format!("/api-keys/{}", key["key_id"].as_str().unwrap())
}

async fn keys_of(client: &Client) -> Vec<Value> {
    client.get("/api-keys").await.expect(200)["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_key_is_shown_once_and_listed_without_its_text() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let made = anna.add_api_key(json!({ "description": "Greenhouse" })).await;
    let text = made["api_key"].as_str().unwrap();
    let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    assert!(text.len() == 64 && text.bytes().all(is_hex), "{text}");
    let created_at = made["created_at"].as_str().unwrap();
    assert!(created_at.len() == 20 && created_at.ends_with('Z'), "whole seconds: {created_at}");
    let listed = anna.get("/api-keys").await;
    assert_eq!(
        listed.expect(200),
        json!({
            "items": [{
                "key_id": made["key_id"],
                "description": "Greenhouse",
                "created_at": created_at,
                "last_used_at": null,
                "is_active": true,
            }],
            "next_cursor": null,
        })
    );
    assert!(!listed.text.contains(text), "{}", listed.text);
}

#[tokio::test]
async fn a_revoked_key_stops_working_at_once_and_stays_listed() {
    let garden = Garden::plant().await;
    let Garden { server, anna, .. } = &garden;
    let made = anna.add_api_key(json!({})).await;
    let device = server.device(made["api_key"].as_str().unwrap(), "AA:BB:CC:DD:EE:07");
    device.register().await.expect(200);
    let revoked = anna.delete(&path_of(&made)).await;
    assert_eq!((revoked.status, revoked.text.as_str()), (204, ""));
    device.register().await.expect_problem(401, "INVALID_API_KEY");
    let sent = device.send(&[device.reading(1_704_067_800_000, "late")]).await;
    sent.expect_problem(401, "INVALID_API_KEY");
    anna.latest(&device).await.expect_problem(404, "NO_READINGS");
    assert_eq!(anna.delete(&path_of(&made)).await.status, 204, "again");
    let keys = keys_of(anna).await;
    let listed = keys.iter().find(|key| key["key_id"] == made["key_id"]).unwrap();
    assert_eq!(listed["is_active"], false);
    garden.device.register().await.expect(200);
}

#[tokio::test]
async fn only_a_key_as_it_was_shown_opens_the_door_and_every_refusal_is_the_same() {
    let garden = Garden::plant().await;
    let key = garden.device.api_key.clone();
    let anonymous = garden.server.anonymous();
    let upper = key.to_uppercase();
    let unknown = "0123456789abcdef".repeat(4);
    let padded = format!("{key}0");
    let wrong: [&[&str]; 7] =
        [&[], &[""], &[&upper], &[&unknown], &[&padded], &[&key[1..]], &[&key, &key]];
    let mut told = Vec::new();
    for path in ["/device/data", "/device/register"] {
        for keys in wrong {
            let request = anonymous.request_root(Method::POST, path);
            let request = keys.iter().fold(request, |r, key| r.header("X-API-Key", *key));
            let body = json!({ "readings": garden.readings(1) });
            let answer = anonymous.send(request.json(&body)).await;
            let problem = answer.expect_problem(401, "INVALID_API_KEY");
            assert_eq!(answer.header("www-authenticate"), "ApiKey");
            told.push(without_request_id(problem));
        }
        // A person's token is no key.
        let request = garden.anna.request_root(Method::POST, path).json(&json!({}));
        garden.anna.send(request).await.expect_problem(401, "INVALID_API_KEY");
    }
    assert!(told.iter().all(|problem| *problem == told[0]), "{told:?}");
    garden.assert_nothing_is_kept().await;
}

#[tokio::test]
async fn only_admins_have_to_do_with_keys() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let key = anna.add_api_key(json!({})).await;
    let member = server.register("ben").await;
    member.join(&anna).await;
    member.post("/api-keys", json!({})).await.expect_problem(403, "ADMIN_REQUIRED");
    member.get("/api-keys").await.expect_problem(403, "ADMIN_REQUIRED");
    member.delete(&path_of(&key)).await.expect_problem(403, "ADMIN_REQUIRED");

    let loner = server.register("lea").await;
    loner.post("/api-keys", json!({})).await.expect_problem(409, "HOUSEHOLD_REQUIRED");
    assert_eq!(keys_of(&loner).await, [] as [Value; 0]);
    loner.delete(&path_of(&key)).await.expect_problem(404, "API_KEY_NOT_FOUND");

    let stranger = server.with_household("stranger").await;
    stranger.delete(&path_of(&key)).await.expect_problem(404, "API_KEY_NOT_FOUND");
    anna.delete("/api-keys/no-uuid").await.expect_problem(404, "API_KEY_NOT_FOUND");
    assert_eq!(keys_of(&anna).await[0]["is_active"], true);
}

#[tokio::test]
async fn a_repeated_request_makes_another_key_because_the_first_is_kept_nowhere() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "description": "Freezer" });
    let first = anna.post_once("/api-keys", "key-1", &body).await.expect(201);
    let second = anna.post_once("/api-keys", "key-1", &body).await.expect(201);
    assert_ne!(first["key_id"], second["key_id"]);
    assert_ne!(first["api_key"], second["api_key"]);
    anna.post("/api-keys", json!({ "description": "" })).await.expect_invalid_field("description");
    let unknown = anna.post("/api-keys", json!({ "name": "x" })).await;
    unknown.expect_field_error("UNKNOWN_FIELD", "name");
    assert_eq!(keys_of(&anna).await.len(), 2);
}

#[tokio::test]
async fn the_use_of_a_key_is_noted() {
    let garden = Garden::plant().await;
    // The use is recorded in the background, so it may appear a moment later.
    let noted = eventually("the use is noted", async || {
        let noted = keys_of(&garden.anna).await[0]["last_used_at"].clone();
        (!noted.is_null()).then_some(noted)
    })
    .await;
    assert!(noted.as_str().is_some_and(|at| at.len() == 20), "{noted}");
    garden.device.send(&garden.readings(1)).await.expect(200);
    assert_eq!(keys_of(&garden.anna).await[0]["last_used_at"], noted, "not within five minutes");
}

#[tokio::test]
async fn no_log_shows_a_key() {
    let mut garden = Garden::plant().await;
    let key = garden.device.api_key.clone();
    garden.device.send(&garden.readings(2)).await.expect(200);
    garden.post("{").await.expect(400);
    let made = garden.anna.add_api_key(json!({})).await;
    garden.anna.delete(&path_of(&made)).await;
    garden.server.terminate().await;
    let log = garden.server.log();
    for secret in [key.as_str(), made["api_key"].as_str().unwrap()] {
        assert!(!log.contains(secret), "{log}");
    }
}
