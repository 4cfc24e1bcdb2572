//! Taking and putting back.

use serde_json::json;

use crate::it::support::{Server, amount, id_of};

#[tokio::test]
async fn an_adjustment_answers_the_item_and_what_was_applied() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 2, "kg").await;
    for (delta, applied, quantity) in [
        (json!(1), "1", "3"),
        (json!(-0.75), "-0.75", "2.25"),
        (json!(0.01), "0.01", "2.26"),
        (json!(-10), "-2.26", "0"),
        (json!(-1), "0", "0"),
        (json!(5.5), "5.5", "5.5"),
    ] {
        let answer = anna.adjust(id_of(&rice), delta.clone()).await.expect(200);
        assert_eq!(amount(&answer["applied"]), applied, "delta {delta}");
        assert_eq!(amount(&answer["item"]["quantity"]), quantity, "delta {delta}");
        assert_eq!(answer["item"]["isDepleted"], quantity == "0", "delta {delta}");
        assert_eq!(anna.item(id_of(&rice)).await, answer["item"], "delta {delta}");
    }
}

#[tokio::test]
async fn taking_from_nothing_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let empty = anna.add("Rice", 0, "kg").await;
    assert_eq!(empty["isDepleted"], true);
    let answer = anna.adjust(id_of(&empty), -1).await.expect(200);
    assert_eq!(amount(&answer["applied"]), "0");
    assert_eq!(anna.item(id_of(&empty)).await, empty, "not even the version");
}

#[tokio::test]
async fn adjusting_beyond_the_largest_quantity_is_impossible() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 99_999_999.98, "g").await;
    anna.adjust(id_of(&rice), 0.02).await.expect_problem(422, "QUANTITY_OVERFLOW");
    assert_eq!(anna.item(id_of(&rice)).await, rice);
    let answer = anna.adjust(id_of(&rice), 0.01).await.expect(200);
    assert_eq!(amount(&answer["item"]["quantity"]), "99999999.99");
}

#[tokio::test]
async fn a_delta_is_a_non_zero_number_of_two_decimals() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 2, "kg").await;
    for delta in [json!(0), json!(0.0), json!(0.001), json!("1"), json!(null), json!(1e12)] {
        let answer = anna.adjust(id_of(&rice), delta).await;
        answer.expect_invalid_field("delta");
    }
    let missing = anna.post(&format!("/inventory/items/{}/adjust", id_of(&rice)), json!({})).await;
    missing.expect_invalid_field("delta");
    assert_eq!(anna.item(id_of(&rice)).await, rice);
}

#[tokio::test]
async fn an_unknown_item_cannot_be_adjusted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.adjust("00000000-0000-4000-8000-000000000000", 1)
        .await
        .expect_problem(404, "ITEM_NOT_FOUND");
    anna.adjust("not-an-id", 1).await.expect_refusal(404);
}
