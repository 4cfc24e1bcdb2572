//! The audit trail of an item.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

async fn history(client: &Client, item: &Value) -> Vec<Value> {
    client.all_pages(&format!("/inventory/items/{}/history", id_of(item)), "limit=2").await
}

#[tokio::test]
async fn every_change_is_kept_newest_first_with_who_and_what() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 2, "kg").await;
    ben.adjust(id_of(&rice), -0.5).await.expect(200);
    let patch = json!({ "version": 2, "notes": "for curry" });
    anna.patch(&format!("/inventory/items/{}", id_of(&rice)), patch).await.expect(200);
    let body = json!({ "name": "rice", "quantity": 500, "unit": "g" });
    ben.post("/inventory/items", body).await.expect(200);

    let entries = history(&anna, &rice).await;
    let changes: Vec<_> = entries
        .iter()
        .map(|e| (e["action"].as_str().unwrap(), e["by"].as_str().unwrap()))
        .collect();
    let (anna_id, ben_id) = (anna.user_id.as_str(), ben.user_id.as_str());
    assert_eq!(
        changes,
        [("UPDATE", ben_id), ("UPDATE", anna_id), ("UPDATE", ben_id), ("INSERT", anna_id)]
    );
    let quantities: Vec<_> = entries.iter().map(|e| amount(&e["new"]["quantity"])).collect();
    assert_eq!(quantities, ["2", "1.5", "1.5", "2"]);
    assert_eq!(entries[3]["old"], Value::Null);
    assert_eq!(entries[1]["old"]["notes"], Value::Null);
    assert_eq!(entries[1]["new"]["notes"], "for curry");
    for pair in entries.windows(2) {
        assert_eq!(pair[0]["old"], pair[1]["new"], "each change starts where the last one ended");
        assert!(pair[0]["at"].as_str() >= pair[1]["at"].as_str());
    }
}

#[tokio::test]
async fn a_refused_change_leaves_no_trace() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 2, "kg").await;
    anna.adjust(id_of(&rice), 0).await.expect_invalid_field("delta");
    let patch = json!({ "version": 7, "notes": "stale" });
    anna.patch(&format!("/inventory/items/{}", id_of(&rice)), patch)
        .await
        .expect_problem(409, "VERSION_CONFLICT");
    assert_eq!(history(&anna, &rice).await.len(), 1);
}
