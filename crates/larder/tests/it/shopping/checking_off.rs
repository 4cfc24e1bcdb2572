//! From `pending` to `purchased` and back, and the clean-up after it.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{listed, path_of, put_text, read, set_status};
use crate::it::support::{Server, names};

const SEVEN_DAYS: i64 = 604_800;

/// The whole seconds of a time, as the API writes it.
fn seconds(time: &Value) -> i64 {
    time.as_str().unwrap().parse::<Timestamp>().unwrap().as_second()
}

#[tokio::test]
async fn checking_off_starts_seven_days_and_unchecking_ends_them() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let entry = put_text(&anna, "Bread").await;
    assert_eq!((&entry["version"], &entry["ttl"]), (&json!(1), &Value::Null));

    let bought = set_status(&anna, &entry, "purchased").await;
    assert_eq!((&bought["status"], &bought["version"]), (&json!("purchased"), &json!(2)));
    assert_eq!(bought["ttl"], seconds(&bought["updatedAt"]) + SEVEN_DAYS);
    assert_eq!(read(&anna, &entry).await, bought);

    let open = set_status(&anna, &bought, "pending").await;
    assert_eq!((&open["status"], &open["version"]), (&json!("pending"), &json!(3)));
    assert_eq!(open["ttl"], Value::Null);
    let mut expected = entry.clone();
    expected["version"] = json!(3);
    expected["updatedAt"] = open["updatedAt"].clone();
    assert_eq!(open, expected);

    let again = set_status(&anna, &open, "purchased").await;
    assert_eq!(again["version"], 4);
    assert_eq!(again["ttl"], seconds(&again["updatedAt"]) + SEVEN_DAYS);
}

#[tokio::test]
async fn editing_what_was_bought_leaves_its_days() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let bought = set_status(&anna, &put_text(&anna, "Bread").await, "purchased").await;
    let said_again = set_status(&anna, &bought, "purchased").await;
    assert_eq!((&said_again["ttl"], &said_again["version"]), (&bought["ttl"], &json!(3)));
    let edit = json!({ "version": 3, "notes": "the last one" });
    let edited = anna.patch(&path_of(&bought), edit).await.expect(200);
    assert_eq!((&edited["ttl"], &edited["status"]), (&bought["ttl"], &json!("purchased")));
}

#[tokio::test]
async fn clearing_takes_what_was_bought_and_nothing_else() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    let foreign = set_status(&stranger, &put_text(&stranger, "Tea").await, "purchased").await;
    put_text(&anna, "Bread").await;
    for number in 0..30 {
        let entry = put_text(&anna, &format!("Bought {number}")).await;
        set_status(&anna, &entry, "purchased").await;
    }
    let unchecked = set_status(&anna, &put_text(&anna, "Milk").await, "purchased").await;
    set_status(&anna, &unchecked, "pending").await;

    let cleared = anna.delete("/shopping-list?status=purchased").await;
    assert_eq!(cleared.expect(200), json!({ "removed": 30 }));
    assert_eq!(names(&listed(&anna, "").await), ["Bread", "Milk"]);
    let again = anna.delete("/shopping-list?status=purchased").await;
    assert_eq!(again.expect(200), json!({ "removed": 0 }));
    assert_eq!(read(&stranger, &foreign).await, foreign);
}

#[tokio::test]
async fn nothing_is_cleared_without_saying_what() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let bread = put_text(&anna, "Bread").await;
    let bought = set_status(&anna, &put_text(&anna, "Milk").await, "purchased").await;
    for query in ["", "?status=", "?status=all", "?status=pending", "?status=Purchased"] {
        let answer = anna.delete(&format!("/shopping-list{query}")).await;
        answer.expect_invalid_field("status");
    }
    let other = anna.delete("/shopping-list?status=purchased&storeId=unassigned").await;
    other.expect_field_error("UNKNOWN_FIELD", "storeId");
    assert_eq!(listed(&anna, "").await, [bread, bought]);
}
