//! Entries linked to an item: its shop, no duplicates, and the deletion of the item.

use serde_json::{Value, json};

use super::{listed, path_of, put, put_linked, read, set_status, shop};
use crate::it::support::{Client, Server, id_of};

/// Rice that is bought at a shop of its own, and that shop.
async fn rice_with_a_shop(anna: &Client) -> (Value, String) {
    let market = shop(anna, "Market").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "kg", "preferredStoreId": market });
    (anna.add_item(body).await, market)
}

#[tokio::test]
async fn an_entry_takes_the_items_preferred_store_unless_told_otherwise() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, market) = rice_with_a_shop(&anna).await;
    let corner = shop(&anna, "Corner shop").await;
    let add = async |store: Option<Value>| {
        let mut body = json!({ "name": "Rice", "itemId": rice["id"], "force": true });
        if let Some(store) = store {
            body["storeId"] = store;
        }
        put(&anna, body).await["storeId"].clone()
    };
    assert_eq!(add(None).await, market);
    assert_eq!(add(Some(Value::Null)).await, Value::Null);
    assert_eq!(add(Some(json!(corner))).await, corner);
    let salt = anna.add("Salt", 1, "kg").await;
    assert_eq!(put_linked(&anna, &salt).await["storeId"], Value::Null, "it prefers none");
}

#[tokio::test]
async fn the_same_item_is_on_the_list_once_unless_one_insists() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 1, "kg").await;
    let first = put_linked(&anna, &rice).await;
    let body = json!({ "name": "Rice, please", "itemId": rice["id"] });
    let refused = ben.post("/shopping-list", body.clone()).await;
    assert_eq!(refused.expect_problem(409, "DUPLICATE_SHOPPING_ITEM")["existing"], first);

    let mut insisting = body.clone();
    insisting["force"] = json!(true);
    let second = put(&ben, insisting).await;
    assert_ne!(second["shoppingItemId"], first["shoppingItemId"]);
    assert_eq!(listed(&anna, "").await, [first.clone(), second.clone()]);

    set_status(&anna, &first, "purchased").await;
    let refused = ben.post("/shopping-list", body.clone()).await;
    let problem = refused.expect_problem(409, "DUPLICATE_SHOPPING_ITEM");
    assert_eq!(problem["existing"], second, "one of the two is still to be bought");
    set_status(&anna, &second, "purchased").await;
    put(&ben, body).await;
}

#[tokio::test]
async fn what_is_deleted_or_bought_stands_in_nobodys_way_and_what_is_unchecked_does() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let body = json!({ "name": "Rice", "itemId": rice["id"] });
    let deleted = put_linked(&anna, &rice).await;
    anna.delete(&path_of(&deleted)).await.expect(204);
    let bought = put_linked(&anna, &rice).await;
    let bought = set_status(&anna, &bought, "purchased").await;
    let unchecked = set_status(&anna, &bought, "pending").await;
    let refused = anna.post("/shopping-list", body).await;
    assert_eq!(refused.expect_problem(409, "DUPLICATE_SHOPPING_ITEM")["existing"], unchecked);
    let free_text = put(&anna, json!({ "name": "Rice" })).await;
    assert_eq!(free_text["itemId"], Value::Null, "a name alone is no duplicate");
}

#[tokio::test]
async fn buying_offers_to_restock_and_changes_no_stock_by_itself() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let entry = put(&anna, json!({ "name": "Rice", "itemId": rice["id"], "quantity": 3 })).await;
    let bought = set_status(&anna, &entry, "purchased").await;
    let href = format!("/api/v1/inventory/items/{}/adjust", id_of(&rice));
    let offer = json!({ "href": href, "method": "POST", "body": { "delta": 3 } });
    assert_eq!(bought["restock"], offer);
    assert_eq!(anna.item(id_of(&rice)).await, rice, "nothing happened yet");

    let method = offer["method"].as_str().unwrap().parse().unwrap();
    let restock = anna.request_root(method, &href).json(&offer["body"]);
    assert_eq!(anna.send(restock).await.expect(200)["item"]["quantity"], 4);

    let unchecked = set_status(&anna, &bought, "pending").await;
    assert_eq!(unchecked.get("restock"), None);
    assert_eq!(read(&anna, &entry).await.get("restock"), None);
    let one = put(&anna, json!({ "name": "Salt", "itemId": rice["id"], "force": true })).await;
    let one = set_status(&anna, &one, "purchased").await;
    assert_eq!(one["restock"]["body"], json!({ "delta": 1 }), "nobody said how many");
    let cake = put(&anna, json!({ "name": "Cake", "quantity": 2 })).await;
    assert_eq!(set_status(&anna, &cake, "purchased").await.get("restock"), None);
}

#[tokio::test]
async fn deleting_an_item_turns_its_entries_into_free_text() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, market) = rice_with_a_shop(&anna).await;
    let salt = anna.add("Salt", 1, "kg").await;
    let mut entries = Vec::new();
    for number in 1..=4 {
        let body = json!({
            "name": format!("Rice {number}"), "itemId": rice["id"], "quantity": number,
            "notes": "brown", "force": true,
        });
        entries.push(put(&anna, body).await);
    }
    let mut bought = set_status(&anna, &entries[3], "purchased").await;
    bought.as_object_mut().unwrap().remove("restock");
    entries[3] = bought;
    let other = put_linked(&anna, &salt).await;

    anna.delete(&format!("/inventory/items/{}", id_of(&rice))).await.expect(204);
    for entry in &entries {
        let orphan = read(&anna, entry).await;
        assert_eq!((&orphan["itemId"], &orphan["storeId"]), (&Value::Null, &json!(market)));
        assert_eq!(orphan["version"], entry["version"].as_u64().unwrap() + 1);
        let mut expected = entry.clone();
        for field in ["itemId", "version", "updatedAt"] {
            expected[field] = orphan[field].clone();
        }
        assert_eq!(orphan, expected, "everything else stays");
    }
    assert_eq!(read(&anna, &other).await, other);
    set_status(&anna, &read(&anna, &entries[0]).await, "purchased").await;
}

#[tokio::test]
async fn merging_an_item_away_turns_its_entries_into_free_text() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let typo = anna.add("Rcie", 1, "kg").await;
    let entry = put_linked(&anna, &typo).await;
    let kept = put_linked(&anna, &rice).await;
    let body = json!({ "version": 1, "name": "Rice", "merge": true });
    anna.patch(&format!("/inventory/items/{}", id_of(&typo)), body).await.expect(200);
    assert_eq!(read(&anna, &entry).await["itemId"], Value::Null);
    assert_eq!(read(&anna, &kept).await, kept);
}

#[tokio::test]
async fn deleting_a_shop_clears_it_on_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let market = shop(&anna, "Market").await;
    let open = put(&anna, json!({ "name": "Bread", "storeId": market })).await;
    let bought = put(&anna, json!({ "name": "Milk", "storeId": market })).await;
    let bought = set_status(&anna, &bought, "purchased").await;
    anna.delete(&format!("/stores/{market}")).await.expect(204);
    for (entry, version) in [(&open, 2), (&bought, 3)] {
        let cleared = read(&anna, entry).await;
        assert_eq!((&cleared["storeId"], &cleared["version"]), (&Value::Null, &json!(version)));
        assert_eq!(cleared["ttl"], entry["ttl"], "it leaves when it would have left");
    }
    assert_eq!(listed(&anna, "storeId=unassigned").await.len(), 2);
    assert_eq!(listed(&anna, &format!("storeId={market}")).await.len(), 0);
}
