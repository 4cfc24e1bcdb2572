use serde_json::json;

use crate::it::support::{Server, rotation_of, tags_of, url_id};

#[tokio::test]
async fn the_new_tag_takes_the_place_of_the_old_for_good() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let rice = anna.add("Rice", 5, "kg").await;
    let tag = anna.add_tag(&rice, json!({ "label": "Shelf", "step": 0.5 })).await;
    let rotated = anna.rotate(&tag).await.expect(200);
    let (old, new) = (&rotated["old"], &rotated["new"]);
    let mut expected = tag.clone();
    expected["isActive"] = json!(false);
    expected["rotatedAt"] = new["createdAt"].clone();
    expected["rotatedBy"] = json!(anna.user_id);
    assert_eq!(*old, expected);
    assert_ne!(url_id(new), url_id(old));
    for field in ["itemId", "familyId", "itemName", "label", "step", "createdBy"] {
        assert_eq!(new[field], tag[field], "{field}");
    }
    assert_eq!((&new["isActive"], &new["rotatedAt"]), (&json!(true), &json!(null)));

    assert_eq!(phone.page(&tag).await.status, 410);
    phone.tap(&tag, -1, "nonce-old").await.expect_problem(410, "TAG_ROTATED");
    assert_eq!(phone.page(new).await.status, 200);
    assert_eq!(phone.tap(new, -1, "nonce-new").await.expect(200)["quantity"], 4.5);
    anna.rotate(&tag).await.expect_problem(410, "TAG_ROTATED");
    let listed = anna.tags().await;
    assert_eq!((url_id(&listed[0]), &listed[1]), (url_id(new), old));
}

#[tokio::test]
async fn a_repeated_request_rotates_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let path = rotation_of(&tag);
    let first = anna.post_once(&path, "one", &json!({})).await.expect(200);
    assert_eq!(anna.post_once(&path, "one", &json!({})).await.expect(200), first);
    assert_eq!(anna.tags().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_rotate_at_once_one_does() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (anna, tag) = (anna.clone(), tag.clone());
            tokio::spawn(async move { anna.rotate(&tag).await.status })
        })
        .collect();
    let mut statuses = Vec::new();
    for task in tasks {
        statuses.push(task.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410, 410, 410, 410, 410, 410, 410]);
    let active = anna.tags().await.iter().filter(|tag| tag["isActive"] == true).count();
    assert_eq!(active, 1);
}

#[tokio::test]
async fn only_a_tag_of_that_item_is_rotated() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, milk) = (anna.add("Rice", 5, "kg").await, anna.add("Milk", 2, "L").await);
    let tag = anna.add_tag(&rice, json!({})).await;
    for path in [
        format!("{}/{}/rotate", tags_of(&milk), url_id(&tag)),
        format!("{}/0000000000000000000000/rotate", tags_of(&rice)),
        format!("{}/short/rotate", tags_of(&rice)),
    ] {
        anna.post(&path, json!({})).await.expect_problem(404, "TAG_NOT_FOUND");
    }
    let stranger = server.with_household("stranger").await;
    stranger.rotate(&tag).await.expect_problem(404, "TAG_NOT_FOUND");
    assert_eq!(anna.tags().await, [tag]);
}
