//! Several changes in one request, each with a result of its own.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

const PATH: &str = "/inventory/items/bulk";

fn results(answer: &Value) -> &Vec<Value> {
    answer["results"].as_array().expect("one result for each change")
}

fn statuses(answer: &Value) -> Vec<u64> {
    results(answer).iter().map(|result| result["status"].as_u64().unwrap()).collect()
}

async fn three(anna: &Client) -> [Value; 3] {
    [anna.add("Rice", 1, "kg").await, anna.add("Tea", 2, "g").await, anna.add("Salt", 3, "g").await]
}

#[tokio::test]
async fn each_change_is_applied_by_itself_and_answered_in_order() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [rice, tea, salt] = three(&anna).await;
    let body = json!({ "changes": [
        { "id": tea["id"], "version": 7, "patch": { "notes": "green" } },
        { "id": rice["id"], "version": 1, "patch": { "notes": "brown", "quantity": 4.5 } },
        { "id": salt["id"], "version": 1, "delete": true },
        { "id": salt["id"], "version": 1, "patch": { "notes": "gone" } },
        { "id": tea["id"], "version": 1, "patch": { "name": "Rice", "unit": "kg", "merge": true } },
    ] });
    let answer = anna.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&answer), [409, 200, 204, 404, 200]);
    let results = results(&answer);
    let problem = &results[0]["problem"];
    assert_eq!((&problem["code"], &problem["status"]), (&json!("VERSION_CONFLICT"), &json!(409)));
    assert_eq!((&problem["current"], results[0].get("item")), (&tea, None));
    assert_eq!((&results[1]["id"], &results[1]["item"]["notes"]), (&rice["id"], &json!("brown")));
    assert_eq!(results[2], json!({ "id": salt["id"], "status": 204 }));
    assert_eq!(results[3]["problem"]["code"], "ITEM_NOT_FOUND");
    let merged = &results[4]["item"];
    assert_eq!((&merged["id"], amount(&merged["quantity"])), (&rice["id"], "6.5".to_owned()));
    assert_eq!(&anna.items("").await[..], std::slice::from_ref(merged));
}

#[tokio::test]
async fn a_mistake_is_the_result_of_its_change_and_says_what_the_single_route_says() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [rice, tea, _] = three(&anna).await;
    let id = rice["id"].clone();
    let body = json!({ "changes": [
        { "id": "rice", "version": 1, "delete": true },
        { "id": id, "patch": { "notes": "no version" } },
        { "id": id, "version": 1 },
        { "id": id, "version": 1, "patch": {}, "delete": true },
        { "id": id, "version": 1, "patch": { "quantity": -1 } },
        { "id": id, "version": 1, "patch": { "colour": "red" } },
        { "id": tea["id"], "version": 1, "patch": { "notes": "fine" } },
    ] });
    let answer = anna.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&answer), [404, 400, 400, 400, 400, 400, 200]);
    let field = |at: usize| results(&answer)[at]["problem"]["errors"][0]["field"].clone();
    assert_eq!(
        (1..6).map(field).collect::<Vec<_>>(),
        ["version", "patch", "patch", "quantity", "colour"]
    );
    assert_eq!(results(&answer)[5]["problem"]["code"], "UNKNOWN_FIELD");
    let alone = json!({ "version": 1, "quantity": -1 });
    let alone = anna.patch(&format!("/inventory/items/{}", id_of(&rice)), alone).await.expect(400);
    let mut together = results(&answer)[4]["problem"].clone();
    together["requestId"] = alone["requestId"].clone();
    assert_eq!(together, alone);
    assert_eq!(anna.item(id_of(&rice)).await, rice);
}

#[tokio::test]
async fn a_hundred_changes_are_taken_and_no_more_and_each_has_an_id() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let change =
        |version| json!({ "id": rice["id"], "version": version, "patch": { "quantity": version } });
    let changes: Vec<_> = (1..=101).map(change).collect();
    anna.post(PATH, json!({ "changes": changes })).await.expect_invalid_field("changes");
    assert_eq!(anna.item(id_of(&rice)).await, rice);
    let answer = anna.post(PATH, json!({ "changes": changes[..100] })).await.expect(200);
    assert_eq!(statuses(&answer), [200; 100]);
    assert_eq!(amount(&anna.item(id_of(&rice)).await["quantity"]), "100");
    assert_eq!(
        anna.post(PATH, json!({ "changes": [] })).await.expect(200),
        json!({ "results": [] })
    );
    for wrong in [json!([{ "version": 1, "delete": true }]), json!([7]), json!({}), json!(null)] {
        anna.post(PATH, json!({ "changes": wrong })).await.expect_invalid_field("changes");
    }
}

#[tokio::test]
async fn a_repetition_answers_the_same_and_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [rice, tea, salt] = three(&anna).await;
    let body = json!({ "changes": [
        { "id": rice["id"], "version": 1, "patch": { "quantity": 9 } },
        { "id": tea["id"], "version": 3, "delete": true },
        { "id": salt["id"], "version": 1, "delete": true },
    ] });
    let first = anna.post_once(PATH, "bulk-1", &body).await;
    assert_eq!(statuses(&first.expect(200)), [200, 409, 204]);
    anna.adjust(id_of(&rice), -2).await.expect(200);
    let again = anna.post_once(PATH, "bulk-1", &body).await.expect(200);
    assert_eq!(results(&again)[0], results(&first.json())[0]);
    assert_eq!(results(&again)[2], results(&first.json())[2]);
    assert_eq!(statuses(&again), [200, 409, 204]);
    assert_eq!(amount(&anna.item(id_of(&rice)).await["quantity"]), "7");

    let other = json!({ "changes": [{ "id": tea["id"], "version": 1, "delete": true }] });
    anna.post_once(PATH, "bulk-1", &other).await.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!(anna.item(id_of(&tea)).await, tea);
}

#[tokio::test]
async fn nothing_of_another_household_is_changed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let ben = server.with_household("ben").await;
    let body = json!({ "changes": [
        { "id": rice["id"], "version": 1, "patch": { "name": "Mine" } },
        { "id": rice["id"], "version": 1, "delete": true },
    ] });
    let answer = ben.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&answer), [404, 404]);
    assert_eq!(results(&answer)[0]["problem"].get("current"), None);
    assert_eq!(anna.item(id_of(&rice)).await, rice);
}
