//! Taking everything along: JSON Lines, and tables for spreadsheets.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, id_of, now_ms};

/// A whole export. It reads the history of every item, so a test asks for it once.
struct Export {
    text: String,
    lines: Vec<Value>,
}

impl Export {
    async fn take(client: &Client) -> Self {
        let answer = client.get("/me/export").await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/jsonl"));
        let lines = answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { text: answer.text, lines }
    }

    /// The lines of this type, without it.
    fn of(&self, kind: &str) -> Vec<Value> {
        let lines = self.lines.iter().filter(|line| line["type"] == kind);
        let mut lines: Vec<_> = lines.cloned().collect();
        for line in &mut lines {
            line.as_object_mut().unwrap().remove("type");
        }
        lines
    }
}

async fn furnish(anna: &Client) {
    for number in 0..120 {
        anna.add(&format!("Item {number}"), 1.25, "kg").await;
    }
    let rice = anna.add("Rice", 3, "kg").await;
    anna.adjust(id_of(&rice), -0.5).await.expect(200);
    anna.post("/shopping-list", json!({ "name": "Milk", "quantity": 2 })).await.expect(201);
    let tag = format!("/inventory/items/{}/nfc-urls", id_of(&rice));
    anna.post(&tag, json!({ "label": "shelf" })).await.expect(201);
    let attributes = json!({ "name": "Box", "weight": 1.50 });
    anna.make_with(json!({ "resourceType": "Home.Box", "attributes": attributes })).await;
}

#[tokio::test]
async fn an_export_holds_everything_of_the_household_and_no_secret() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    anna.add("Own tea", 1, "g").await;
    anna.create_household("Home").await;
    furnish(&anna).await;
    anna.patch("/me", json!({ "timeZone": "Asia/Tokyo", "language": "ja" })).await.expect(200);
    let export = Export::take(&anna).await;
    let head = &export.of("export")[0];
    assert_eq!((&head["format"], &head["version"]), (&json!("larder-export"), &json!(2)));
    let user = &export.of("user")[0];
    assert_eq!(user["email"], json!(anna.email));
    assert_eq!((&user["timeZone"], &user["language"]), (&json!("Asia/Tokyo"), &json!("ja")));
    let code = anna.get("/households/current").await.expect(200)["inviteCode"].clone();
    assert_eq!(export.of("household")[0]["inviteCode"], code);
    let products = export.of("product");
    assert!(!products.is_empty());
    let items = export.of("item");
    for item in &items {
        let of_it = products.iter().find(|product| product["id"] == item["productId"]);
        assert_eq!(of_it.unwrap()["name"], item["name"]);
    }
    assert_eq!(items.len(), 122);
    let rice = items.iter().find(|item| item["name"] == "Rice").unwrap();
    let history = rice["history"].as_array().unwrap().iter();
    let history: Vec<_> = history.map(|change| change["new"]["quantity"].clone()).collect();
    assert_eq!((&rice["quantity"], history), (&json!(2.5), vec![json!(2.5), json!(3)]));
    // What was theirs before is theirs still.
    assert_eq!(items[121]["name"], "Own tea");
    assert_eq!(export.of("shoppingItem")[0]["name"], "Milk");
    assert_eq!(export.of("tag")[0]["label"], "shelf");
    assert_eq!(export.of("resource")[0]["attributes"]["name"], "Box");
    assert_eq!(export.of("member")[0]["email"], json!(anna.email));
    let text = export.text;
    let tags = anna.get("/nfc-urls").await.expect(200);
    let secret = tags["items"][0]["urlId"].as_str().unwrap();
    assert!(!text.contains(secret) && !text.to_lowercase().contains("password"), "{text}");
}

#[tokio::test]
async fn a_member_exports_without_what_is_the_admins_and_others_only_their_own() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    ben.join(&anna).await;
    furnish(&anna).await;
    let export = Export::take(&ben).await;
    assert_eq!(export.of("tag"), Vec::<Value>::new());
    assert_eq!(export.of("household")[0]["inviteCode"], Value::Null);
    assert_eq!(export.of("item").len(), 121);
    let loner = server.register("carl").await;
    loner.add("Tea", 1, "g").await;
    let export = Export::take(&loner).await;
    assert_eq!(export.of("household"), Vec::<Value>::new());
    let items = export.of("item");
    assert_eq!((items.len(), &items[0]["name"]), (1, &json!("Tea")));
}

#[tokio::test]
async fn items_and_the_shopping_list_are_tables_for_spreadsheets() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let items = "/me/export?format=csv&of=items";
    assert_eq!(anna.get(items).await.text, "");
    let notes = "fine, \"organic\"\nsays =1";
    let body = json!({ "name": "=Tea", "quantity": 1.5, "unit": "kg", "notes": notes });
    let tea = anna.add_item(body).await;
    anna.adjust(id_of(&tea), -9).await.expect(200);
    anna.add("Milk", 2, "L").await;
    let answer = anna.get(items).await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    let name = answer.header("content-disposition");
    assert!(name.starts_with("attachment; filename=\"larder-items-2"), "{name}");
    let mut lines = answer.text.split("\r\n");
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    let milk: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(milk.len(), header.len());
    let column = |name: &str| header.iter().position(|it| *it == name).unwrap();
    let of_milk = ["name", "quantity", "unit", "expirationDate"].map(|name| milk[column(name)]);
    assert_eq!(of_milk, ["Milk", "2", "L", ""]);
    let line = lines.next().unwrap();
    assert!(line.contains(",'=Tea,0,kg,"), "{line}");
    assert!(line.contains(",\"fine, \"\"organic\"\"\nsays =1\","), "{line}");
    assert_eq!(lines.next(), Some(""));

    anna.post("/shopping-list", json!({ "name": "Soap", "quantity": 2 })).await.expect(201);
    let list = anna.get("/me/export?format=csv&of=shopping-list").await;
    assert!(list.text.contains(",Soap,"), "{}", list.text);
    assert_eq!(list.text.lines().count(), 2);
}

#[tokio::test]
async fn a_table_must_be_named_and_only_tables_are() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for query in ["format=csv", "of=items", "format=jsonl&of=items", "format=csv&of=tags"] {
        let answer = anna.get(&format!("/me/export?{query}")).await;
        let problem = answer.expect_problem(400, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "of", "{query}");
    }
    anna.get("/me/export?format=xml").await.expect_invalid_field("format");
}

#[tokio::test]
async fn readings_are_a_table_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, "AA:BB:CC:DD:EE:FF").await;
    let path = "/devices/AA:BB:CC:DD:EE:FF/readings.csv";
    let header = "time,sensor,value,status,batch_id\r\n";
    assert_eq!(anna.get(path).await.text, header);
    let now = now_ms();
    let readings: Vec<_> =
        (0..3).map(|n| device.reading(now - n * 1000, &format!("batch-{n}"))).collect();
    device.send(&readings).await.expect(200);
    let answer = anna.get(path).await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    let batches: Vec<_> =
        answer.text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    let mut distinct = batches.clone();
    distinct.dedup();
    assert_eq!(distinct, ["batch-2", "batch-1", "batch-0"], "oldest first");
    let ben = server.with_household("ben").await;
    ben.get(path).await.expect_problem(404, "DEVICE_NOT_FOUND");
    anna.get("/devices/nothing/readings.csv").await.expect_problem(404, "DEVICE_NOT_FOUND");
}
