//! The operator, who manages devices of no household and sees all of them.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, ServerSettings, batch_ids, now_ms, refused, told};

const TOKEN: &str = "operator-token-0123456789abcdefgh";
const OWN: &str = "AA:BB:CC:DD:EE:01";
const ANNAS: &str = "AA:BB:CC:DD:EE:02";

async fn with_operator() -> (Server, Client) {
    let settings = ServerSettings::default().with("LARDER_OPERATOR_TOKEN", TOKEN);
    let server = Server::start_with(settings).await;
    let operator = server.anonymous().with_token(TOKEN);
    (server, operator)
}

fn owners(records: &[Value]) -> Vec<(&str, &Value)> {
    let mut owners: Vec<_> = records
        .iter()
        .map(|record| (record["hardware_id"].as_str().unwrap(), &record["family_id"]))
        .collect();
    owners.sort_by_key(|(address, _)| *address);
    owners
}

#[tokio::test]
async fn the_operator_sees_all_devices_and_is_told_whose_they_are() {
    let (server, operator) = with_operator().await;
    let anna = server.with_household("anna").await;
    let family = anna.get("/households/current").await.expect(200)["id"].clone();
    let own = operator.add_device(&server, OWN).await;
    let annas = anna.add_device(&server, ANNAS).await;
    for device in [&own, &annas] {
        let sent = device.send(&[device.reading(now_ms(), "one")]).await.expect(200);
        assert_eq!(sent, told(&["one"], &[]), "ids are told apart by household");
        assert_eq!(operator.latest(device).await.expect(200)["batch_id"], "one");
        assert_eq!(batch_ids(&operator.readings(device, "").await), ["one"]);
    }
    let all = operator.all_pages("/devices", "limit=1").await;
    assert_eq!(owners(&all), [(OWN, &Value::Null), (ANNAS, &family)]);
    assert!(all.iter().all(|device| device.as_object().unwrap().contains_key("family_id")));
    let seen = operator.get(&annas.path()).await.expect(200);
    assert_eq!(seen["family_id"], family);

    let annas_view = anna.all_pages("/devices", "").await;
    assert_eq!(annas_view.len(), 1, "{annas_view:?}");
    assert!(!annas_view[0].as_object().unwrap().contains_key("family_id"));
    anna.get(&own.path()).await.expect_problem(404, "DEVICE_NOT_FOUND");
    anna.latest(&own).await.expect_problem(404, "DEVICE_NOT_FOUND");
}

#[tokio::test]
async fn the_operator_names_any_device() {
    let (server, operator) = with_operator().await;
    let anna = server.with_household("anna").await;
    let annas = anna.add_device(&server, ANNAS).await;
    let named = json!({ "friendly_name": "Gate" });
    operator.patch(&annas.path(), named.clone()).await.expect(200);
    assert_eq!(anna.get(&annas.path()).await.expect(200)["friendly_name"], "Gate");
    let unknown = operator.patch(&format!("/devices/{OWN}"), named).await;
    unknown.expect_problem(404, "DEVICE_NOT_FOUND");
}

#[tokio::test]
async fn a_cursor_of_the_operator_is_no_households() {
    let (server, operator) = with_operator().await;
    let anna = server.with_household("anna").await;
    anna.add_device(&server, ANNAS).await;
    operator.add_device(&server, OWN).await;
    let page = operator.get("/devices?limit=1").await.expect(200);
    let cursor = crate::it::support::encode(page["next_cursor"].as_str().unwrap());
    let foreign = anna.get(&format!("/devices?limit=1&cursor={cursor}")).await;
    foreign.expect_problem(400, "INVALID_CURSOR");
}

#[tokio::test]
async fn without_the_setting_there_is_no_operator() {
    let server = Server::start().await;
    let nobody = server.anonymous();
    for token in [TOKEN, ""] {
        let client = nobody.with_token(token);
        client.get("/devices").await.expect_problem(401, "UNAUTHENTICATED");
        client.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn a_token_that_can_be_guessed_is_refused_at_the_start_without_showing_it() {
    let store = crate::it::support::StoreUnderTest::fresh().await;
    let short = &TOKEN[..31];
    let (code, message) =
        refused(Server::command(&store).env("LARDER_OPERATOR_TOKEN", short)).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("LARDER_OPERATOR_TOKEN holds 31 bytes"), "{message}");
    assert!(!message.contains(short), "{message}");
}

#[tokio::test]
async fn neither_the_token_nor_an_api_key_is_ever_logged() {
    let settings = ServerSettings::default()
        .with("LARDER_OPERATOR_TOKEN", TOKEN)
        .with("LARDER_LOG_LEVEL", "trace");
    let mut server = Server::start_with(settings).await;
    let operator = server.anonymous().with_token(TOKEN);
    let made = operator.add_api_key(json!({ "description": "Gate" })).await;
    let raw = made["api_key"].as_str().unwrap().to_owned();
    let device = server.device(&raw, OWN);
    device.register().await.expect(200);
    device.send(&[device.reading(now_ms(), "one")]).await.expect(200);
    device.send(&[device.reading(0, "bad")]).await.expect_refusal(400);
    operator.get("/me").await.expect_problem(403, "OPERATOR_NOT_ALLOWED");
    let nearly = format!("{}x", &raw[..63]);
    server.device(&nearly, OWN).register().await.expect_refusal(401);
    let path = format!("/api-keys/{}", made["key_id"].as_str().unwrap());
    operator.delete(&path).await.expect(204);
    device.register().await.expect_refusal(401);
    assert!(server.terminate().await.success());
    let log = server.log();
    assert!(log.contains("/device/data"), "{log}");
    for secret in [TOKEN, &raw, &raw[..32], &nearly] {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "a secret is in the log");
    }
}
