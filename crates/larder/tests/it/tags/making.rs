use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::it::support::{Server, ServerSettings, id_of, tags_of, url_id};

#[tokio::test]
async fn a_new_tag_shows_every_field() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let household = anna.get("/households/current").await.expect(200);
    let rice = anna.add("Rice", 5, "kg").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    let id = url_id(&tag);
    assert_eq!(id.len(), 22, "{id}");
    assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    let expected = json!({
        "urlId": id,
        "url": format!("http://{}/t/{id}", server.address().get()),
        "itemId": rice["id"],
        "familyId": household["id"],
        "itemName": "Rice",
        "label": null,
        "step": 1,
        "isActive": true,
        "createdAt": tag["createdAt"],
        "createdBy": anna.user_id,
        "lastAccessedAt": null,
        "accessCount": 0,
        "rotatedAt": null,
        "rotatedBy": null,
    });
    assert_eq!(tag, expected);
    let labelled = anna.add_tag(&rice, json!({ "label": "Cellar", "step": 0.25 })).await;
    assert_eq!((&labelled["label"], &labelled["step"]), (&json!("Cellar"), &json!(0.25)));
    assert_ne!(url_id(&labelled), id);
}

#[tokio::test]
async fn the_address_begins_with_the_public_url() {
    let settings =
        ServerSettings::default().with("LARDER_PUBLIC_URL", "https://home.example/larder/");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    assert_eq!(tag["url"], format!("https://home.example/larder/t/{}", url_id(&tag)));
}

#[tokio::test]
async fn without_a_public_url_the_address_begins_with_the_host_that_was_asked_for() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let listening = format!("http://{}/t/{}", server.address().get(), url_id(&tag));
    assert_eq!(tag["url"], listening);
    let asked =
        anna.send(anna.request(Method::GET, "/nfc-urls").header(header::HOST, "kitchen.lan")).await;
    let asked = asked.expect(200);
    assert_eq!(asked["items"][0]["url"], format!("http://kitchen.lan/t/{}", url_id(&tag)));
}

#[tokio::test]
async fn a_wrong_label_or_step_is_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let path = tags_of(&anna.add("Rice", 5, "kg").await);
    for step in ["0", "-1", "1000.01", "0.001", "\"1\"", "true", "1e9"] {
        let answer = anna.post_bytes(&path, format!("{{\"step\":{step}}}")).await;
        answer.expect_invalid_field("step");
    }
    for label in [json!(""), json!(" "), json!("x".repeat(51)), json!(1)] {
        anna.post(&path, json!({ "label": label })).await.expect_invalid_field("label");
    }
    let unknown = anna.post(&path, json!({ "labels": "x" })).await;
    unknown.expect_field_error("UNKNOWN_FIELD", "labels");
    assert_eq!(anna.tags().await, Vec::<Value>::new());
    for step in [json!(0.01), json!(1000)] {
        let tag = anna.post(&path, json!({ "step": step })).await.expect(201);
        assert_eq!(tag["step"], step);
    }
}

#[tokio::test]
async fn the_same_key_makes_one_tag() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let path = tags_of(&anna.add("Rice", 5, "kg").await);
    let body = json!({ "label": "Shelf" });
    let first = anna.post_once(&path, "one", &body).await.expect(201);
    assert_eq!(anna.post_once(&path, "one", &body).await.expect(201), first);
    let other = anna.post_once(&path, "one", &json!({})).await;
    other.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!(anna.tags().await, [first]);
}

#[tokio::test]
async fn only_admins_have_to_do_with_tags() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 5, "kg").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    ben.post(&tags_of(&rice), json!({})).await.expect_problem(403, "ADMIN_REQUIRED");
    ben.get(&tags_of(&rice)).await.expect_problem(403, "ADMIN_REQUIRED");
    ben.get("/nfc-urls").await.expect_problem(403, "ADMIN_REQUIRED");
    ben.rotate(&tag).await.expect_problem(403, "ADMIN_REQUIRED");
    let qr = ben.get(&format!("/nfc-urls/{}/qr.svg", url_id(&tag))).await;
    qr.expect_problem(403, "ADMIN_REQUIRED");
    assert!(!ben.item(id_of(&rice)).await.to_string().contains(url_id(&tag)));
    assert_eq!(anna.tags().await, [tag]);
}

#[tokio::test]
async fn a_tag_needs_a_household_and_an_item_of_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 5, "kg").await;
    let loner = server.register("loner").await;
    let bread = loner.add("Bread", 1, "個").await;
    loner.post(&tags_of(&bread), json!({})).await.expect_problem(409, "HOUSEHOLD_REQUIRED");
    let none = json!({ "items": [], "nextCursor": null });
    assert_eq!(loner.get("/nfc-urls").await.expect(200), none);

    let stranger = server.with_household("stranger").await;
    let nowhere = json!({ "id": "6ba7b810-9dad-41d1-80b4-00c04fd430c8" });
    for item in [&rice, &nowhere, &json!({ "id": "no-id" })] {
        stranger.post(&tags_of(item), json!({})).await.expect_problem(404, "ITEM_NOT_FOUND");
        stranger.get(&tags_of(item)).await.expect_problem(404, "ITEM_NOT_FOUND");
    }
}
