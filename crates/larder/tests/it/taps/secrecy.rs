//! An address is a secret: it is in no log.

use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{
    Server, ServerSettings, encode, id_of, rotation_of, tag_path, tags_of, url_id,
};

#[tokio::test]
async fn no_address_and_no_nonce_is_ever_logged() {
    let settings = ServerSettings::default().with("LARDER_LOG_LEVEL", "trace");
    let mut server = Server::start_with(settings).await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let (eggs, milk) = (anna.add("Eggs", 6, "個").await, anna.add("Milk", 2, "L").await);
    let mut secrets: Vec<String> = Vec::new();
    let mut remember = |tag: &Value| secrets.push(url_id(tag).to_owned());

    let (tag, of_milk) =
        (anna.add_tag(&eggs, json!({})).await, anna.add_tag(&milk, json!({})).await);
    let made_once = anna.post_once(&tags_of(&eggs), "key-1", &json!({})).await.expect(201);
    for made in [&tag, &of_milk, &made_once] {
        remember(made);
    }
    // Everything that works.
    phone.page(&tag).await;
    phone.tap(&tag, -1, "nonce-that-took").await.expect(200);
    phone.tap(&tag, -1, "nonce-that-took").await.expect(200);
    phone.submit(&tag, "1", "nonce-of-a-form").await;
    let listed = anna.get("/nfc-urls?limit=1").await.expect(200);
    let cursor = encode(listed["nextCursor"].as_str().unwrap());
    anna.get(&format!("/nfc-urls?limit=1&cursor={cursor}")).await.expect(200);
    anna.get(&tags_of(&eggs)).await.expect(200);
    assert_eq!(anna.get(&format!("/nfc-urls/{}/qr.svg", url_id(&tag))).await.status, 200);
    let path = format!("/inventory/items/{}", id_of(&eggs));
    anna.patch(&path, json!({ "version": 4, "name": "Brown eggs" })).await;
    let rotated = anna.post_once(&rotation_of(&tag), "key-2", &json!({})).await.expect(200);
    remember(&rotated["new"]);
    // Everything that fails.
    phone.page(&tag).await;
    phone.tap(&tag, -1, "nonce-too-late").await.expect_problem(410, "TAG_ROTATED");
    anna.rotate(&tag).await.expect_problem(410, "TAG_ROTATED");
    anna.get(&format!("/nfc-urls/{}/qr.svg", url_id(&tag))).await.expect_refusal(410);
    anna.get(&tag_path(&of_milk)).await.expect_refusal(405);
    anna.patch(&tag_path(&tag), json!({ "step": 2 })).await.expect_problem(410, "TAG_ROTATED");
    anna.patch(&tag_path(&of_milk), json!({ "step": 0 })).await.expect_refusal(400);
    anna.delete(&format!("/inventory/items/{}", id_of(&milk))).await.expect(204);
    phone.page(&of_milk).await;
    phone.tap(&of_milk, -1, "nonce-for-nothing").await.expect_problem(410, "ITEM_DELETED");
    let stranger = server.with_household("stranger").await;
    stranger.rotate(&of_milk).await.expect_refusal(404);
    stranger.delete(&tag_path(&of_milk)).await.expect_refusal(404);
    // Changed and deleted, after all that.
    anna.patch(&tag_path(&of_milk), json!({ "step": 2 })).await.expect(200);
    anna.delete(&tag_path(&of_milk)).await.expect(204);
    anna.delete(&tag_path(&of_milk)).await.expect_refusal(404);
    phone.page(&of_milk).await;
    phone.tap(&of_milk, -1, "nonce-of-the-past").await.expect_problem(404, "TAG_NOT_FOUND");
    for unknown in ["UnknownUnknownUnknown0", "MistypedMistyped"] {
        let unknown = json!({ "urlId": unknown });
        remember(&unknown);
        phone.page(&unknown).await;
        phone.tap(&unknown, -1, "nonce-in-the-dark").await.expect_refusal(404);
        phone.submit(&unknown, "-1", "nonce-in-the-dark").await;
    }
    phone.tap(&made_once, 5, "nonce-of-no-tap").await.expect_refusal(400);
    let query = format!("/t/{}?nonce=nonce-in-a-query", url_id(&made_once));
    phone.get_root(&query).await;
    let method = phone.request_root(Method::DELETE, &format!("/t/{}", url_id(&made_once)));
    phone.send(method).await.expect_refusal(405);
    assert!(server.terminate().await.success());

    let log = server.log();
    assert!(log.contains("tapped") && log.contains("tag unknown"), "{log}");
    for secret in secrets.iter().map(String::as_str).chain(["nonce-"]) {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret} is in the log");
    }
}
