//! Another household's resources are indistinguishable from missing ones.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Home, NOBODY, box_with};
use crate::it::support::{Answer, Client, encode, urn_of, without_request_id};

/// A stranger's answer, without the parts that differ between any two requests.
#[track_caller]
fn told(answer: &Answer) -> Value {
    without_request_id(answer.expect_refusal(404))
}

async fn ask(client: &Client, method: &Method, path: &str, body: &Value) -> Answer {
    let request = client.request(method.clone(), path).header("If-Match", "*");
    client.send(request.json(body)).await
}

#[tokio::test]
async fn another_households_resource_is_like_one_that_never_was() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Box", None).await;
    let serial = json!([{ "key": "serial", "value": "A-1" }]);
    let tent = box_with(json!({ "parentUrn": room, "uniqueKeys": serial }));
    let annas = urn_of(&home.anna.make_with(tent).await).to_owned();
    let ben = home.server.with_household("ben").await;
    let bens = ben.make("Home.Box", None).await;
    let before = home.state().await;
    let nobodys = format!("urn:pp:Home.Box::{NOBODY}");
    for (method, path, body) in [
        (Method::GET, "/resources/<other>", json!({})),
        (Method::PUT, "/resources/<other>", json!({ "attributes": { "mine": true } })),
        (Method::GET, "/resources/<other>/children", json!({})),
        (Method::GET, "/resources/<other>/parent", json!({})),
        (Method::GET, "/resources/<other>/ancestors", json!({})),
        (Method::GET, "/resources/<other>/collections", json!({})),
        (Method::GET, "/resources/<other>/members", json!({})),
        (Method::PUT, "/resources/<other>/parent", json!({ "parentUrn": "<bens>" })),
        (Method::PUT, "/resources/<bens>/parent", json!({ "parentUrn": "<other>" })),
        (Method::DELETE, "/resources/<other>/parent", json!({})),
        (Method::PUT, "/resources/<other>/members/<bens>", json!({})),
        (Method::PUT, "/resources/<bens>/members/<other>", json!({})),
        (Method::DELETE, "/resources/<other>/members/<bens>", json!({})),
        (Method::DELETE, "/resources/<bens>/members/<other>", json!({})),
        (Method::POST, "/resources", box_with(json!({ "parentUrn": "<other>" }))),
    ] {
        let mut answers = Vec::new();
        for other in [&annas, &nobodys] {
            let path = path.replace("<other>", &encode(other)).replace("<bens>", &encode(&bens));
            let body = body.to_string().replace("<other>", other).replace("<bens>", &bens);
            let body = serde_json::from_str(&body).unwrap();
            answers.push(told(&ask(&ben, &method, &path, &body).await));
        }
        assert_eq!(answers[0], answers[1], "{method} {path}");
    }
    let value = |value: &str| format!("/unique-keys/Home.Box/serial/{value}");
    let (of_anna, of_nobody) = (ben.get(&value("A-1")).await, ben.get(&value("Z-9")).await);
    assert_eq!(told(&of_anna), told(&of_nobody));
    assert_eq!(home.state().await, before);
    assert_eq!(ben.all_pages("/resources", "").await.len(), 1, "nothing of Ben's was made");
}

#[tokio::test]
async fn whoever_leaves_the_household_leaves_its_resources() {
    let home = Home::open().await;
    let ben = home.server.register("ben").await;
    ben.join(&home.anna).await;
    let urn = ben.make("Home.Box", None).await;
    assert_eq!(home.anna.resource(&urn).await, ben.resource(&urn).await);
    let member = format!("/households/current/members/{}", ben.user_id);
    home.anna.delete(&member).await.expect(204);
    let gone = ben.get(&format!("/resources/{}", encode(&urn))).await;
    gone.expect_problem(404, "RESOURCE_NOT_FOUND");
    assert_eq!(ben.all_pages("/resources", "").await, Vec::<Value>::new());
    assert_eq!(home.state().await.len(), 1);
}
