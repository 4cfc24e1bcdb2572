//! Deleting a household, an account or a device, with everything that belongs to it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, Server, batch_ids, encode, now_ms, until};

const DEVICE: &str = "AA:BB:CC:DD:EE:01";

async fn delete_with(client: &Client, path: &str, body: &Value) -> Answer {
    client.send(client.request(Method::DELETE, path).json(body)).await
}

/// Polls a job to its end.
async fn finished(client: &Client, job: &Value) -> Value {
    let path = format!("/jobs/{}", job["id"].as_str().unwrap());
    until("the job is done", async || client.get(&path).await.expect(200)["status"] == "done")
        .await;
    client.get(&path).await.expect(200)
}

async fn named(client: &Client) -> String {
    let household = client.get("/households/current").await.expect(200);
    household["name"].as_str().unwrap().to_owned()
}

/// What a member sees of the household.
async fn export_of(client: &Client) -> String {
    client.get("/me/export").await.text
}

#[tokio::test]
async fn an_admin_deletes_the_household_and_everybody_goes_on_alone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    let own = ben.add("Ben's tea", 1, "box").await;
    ben.join(&anna).await;
    let milk = anna.add("Milk", 1, "L").await;
    let device = anna.add_device(&server, DEVICE).await;
    device.send(&[device.reading(now_ms(), "one")]).await.expect(200);
    assert!(export_of(&anna).await.contains("Milk"), "there is a copy before");
    let code = anna.get("/households/current").await.expect(200)["inviteCode"].clone();

    let path = |name: &str| format!("/households/current?confirm={name}");
    ben.delete(&path("x")).await.expect_problem(403, "ADMIN_REQUIRED");
    anna.delete("/households/current").await.expect_invalid_field("confirm");
    anna.delete(&path("x")).await.expect_invalid_field("confirm");
    let name = named(&anna).await;
    let accepted = anna.delete(&path(&encode(&name))).await;
    let job = accepted.expect(202);
    assert_eq!(
        accepted.header("location"),
        format!("/api/v1/jobs/{}", job["id"].as_str().unwrap())
    );
    assert_eq!((&job["kind"], &job["status"]), (&json!("erase-household"), &json!("running")));

    for person in [&anna, &ben] {
        person.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");
        let gone = person.get(&format!("/inventory/items/{}", milk["id"].as_str().unwrap())).await;
        gone.expect_problem(404, "ITEM_NOT_FOUND");
    }
    device.send(&[device.reading(now_ms(), "late")]).await.expect_problem(401, "INVALID_API_KEY");
    let cleo = server.register("cleo").await;
    let late = cleo.post("/households/join", json!({ "inviteCode": code })).await;
    late.expect_problem(404, "INVITE_NOT_FOUND");
    let bens = ben.items("").await;
    assert_eq!(bens.len(), 1, "personal items stay");
    assert_eq!(bens[0]["id"], own["id"]);

    let done = finished(&anna, &job).await;
    assert!(done["removed"].as_u64().unwrap() > 3, "{done}");
    ben.get(&format!("/jobs/{}", job["id"].as_str().unwrap()))
        .await
        .expect_problem(404, "JOB_NOT_FOUND");
    // The device can be registered by somebody else, and tells nothing of its past.
    cleo.create_household("Cleo's").await;
    let again = cleo.add_device(&server, DEVICE).await;
    assert_eq!(batch_ids(&cleo.readings(&again, "").await), Vec::<String>::new());
    anna.create_household("Another").await;
}

#[tokio::test]
async fn the_only_member_leaves_when_the_name_is_typed_and_the_household_goes() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Milk", 1, "L").await;
    let path = format!("/households/current/members/{}", anna.user_id);
    anna.delete(&path).await.expect_problem(409, "LAST_ADMIN");
    anna.delete(&format!("{path}?confirm=x")).await.expect_invalid_field("confirm");
    let name = encode(&named(&anna).await);
    let job = anna.delete(&format!("{path}?confirm={name}")).await.expect(202);
    anna.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");
    finished(&anna, &job).await;
}

#[tokio::test]
async fn a_person_deletes_their_account_and_their_address_is_free() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    ben.join(&anna).await;
    let right = |person: &Client| json!({ "password": person.password });
    let wrong = json!({ "password": "wrong password" });
    delete_with(&ben, "/me", &wrong).await.expect_problem(401, "INVALID_CREDENTIALS");
    delete_with(&ben, "/me", &json!({})).await.expect_problem(401, "INVALID_CREDENTIALS");
    // Others depend on the only admin.
    delete_with(&anna, "/me", &right(&anna)).await.expect_problem(409, "LAST_ADMIN");
    assert_eq!(delete_with(&ben, "/me", &right(&ben)).await.expect(202)["kind"], "erase-account");
    ben.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    let members = anna.get("/households/current/members").await.expect(200);
    assert_eq!(members.as_array().map(Vec::len), Some(1), "{members}");
    // Whoever is alone takes the household along.
    delete_with(&anna, "/me", &right(&anna)).await.expect(202);
    anna.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    server.register("anna").await;
}

#[tokio::test]
async fn an_admin_releases_a_device() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    ben.join(&anna).await;
    let device = anna.add_device(&server, DEVICE).await;
    device.send(&[device.reading(now_ms(), "one")]).await.expect(200);
    ben.delete(&device.path()).await.expect_problem(403, "ADMIN_REQUIRED");
    let job = anna.delete(&device.path()).await.expect(202);
    assert_eq!(job["kind"], "erase-device");
    anna.get(&device.path()).await.expect_problem(404, "DEVICE_NOT_FOUND");
    anna.delete(&device.path()).await.expect_problem(404, "DEVICE_NOT_FOUND");
    device.send(&[device.reading(now_ms(), "two")]).await.expect_problem(403, "DEVICE_NOT_ALLOWED");
    finished(&anna, &job).await;
    let other = server.with_household("other").await;
    let again = other.add_device(&server, DEVICE).await;
    assert_eq!(batch_ids(&other.readings(&again, "").await), Vec::<String>::new());
}
