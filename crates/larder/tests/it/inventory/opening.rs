//! Opening an item, or a part of it.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

async fn milk(client: &Client, opened_days: Option<u32>) -> Value {
    let body = json!({
        "name": "Milk", "quantity": 3, "unit": "個", "expirationDate": "2099-12-01",
        "openedShelfLifeDays": opened_days,
    });
    client.add_item(body).await
}

fn path(item: &Value) -> String {
    format!("/inventory/items/{}", id_of(item))
}

async fn open(client: &Client, item: &Value, body: Value) -> Value {
    client.post(&format!("{}/open", path(item)), body).await.expect(200)
}

#[tokio::test]
async fn one_of_several_becomes_an_item_with_its_own_date() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = milk(&anna, Some(4)).await;
    let done = open(&anna, &milk, json!({ "quantity": 1 })).await;
    let (opened, rest) = (&done["opened"], &done["rest"]);
    assert_eq!((&rest["id"], amount(&rest["quantity"])), (&milk["id"], "2".to_owned()));
    assert_eq!((&rest["openedOn"], &rest["expirationDate"]), (&Value::Null, &json!("2099-12-01")));
    assert_eq!(amount(&opened["quantity"]), "1");
    assert_eq!(opened["expirationDate"], opened["goodUntil"]);
    assert_ne!(opened["expirationDate"], "2099-12-01");
    assert!(!opened["openedOn"].is_null());
    assert_eq!(opened["productId"], milk["productId"]);
    assert_eq!(anna.get(&path(&milk)).await.expect(200), *rest);
    assert_eq!(anna.get(&path(opened)).await.expect(200), *opened);
    // The next one of the same day joins it.
    let again = open(&anna, &milk, json!({ "quantity": 1 })).await;
    assert_eq!(
        (&again["opened"]["id"], amount(&again["opened"]["quantity"])),
        (&opened["id"], "2".to_owned())
    );
    // The last one stays where it is, and the printed date with it.
    let last = open(&anna, &milk, json!({})).await;
    assert_eq!((&last["opened"]["id"], last.get("rest")), (&milk["id"], None));
    assert_eq!(last["opened"]["expirationDate"], "2099-12-01");
    assert_eq!(last["opened"]["goodUntil"], opened["goodUntil"]);
    // What is open stays as it is.
    assert_eq!(open(&anna, &milk, json!({})).await, last);
}

#[tokio::test]
async fn an_item_stays_one_if_opening_changes_no_date() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = milk(&anna, None).await;
    let done = open(&anna, &milk, json!({ "quantity": 1 })).await;
    assert_eq!((&done["opened"]["id"], done.get("rest")), (&milk["id"], None));
    assert_eq!(amount(&done["opened"]["quantity"]), "3");
    assert!(!done["opened"]["openedOn"].is_null());
}

#[tokio::test]
async fn more_than_there_is_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = milk(&anna, Some(4)).await;
    let open = format!("{}/open", path(&milk));
    let refused = anna.post(&open, json!({ "quantity": 3.01 })).await;
    let problem = refused.expect_problem(422, "NOT_ENOUGH");
    assert_eq!(problem["current"], milk);
    anna.post(&open, json!({ "quantity": 0 })).await.expect_problem(400, "INVALID_FIELDS");
    anna.post(&open, json!({ "amount": 1 })).await.expect_problem(400, "UNKNOWN_FIELD");
    assert_eq!(anna.get(&path(&milk)).await.expect(200), milk);
}

#[tokio::test]
async fn a_repetition_with_the_same_key_opens_nothing_more() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = milk(&anna, Some(4)).await;
    let open = format!("{}/open", path(&milk));
    let first = anna.post_once(&open, "open-one", &json!({ "quantity": 1 })).await.expect(200);
    anna.post(&format!("{}/adjust", path(&milk)), json!({ "delta": -1 })).await.expect(200);
    let again = anna.post_once(&open, "open-one", &json!({ "quantity": 1 })).await.expect(200);
    assert_eq!(again, first);
    assert_eq!(amount(&anna.get(&path(&milk)).await.expect(200)["quantity"]), "1");
}

#[tokio::test]
async fn many_who_open_at_once_lose_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna
        .add_item(json!({
            "name": "Milk", "quantity": 9, "unit": "個", "expirationDate": "2099-12-01",
            "openedShelfLifeDays": 4,
        }))
        .await;
    let open = format!("{}/open", path(&milk));
    let tasks = (0..8).map(|_| async {
        loop {
            let answer = anna.post(&open, json!({ "quantity": 1 })).await;
            // Too many at once is told as such, and may be tried again.
            if answer.status != 503 {
                return answer.expect(200);
            }
        }
    });
    join_all(tasks.collect::<Vec<_>>()).await;
    let lots = anna.get("/inventory/lots").await.expect(200);
    let row = &lots["items"][0];
    assert_eq!(amount(&row["total"]["quantity"]), "9");
    let mut quantities: Vec<_> =
        row["lots"].as_array().unwrap().iter().map(|lot| amount(&lot["quantity"])).collect();
    quantities.sort_unstable();
    assert_eq!(quantities, ["1", "8"]);
}
