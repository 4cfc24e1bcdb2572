//! `Idempotency-Key`: a retry never applies twice.

use serde_json::json;

use crate::it::support::{Answer, Server, amount, id_of};

#[track_caller]
fn assert_same(first: &Answer, again: &Answer) {
    assert_eq!(again.status, first.status);
    assert_eq!(again.text, first.text);
}

#[tokio::test]
async fn the_same_key_and_body_answer_the_first_result_even_later() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    let created = anna.post_once("/inventory/items", "create-1", &body).await;
    let id = id_of(&created.expect(201)["item"]).to_owned();
    let adjust = format!("/inventory/items/{id}/adjust");
    let taken = anna.post_once(&adjust, "take-1", &json!({ "delta": -0.25 })).await;
    assert_eq!(amount(&taken.expect(200)["item"]["quantity"]), "0.75");

    anna.adjust(&id, 5).await.expect(200);
    assert_same(&created, &anna.post_once("/inventory/items", "create-1", &body).await);
    let retried = anna.post_once(&adjust, "take-1", &json!({ "delta": -0.25 })).await;
    assert_same(&taken, &retried);
    assert_eq!(amount(&anna.item(&id).await["quantity"]), "5.75");

    anna.delete(&format!("/inventory/items/{id}")).await.expect(204);
    assert_same(&created, &anna.post_once("/inventory/items", "create-1", &body).await);
    assert_eq!(anna.items("").await.len(), 0, "a retry does not bring it back");
}

#[tokio::test]
async fn another_body_under_the_same_key_is_a_mismatch() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    let created = anna.post_once("/inventory/items", "key", &body).await.expect(201);
    let other = json!({ "name": "Rice", "quantity": 2, "unit": "kg" });
    let answer = anna.post_once("/inventory/items", "key", &other).await;
    answer.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    let path = format!("/inventory/items/{}/adjust", id_of(&created["item"]));
    let elsewhere = anna.post_once(&path, "key", &json!({ "delta": 1 })).await;
    elsewhere.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!(anna.item(id_of(&created["item"])).await, created["item"]);
}

#[tokio::test]
async fn a_key_belongs_to_one_person() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    let annas = anna.post_once("/inventory/items", "key", &body).await.expect(201);
    let bens = ben.post_once("/inventory/items", "key", &body).await.expect(201);
    assert_ne!(id_of(&annas["item"]), id_of(&bens["item"]));
}

#[tokio::test]
async fn a_key_is_printable_and_at_most_64_characters() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    for key in ["", &"k".repeat(65), "tab\tinside"] {
        anna.post_once("/inventory/items", key, &body).await.expect_refusal(400);
    }
    assert_eq!(anna.items("").await.len(), 0);
    anna.post_once("/inventory/items", &"k".repeat(64), &body).await.expect(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thirty_two_posts_at_once_with_one_key_apply_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 100, "kg").await;
    let adjust = format!("/inventory/items/{}/adjust", id_of(&rice));
    let salt = json!({ "name": "Salt", "quantity": 1, "unit": "kg" });
    for (key, path, body) in
        [("take", adjust, json!({ "delta": -1 })), ("add", "/inventory/items".to_owned(), salt)]
    {
        let posts: Vec<_> = (0..32)
            .map(|_| {
                let (anna, path, body) = (anna.clone(), path.clone(), body.clone());
                tokio::spawn(async move { anna.post_once(&path, key, &body).await })
            })
            .collect();
        let mut answers = Vec::new();
        for post in posts {
            answers.push(post.await.unwrap());
        }
        for answer in &answers {
            assert_same(&answers[0], answer);
        }
        assert!(matches!(answers[0].status, 200 | 201), "{}", answers[0].text);
    }
    assert_eq!(amount(&anna.item(id_of(&rice)).await["quantity"]), "99");
    let salt = anna.items("search=salt").await;
    assert_eq!(salt.len(), 1);
    assert_eq!(amount(&salt[0]["quantity"]), "1");
}

#[tokio::test]
async fn a_key_is_remembered_over_a_crash() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 10, "kg").await;
    let path = format!("/inventory/items/{}/adjust", id_of(&rice));
    let first = anna.post_once(&path, "take", &json!({ "delta": -1 })).await;
    server.kill_9().await;
    server.restart().await;
    assert_same(&first, &anna.post_once(&path, "take", &json!({ "delta": -1 })).await);
    assert_eq!(amount(&anna.item(id_of(&rice)).await["quantity"]), "9");
}

#[tokio::test]
async fn a_repeated_creation_of_stores_and_households_is_the_same_one() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let body = json!({ "name": "Home" });
    let home = anna.post_once("/households", "home", &body).await;
    home.expect(201);
    assert_same(&home, &anna.post_once("/households", "home", &body).await);
    let body = json!({ "name": "Shop" });
    for path in ["/stores", "/storage-locations"] {
        let first = anna.post_once(path, path, &body).await;
        first.expect(201);
        assert_same(&first, &anna.post_once(path, path, &body).await);
    }
}
