//! Tags that get another label or step, and tags that are deleted.

use serde_json::{Value, json};

use crate::it::support::{Server, id_of, tag_path, url_id, without_request_id};

#[tokio::test]
async fn what_is_named_is_changed_and_the_rest_stays() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let rice = anna.add("Rice", 5, "kg").await;
    let mut tag = anna.add_tag(&rice, json!({ "label": "Shelf", "step": 0.5 })).await;
    for (body, label, step) in [
        (json!({}), json!("Shelf"), json!(0.5)),
        (json!({ "label": "Door" }), json!("Door"), json!(0.5)),
        (json!({ "step": 0.25 }), json!("Door"), json!(0.25)),
        (json!({ "label": null }), json!(null), json!(0.25)),
        (json!({ "label": "棚", "step": null }), json!("棚"), json!(1)),
        (json!({ "step": 2 }), json!("棚"), json!(2)),
    ] {
        (tag["label"], tag["step"]) = (label, step);
        assert_eq!(anna.patch(&tag_path(&tag), body).await.expect(200), tag);
        assert_eq!(anna.tags().await, std::slice::from_ref(&tag));
    }
    // The same address, and the next tap has the new step.
    assert_eq!(phone.tap(&tag, -1, "nonce-001").await.expect(200)["quantity"], 3);
    anna.patch(&tag_path(&tag), json!({ "step": 0.01 })).await.expect(200);
    assert_eq!(phone.tap(&tag, -1, "nonce-002").await.expect(200)["quantity"], 2.99);
    assert!(phone.page(&tag).await.text.contains("Take 0.01 kg"));
}

#[tokio::test]
async fn what_is_invalid_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    for body in [
        json!({ "label": "" }),
        json!({ "label": "x".repeat(51) }),
        json!({ "step": 0 }),
        json!({ "step": 1000.01 }),
        json!({ "step": 0.001 }),
        json!({ "step": "1" }),
    ] {
        anna.patch(&tag_path(&tag), body).await.expect_problem(400, "INVALID_FIELDS");
    }
    let body = json!({ "label": "Door", "itemId": tag["itemId"] });
    anna.patch(&tag_path(&tag), body).await.expect_problem(400, "UNKNOWN_FIELD");
    assert_eq!(anna.tags().await, [tag]);
}

#[tokio::test]
async fn only_admins_change_and_delete_and_only_their_own_tags() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let (body, path) = (json!({ "label": "Mine" }), tag_path(&tag));
    let ben = server.register("ben").await;
    for alone in [&ben, &server.with_household("stranger").await] {
        alone.patch(&path, body.clone()).await.expect_problem(404, "TAG_NOT_FOUND");
        alone.delete(&path).await.expect_problem(404, "TAG_NOT_FOUND");
    }
    ben.join(&anna).await;
    ben.patch(&path, body.clone()).await.expect_problem(403, "ADMIN_REQUIRED");
    ben.delete(&path).await.expect_problem(403, "ADMIN_REQUIRED");
    for unknown in ["/nfc-urls/0000000000000000000000", "/nfc-urls/short", "/nfc-urls/%ff"] {
        anna.patch(unknown, body.clone()).await.expect_refusal(if unknown.ends_with("ff") {
            400
        } else {
            404
        });
    }
    anna.delete("/nfc-urls/0000000000000000000000").await.expect_problem(404, "TAG_NOT_FOUND");
    assert_eq!(anna.tags().await, [tag]);
}

#[tokio::test]
async fn a_deleted_tag_answers_exactly_as_an_unknown_one() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let rice = anna.add("Rice", 5, "kg").await;
    let (active, replaced) =
        (anna.add_tag(&rice, json!({})).await, anna.add_tag(&rice, json!({})).await);
    let unknown = json!({ "urlId": "0000000000000000000000", "itemId": rice["itemId"] });
    for tag in [&active, &replaced] {
        assert_eq!(phone.page(tag).await.status, 200);
        phone.tap(tag, -1, "nonce-before").await.expect(200);
    }
    let successor = anna.rotate(&replaced).await.expect(200)["new"].clone();
    for tag in [&active, &replaced] {
        anna.delete(&tag_path(tag)).await.expect(204);
        let (page, never) = (phone.page(tag).await, phone.page(&unknown).await);
        assert_eq!((page.status, page.text), (404, never.text));
        for nonce in ["nonce-before", "nonce-after"] {
            let (tap, never) =
                (phone.tap(tag, -1, nonce).await, phone.tap(&unknown, -1, nonce).await);
            let said = [tap, never].map(|answer| without_request_id(answer.expect(404)));
            assert_eq!(said[0], said[1]);
            let (form, never) =
                (phone.submit(tag, "-1", nonce).await, phone.submit(&unknown, "-1", nonce).await);
            assert_eq!((form.status, form.text), (404, never.text));
        }
        anna.delete(&tag_path(tag)).await.expect_problem(404, "TAG_NOT_FOUND");
        anna.patch(&tag_path(tag), json!({})).await.expect_problem(404, "TAG_NOT_FOUND");
        anna.rotate(tag).await.expect_problem(404, "TAG_NOT_FOUND");
        let qr = anna.get(&format!("{}/qr.svg", tag_path(tag))).await;
        qr.expect_problem(404, "TAG_NOT_FOUND");
    }
    let left: Vec<Value> = anna.tags().await;
    assert_eq!(left.iter().map(url_id).collect::<Vec<_>>(), [url_id(&successor)]);
    assert_eq!(anna.item(id_of(&rice)).await["quantity"], 3);
}

#[tokio::test]
async fn a_replaced_tag_is_not_changed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    anna.rotate(&tag).await.expect(200);
    let answer = anna.patch(&tag_path(&tag), json!({ "label": "Door" })).await;
    answer.expect_problem(410, "TAG_ROTATED");
}
