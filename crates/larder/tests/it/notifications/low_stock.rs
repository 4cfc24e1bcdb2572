//! Low stock produces one notification, on every path, and resolves by itself.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::{add_watched, notified, path_of, the_open_one};
use crate::it::support::{Server, hundredths, id_of};

#[tokio::test]
async fn falling_below_the_threshold_is_told_with_the_numbers_of_that_moment() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let home = anna.get("/households/current").await.expect(200);
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    anna.adjust(id_of(&eggs), -2).await.expect(200);
    assert_eq!(notified(&anna, "status=all").await, Vec::<Value>::new(), "4 is not below 4");
    anna.adjust(id_of(&eggs), -0.5).await.expect(200);
    let told = the_open_one(&anna).await;
    assert_eq!(
        told,
        json!({
            "notificationId": told["notificationId"], "familyId": home["id"],
            "itemId": eggs["id"], "productId": eggs["productId"],
            "itemName": "Eggs", "kind": "low_stock", "status": "active",
            "expirationDate": null, "quantity": 3.5, "threshold": 4, "unit": "個",
            "createdAt": told["createdAt"], "acknowledgedAt": null, "acknowledgedBy": null,
            "resolvedAt": null,
        })
    );
}

#[tokio::test]
async fn while_one_is_open_nothing_is_told_twice_and_it_says_what_is_left_now() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    for left in [3, 0, 0] {
        anna.adjust(id_of(&eggs), -3).await.expect(200);
        assert_eq!(the_open_one(&anna).await["quantity"], left);
    }
    anna.adjust(id_of(&eggs), 3).await.expect(200);
    let raised = json!({ "version": 4, "lowStockThreshold": 5 });
    let item = anna.item(id_of(&eggs)).await;
    assert_eq!((&item["quantity"], &item["version"]), (&json!(3), &json!(4)), "{item}");
    anna.patch(&path_of(&eggs), raised).await.expect(200);
    let all = notified(&anna, "status=all").await;
    let figures = (all.len(), &all[0]["quantity"], &all[0]["threshold"]);
    assert_eq!(figures, (1, &json!(3), &json!(5)), "{all:?}");
}

#[tokio::test]
async fn recovering_resolves_it_and_the_next_fall_is_a_new_one() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    anna.adjust(id_of(&eggs), -4).await.expect(200);
    let first = the_open_one(&anna).await;
    anna.adjust(id_of(&eggs), 2).await.expect(200);
    assert_eq!(notified(&anna, "").await, Vec::<Value>::new());
    let resolved = notified(&anna, "status=resolved").await;
    assert_eq!(resolved.len(), 1);
    assert!(resolved[0]["resolvedAt"].is_string(), "{resolved:?}");
    let mut expected = first.clone();
    expected["status"] = json!("resolved");
    expected["resolvedAt"] = resolved[0]["resolvedAt"].clone();
    assert_eq!(resolved[0], expected, "everything else stays as it was told");

    anna.adjust(id_of(&eggs), -1).await.expect(200);
    let second = the_open_one(&anna).await;
    assert_ne!(second["notificationId"], first["notificationId"]);
    assert_eq!(notified(&anna, "status=all").await.len(), 2);
}

#[tokio::test]
async fn an_edit_of_quantity_or_threshold_tells_and_resolves() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 6, 4).await;
    for (version, change, is_open) in [
        (1, json!({ "quantity": 3 }), true),
        (2, json!({ "quantity": 4 }), false),
        (3, json!({ "lowStockThreshold": 5 }), true),
        (4, json!({ "notes": "free range" }), true),
        (5, json!({ "lowStockThreshold": null }), false),
    ] {
        let mut body = change.clone();
        body["version"] = json!(version);
        anna.patch(&path_of(&eggs), body).await.expect(200);
        assert_eq!(notified(&anna, "").await.len(), usize::from(is_open), "after {change}");
    }
    assert_eq!(notified(&anna, "status=all").await.len(), 2);
}

#[tokio::test]
async fn what_is_added_low_is_told_and_more_of_it_resolves() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Rice", "quantity": 500, "unit": "g", "lowStockThreshold": 2000 });
    let rice = anna.add_item(body).await;
    assert_eq!(the_open_one(&anna).await["itemId"], rice["id"]);
    for (quantity, is_open) in [(1, true), (1, false)] {
        let more = json!({ "name": "rice", "quantity": quantity, "unit": "kg" });
        anna.post("/inventory/items", more).await.expect(200);
        assert_eq!(notified(&anna, "").await.len(), usize::from(is_open));
    }
}

#[tokio::test]
async fn a_deleted_item_is_low_no_more() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let eggs = add_watched(&anna, "Eggs", 1, 4).await;
    let tea = add_watched(&anna, "Tea", 1, 4).await;
    anna.delete(&path_of(&eggs)).await.expect(204);
    let open = the_open_one(&anna).await;
    assert_eq!(open["itemId"], tea["id"]);
    let resolved = notified(&anna, "status=resolved").await;
    assert_eq!((resolved.len(), &resolved[0]["itemId"]), (1, &eggs["id"]));
}

#[tokio::test]
async fn merging_two_items_settles_both() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tea = add_watched(&anna, "Tea", 3, 4).await;
    let typo = add_watched(&anna, "Tee", 2, 4).await;
    assert_eq!(notified(&anna, "").await.len(), 2);
    let body = json!({ "version": 1, "name": "Tea", "merge": true });
    let merged = anna.patch(&path_of(&typo), body).await.expect(200);
    assert_eq!((&merged["id"], &merged["quantity"]), (&tea["id"], &json!(5)));
    assert_eq!(notified(&anna, "").await, Vec::<Value>::new());
    assert_eq!(notified(&anna, "status=resolved").await.len(), 2);
}

#[tokio::test]
async fn people_on_their_own_are_told_nothing_until_their_items_move_in() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    let eggs = add_watched(&ben, "Eggs", 6, 4).await;
    ben.adjust(id_of(&eggs), -4).await.expect(200);
    assert_eq!(notified(&ben, "status=all").await, Vec::<Value>::new());

    let mut stream = anna.events(None).await;
    let home = anna.get("/households/current").await.expect(200);
    let body = json!({ "inviteCode": home["inviteCode"], "moveItems": true });
    ben.post("/households/join", body).await.expect(200);
    stream.until(|event| event.name == "NotificationOpened").await;
    let open = the_open_one(&anna).await;
    assert_eq!((&open["itemName"], &open["quantity"]), (&json!("Eggs"), &json!(2)));
}

/// 16 clients move one quantity back and forth over its threshold. In any order, at the end there
/// is one open notification or none, depending on the quantity, and never two at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clients_around_a_threshold_leave_what_is_right() {
    const CLIENTS: usize = 16;
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for start in [10, 11] {
        let eggs = add_watched(&anna, &format!("Eggs {start}"), start, 11).await;
        let start = Arc::new(Barrier::new(CLIENTS));
        let tasks: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (anna, id, start) = (anna.clone(), id_of(&eggs).to_owned(), Arc::clone(&start));
                tokio::spawn(async move {
                    start.wait().await;
                    anna.adjust(&id, if number % 2 == 0 { 1 } else { -1 }).await
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().expect(200);
        }
        let quantity = hundredths(&anna.item(id_of(&eggs)).await["quantity"]);
        let all = notified(&anna, "status=all").await;
        let of_eggs = all.iter().filter(|told| told["itemId"] == eggs["id"]);
        let open: Vec<_> = of_eggs.filter(|told| told["status"] != "resolved").collect();
        assert_eq!(open.len(), usize::from(quantity < 1100), "at {quantity}: {open:?}");
    }
}
