//! Scanning on a page, without script: typed codes, and hand scanners that type.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server};

const PENCIL: &str = "4006381333931";
const TEA: &str = "4902102072618";

struct Kitchen {
    _server: Server,
    anna: Client,
    reader: Reader,
}

impl Kitchen {
    async fn new() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let reader = Reader::of(&server, &anna).await;
        reader.get("/scan").await.expect(200);
        Self { _server: server, anna, reader }
    }

    async fn scan(&self, then: &str, code: &str) -> Page {
        self.name(then, code, "").await
    }

    /// Answers the question what a code is called.
    async fn name(&self, then: &str, code: &str, name: &str) -> Page {
        let fields = [("then", then), ("code", code), ("name", name)];
        self.reader.post("/scan", &fields).await
    }

    async fn lots(&self) -> Vec<Value> {
        self.anna.items("includeDepleted=true").await
    }

    async fn entries(&self) -> Vec<(Value, Value)> {
        let entries = self.anna.all_pages("/shopping-list", "").await;
        entries.into_iter().map(|it| (it["name"].clone(), it["status"].clone())).collect()
    }
}

#[tokio::test]
async fn an_unknown_code_asks_for_a_name_once() {
    let kitchen = Kitchen::new().await;
    let asked = kitchen.scan("add", PENCIL).await.location();
    assert_eq!(asked, format!("/scan?then=add&code={PENCIL}"));
    let page = kitchen.reader.get(&asked).await.expect(200);
    assert!(page.text.contains("id=\"name-it\"") && page.text.contains(PENCIL), "{}", page.text);
    assert_eq!(page.header("permissions-policy"), "camera=(self)");
    kitchen.name("add", PENCIL, "Pencil").await.expect(303);
    kitchen.scan("add", PENCIL).await.expect(303);
    let lots = kitchen.lots().await;
    assert_eq!(lots.len(), 1);
    assert_eq!((&lots[0]["name"], &lots[0]["quantity"]), (&json!("Pencil"), &json!(2)));
    let product = kitchen.anna.get(&format!("/products/by-barcode/{PENCIL}")).await.expect(200);
    assert_eq!(product["name"], "Pencil");
}

#[tokio::test]
async fn one_is_used_of_what_expires_first() {
    let kitchen = Kitchen::new().await;
    for (quantity, until) in [(2, "2031-05-01"), (1, "2031-03-01")] {
        let body = json!({
            "name": "Tea", "quantity": quantity, "unit": "bag", "expirationDate": until,
            "barcode": TEA,
        });
        kitchen.anna.post("/inventory/items", body).await.expect(201);
    }
    for left in [[2, 0], [1, 0], [0, 0]] {
        let page = kitchen.scan("use", TEA).await.expect(303);
        assert!(page.location().contains("notice=scan-used"));
        let mut lots = kitchen.lots().await;
        lots.sort_by_key(|lot| std::cmp::Reverse(lot["expirationDate"].to_string()));
        let quantities: Vec<_> = lots.iter().map(|lot| lot["quantity"].clone()).collect();
        assert_eq!(quantities, left.map(Value::from));
    }
    let none = kitchen.scan("use", TEA).await.expect(303);
    assert!(none.location().contains("notice=scan-none-left"));
}

#[tokio::test]
async fn an_entry_is_checked_off_and_put_away() {
    let kitchen = Kitchen::new().await;
    let body = json!({ "name": "Tea", "quantity": 1, "unit": "bag", "barcode": TEA });
    let tea = kitchen.anna.post("/inventory/items", body).await.expect(201)["item"].clone();
    let missing = kitchen.scan("tick", TEA).await.expect(303);
    assert!(missing.location().contains("notice=scan-not-on-list"));
    let wish = json!({ "name": "Tea", "itemId": tea["id"], "quantity": 3 });
    kitchen.anna.post("/shopping-list", wish).await.expect(201);
    kitchen.scan("tick", TEA).await.expect(303);
    assert_eq!(kitchen.entries().await, [(json!("Tea"), json!("purchased"))]);
    // The code of the package names its date.
    let package = format!("(01)0{TEA}(17)310501");
    let put = kitchen.scan("put-away", &package).await.expect(303);
    assert!(put.location().contains("notice=scan-put-away"));
    assert_eq!(kitchen.entries().await, []);
    let lots = kitchen.lots().await;
    let new = lots.iter().find(|lot| lot["expirationDate"] == "2031-05-01").unwrap();
    assert_eq!((lots.len(), &new["quantity"]), (2, &json!(3)));
}

#[tokio::test]
async fn a_wrong_digit_is_told_and_changes_nothing() {
    let kitchen = Kitchen::new().await;
    for code in ["4006381333932", "milk", "https://example.org/"] {
        let page = kitchen.scan("add", code).await.expect(400);
        assert!(page.text.contains("a digit is wrong"), "{}", page.text);
    }
    kitchen.name("use", PENCIL, "Pencil").await.expect(404);
    assert_eq!(kitchen.lots().await, Vec::<Value>::new());
}
