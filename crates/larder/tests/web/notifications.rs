//! Notifications: open, acknowledged, resolved, and other channels.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, ServerSettings, id_of};

/// Adds an item that has fallen below its threshold.
async fn add_low(person: &Client, name: &str) -> Value {
    let body = json!({ "name": name, "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    person.add_item(body).await
}

/// The number of notifications so far.
async fn count(person: &Client, status: &str) -> usize {
    person.all_pages("/notifications", &format!("status={status}")).await.len()
}

#[tokio::test]
async fn a_new_household_reads_what_it_will_be_told() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let page = Reader::of(&server, &anna).await.get("/notifications").await.expect(200);
    assert!(page.says("Nothing to worry about"), "{}", page.visible());
    assert!(page.says("Nowhere else so far."), "{}", page.visible());
}

#[tokio::test]
async fn each_notification_says_what_and_leads_to_its_product() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = add_low(&anna, "Rice").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/notifications").await.expect(200);
    assert!(page.says("Low Rice 1 kg left, at least 2 kg wanted"), "{}", page.visible());
    anna.adjust(id_of(&rice), -1).await.expect(200);
    let used_up = reader.get("/notifications").await.expect(200);
    assert!(used_up.says("Low Rice Used up, at least 2 kg wanted"), "{}", used_up.visible());
    assert_eq!(bell(&used_up), "1");
    anna.adjust(id_of(&rice), 1).await.expect(200);
    let product = rice["productId"].as_str().unwrap();
    assert!(page.text.contains(&format!("href=\"/products/{product}\"")), "{}", page.text);
    let page = Reader::speaking(&server, "ja");
    page.log_in(&anna).await;
    let page = page.get("/notifications").await.expect(200);
    assert!(page.says("残りわずか Rice 残り1 kg（目安2 kg）"), "{}", page.visible());
}

#[tokio::test]
async fn one_is_seen_with_a_tap_and_all_of_them_with_another() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for name in ["Rice", "Salt", "Tea"] {
        add_low(&anna, name).await;
    }
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/notifications").await.expect(200);
    let one = page.between("action=\"/notifications/", "/acknowledge\"").unwrap().to_owned();
    let path = format!("/notifications/{one}/acknowledge");
    let page = reader.submit(&path, &[("back", "/notifications")]).await;
    assert!(page.says("Read"), "{}", page.visible());
    assert_eq!((count(&anna, "active").await, count(&anna, "acknowledged").await), (2, 1));
    // A second tap changes nothing, and unknown ones are not found.
    reader.submit(&path, &[]).await;
    assert_eq!((count(&anna, "active").await, count(&anna, "acknowledged").await), (2, 1));
    reader.post("/notifications/nothing/acknowledge", &[]).await.expect(404);
    let page = reader.submit("/notifications/acknowledge", &[]).await;
    assert!(page.says("Nothing new In stock at the moment: 3 low"), "{}", page.visible());
    assert!(!page.says("Nothing to worry about"), "{}", page.visible());
    assert_eq!((count(&anna, "active").await, count(&anna, "acknowledged").await), (0, 3));
}

#[tokio::test]
async fn what_is_due_when_it_is_added_is_told_at_once_and_stays_in_sight() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({
        "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": "2026-01-31",
    });
    let milk = anna.add_item(body).await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/notifications").await.expect(200);
    assert!(page.says("Expired Milk Was good until 31 Jan 2026"), "{}", page.visible());
    assert_eq!(bell(&page), "1");
    // Used up and back again: this date was told, but there is still something to worry about.
    anna.adjust(id_of(&milk), -1).await.expect(200);
    let page = reader.get("/notifications").await.expect(200);
    assert!(page.says("Nothing to worry about"), "{}", page.visible());
    anna.adjust(id_of(&milk), 1).await.expect(200);
    let page = reader.get("/notifications").await.expect(200);
    assert!(page.says("Nothing new In stock at the moment: 1 expired"), "{}", page.visible());
    assert!(page.text.contains("href=\"/stock?show=expired\""), "{}", page.text);
}

/// The number at the bell in the frame of a page; empty for 0.
fn bell(page: &Page) -> &str {
    let bell = page.between("id=\"bell\"", "</a>").unwrap_or_else(|| panic!("{}", page.text));
    let shown = bell.split("<span class=\"count\" aria-hidden=\"true\">").nth(1);
    shown.map_or("", |shown| shown.split('<').next().unwrap())
}

#[tokio::test]
async fn the_bell_counts_what_nobody_has_seen_on_every_page() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    ben.join(&anna).await;
    let reader = Reader::of(&server, &anna).await;
    assert_eq!(bell(&reader.get("/stock").await), "");
    let rice = add_low(&anna, "Rice").await;
    for name in ["Salt", "Tea"] {
        add_low(&anna, name).await;
    }
    for (path, status) in [
        ("/stock", 200),
        ("/shopping", 200),
        ("/sensors", 200),
        ("/notifications", 200),
        ("/household", 200),
        ("/me", 200),
        ("/join/ABCD", 200),
        ("/nowhere", 404),
    ] {
        let page = reader.get(path).await.expect(status);
        assert_eq!(bell(&page), "3", "{path}");
        assert!(page.says("Notifications 3 3 new"), "{path}: {}", page.visible());
    }
    // A page that answers a form has it, too.
    let page = reader.post("/shopping/add", &[("name", " ")]).await.expect(400);
    assert_eq!(bell(&page), "3");

    // Acknowledged by one is acknowledged for all, and resolved ones no longer count.
    let page = reader.get("/notifications").await.expect(200);
    let one = page.between("action=\"/notifications/", "/acknowledge\"").unwrap().to_owned();
    let page = reader.submit(&format!("/notifications/{one}/acknowledge"), &[]).await;
    assert_eq!(bell(&page), "2");
    anna.adjust(id_of(&rice), 9).await.expect(200);
    assert_eq!(bell(&Reader::of(&server, &ben).await.get("/shopping").await), "1");
    let carl = server.with_household("carl").await;
    assert_eq!(bell(&Reader::of(&server, &carl).await.get("/stock").await), "");
    let page = Reader::speaking(&server, "ja");
    page.log_in(&anna).await;
    let page = page.get("/stock").await.expect(200);
    assert!(page.says("お知らせ 1 未読1件"), "{}", page.visible());
}

#[tokio::test]
async fn what_is_over_is_folded_away() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = add_low(&anna, "Rice").await;
    anna.adjust(id_of(&rice), 5).await.expect(200);
    let page = Reader::of(&server, &anna).await.get("/notifications").await.expect(200);
    let folded = page.between("<details id=\"resolved\">", "</details>").unwrap();
    assert!(folded.contains("<strong>Rice</strong>"), "{folded}");
    assert!(folded.contains("resolved just now"), "{folded}");
}

#[tokio::test]
async fn a_long_list_goes_on_without_losing_or_repeating_any() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for number in 0..53 {
        add_low(&anna, &format!("Thing {number}")).await;
    }
    let reader = Reader::of(&server, &anna).await;
    let first = reader.get("/notifications").await.expect(200);
    let more = first.between("<a class=\"button\" href=\"/notifications?active=", "\"").unwrap();
    let second = reader.get(&format!("/notifications?active={more}")).await.expect(200);
    let mut shown = Vec::new();
    for page in [&first, &second] {
        shown.extend(
            page.text.split("id=\"notification-").skip(1).map(|rest| rest[..36].to_owned()),
        );
    }
    assert_eq!(shown.len(), 53);
    shown.sort();
    shown.dedup();
    assert_eq!(shown.len(), 53);
    // A cursor is only valid in its own list.
    reader.get(&format!("/notifications?resolved={more}")).await.expect(400);
}

#[tokio::test]
async fn people_read_where_else_they_are_told() {
    let settings = ServerSettings::default().with("LARDER_WEBHOOK_URL", "http://127.0.0.1:9/hook");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let page = Reader::of(&server, &anna).await.get("/notifications").await.expect(200);
    assert!(page.says("(webhook)") && !page.says("By mail"), "{}", page.visible());
    assert!(!page.says("Nowhere else so far."), "{}", page.visible());
    assert!(!page.text.contains("127.0.0.1:9"), "an address may be a secret");
}
