//! Putting away purchased entries: the resulting stock, its dates, and the entries that stay.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server};

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
        Self { _server: server, anna, reader }
    }

    /// An entry that was bought, so of version 2.
    async fn bought(&self, body: Value) -> String {
        let entry = self.anna.post("/shopping-list", body).await.expect(201);
        let id = entry["shoppingItemId"].as_str().unwrap().to_owned();
        self.set_status(&id, "purchased", 1).await;
        id
    }

    async fn set_status(&self, id: &str, status: &str, version: u64) {
        let body = json!({ "status": status, "version": version });
        self.anna.patch(&format!("/shopping-list/{id}/status"), body).await.expect(200);
    }

    /// The day on which the server adds something now.
    async fn today(&self) -> jiff::civil::Date {
        let item = self.anna.add("Salt", 1, "kg").await;
        item["createdAt"].as_str().unwrap()[..10].parse().unwrap()
    }

    /// The stock of this name: quantity, unit and date, by date.
    async fn lots(&self, name: &str) -> Vec<(Value, Value, Value)> {
        let items = self.anna.items("includeDepleted=true").await;
        let items = items.iter().filter(|item| item["name"] == name);
        let mut lots: Vec<_> = items
            .map(|item| {
                let [quantity, unit, date] =
                    ["quantity", "unit", "expirationDate"].map(|field| item[field].clone());
                (quantity, unit, date)
            })
            .collect();
        lots.sort_by_key(|(_, _, date)| date.to_string());
        lots
    }

    async fn listed(&self) -> Vec<Value> {
        let entries = self.anna.all_pages("/shopping-list", "").await;
        entries.into_iter().map(|entry| entry["name"].clone()).collect()
    }

    /// The form with these rows: entry, quantity, unit and date.
    async fn put_all_away(&self, rows: &[(&str, &str, &str, &str)]) -> Page {
        let fields = rows.iter().flat_map(|&(entry, quantity, unit, date)| {
            [
                ("entry", entry),
                ("version", "2"),
                ("quantity", quantity),
                ("unit", unit),
                ("expiration", date),
            ]
        });
        self.reader.post("/shopping/put-away", &fields.collect::<Vec<_>>()).await
    }
}

fn lot(quantity: impl Into<Value>, unit: &str, date: impl Into<Value>) -> (Value, Value, Value) {
    (quantity.into(), json!(unit), date.into())
}

/// The value that a field of the page begins with.
fn value_of<'a>(page: &'a Page, id: &str) -> &'a str {
    let field = page.between(&format!("id=\"{id}\""), ">").unwrap_or_else(|| panic!("no {id}"));
    field.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[tokio::test]
async fn what_was_bought_has_the_date_that_was_given_and_never_that_of_the_stock() {
    let kitchen = Kitchen::new().await;
    let (anna, reader) = (&kitchen.anna, &kitchen.reader);
    let fridge = anna.post("/storage-locations", json!({ "name": "Door" })).await.expect(201);
    let yoghurt = anna
        .add_item(json!({
            "name": "Yoghurt", "quantity": 1, "unit": "pcs", "expirationDate": "2026-01-02",
            "storageLocationId": fridge["id"], "lowStockThreshold": 2, "notes": "opened",
        }))
        .await;
    let old = lot(1, "pcs", "2026-01-02");
    let mut expected = vec![old.clone()];
    for (date, lots) in [
        ("", vec![old.clone(), lot(4, "pcs", Value::Null)]),
        ("2030-05-01", vec![old.clone(), lot(4, "pcs", "2030-05-01"), lot(4, "pcs", Value::Null)]),
        ("2030-05-01", vec![old.clone(), lot(8, "pcs", "2030-05-01"), lot(4, "pcs", Value::Null)]),
        ("", vec![old.clone(), lot(8, "pcs", "2030-05-01"), lot(8, "pcs", Value::Null)]),
    ] {
        assert_eq!(kitchen.lots("Yoghurt").await, expected);
        let body = json!({ "name": "yoghurt, big", "itemId": yoghurt["id"], "quantity": 4 });
        let id = kitchen.bought(body).await;
        let path = format!("/shopping/{id}/put-away");
        let page = reader.get(&path).await.expect(200);
        assert!(page.says("Quantity (pcs)"), "{}", page.visible());
        assert_eq!((value_of(&page, "quantity"), value_of(&page, "expiration")), ("4", ""));
        let fields = [("version", "2"), ("quantity", "4"), ("expiration", date)];
        let page = reader.submit(&path, &fields).await;
        assert!(page.says("It is in stock now."), "{}", page.visible());
        expected = lots;
    }
    assert_eq!(kitchen.lots("Yoghurt").await, expected);
    assert_eq!(kitchen.listed().await, Vec::<Value>::new());
    // The other fields are those of the existing lot, except those specific to it.
    let items = anna.items("").await;
    let new = items.iter().find(|item| item["expirationDate"] == "2030-05-01").unwrap();
    for field in ["categoryId", "storageLocationId", "lowStockThreshold"] {
        assert_eq!(new[field], yoghurt[field], "{field}");
    }
    assert_eq!(new["notes"], Value::Null);
}

#[tokio::test]
async fn how_much_is_asked_where_the_list_does_not_say() {
    let kitchen = Kitchen::new().await;
    let butter = kitchen.anna.add("Butter", 200, "g").await;
    let linked = kitchen.bought(json!({ "name": "Butter", "itemId": butter["id"] })).await;
    let path = format!("/shopping/{linked}/put-away");
    let page = kitchen.reader.get(&path).await.expect(200);
    assert!(page.says("Quantity (g)"), "{}", page.visible());
    assert_eq!(value_of(&page, "quantity"), "");
    for quantity in ["", "0", "some"] {
        let fields = [("version", "2"), ("quantity", quantity)];
        let page = kitchen.reader.post(&path, &fields).await.expect(400);
        assert!(page.says("Please check “Quantity”"), "{}", page.visible());
    }
    assert_eq!(kitchen.lots("Butter").await, [lot(200, "g", Value::Null)]);
    kitchen.reader.post(&path, &[("version", "2"), ("quantity", "250")]).await.expect(303);
    assert_eq!(kitchen.lots("Butter").await, [lot(450, "g", Value::Null)]);
    // Free text of the same name has that unit, too.
    let free = kitchen.bought(json!({ "name": "butter" })).await;
    let page = kitchen.reader.get(&format!("/shopping/{free}/put-away")).await.expect(200);
    assert_eq!((value_of(&page, "quantity"), value_of(&page, "unit")), ("", "g"));
}

#[tokio::test]
async fn everything_is_put_away_on_one_page_with_its_dates() {
    let kitchen = Kitchen::new().await;
    let milk =
        json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": "2026-01-02" });
    let milk = kitchen.anna.add_item(milk).await;
    let butter = kitchen.anna.add("Butter", 200, "g").await;
    let pantry = kitchen.anna.post("/storage-locations", json!({ "name": "Pantry" })).await;
    let flour = json!({
        "name": "Flour", "quantity": 1, "unit": "kg",
        "storageLocationId": pantry.expect(201)["id"],
    });
    kitchen.anna.add_item(flour).await;
    let of_milk =
        kitchen.bought(json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 })).await;
    let of_butter = kitchen.bought(json!({ "name": "Butter", "itemId": butter["id"] })).await;
    let of_flour = kitchen.bought(json!({ "name": "flour" })).await;
    let of_bread = kitchen.bought(json!({ "name": "Bread" })).await;
    kitchen.anna.post("/shopping-list", json!({ "name": "Soap" })).await.expect(201);

    let page = kitchen.reader.get("/shopping").await.expect(200);
    assert!(page.text.contains("href=\"/shopping/put-away\""), "{}", page.text);
    let page = kitchen.reader.get("/shopping/put-away").await.expect(200);
    assert!(!page.says("Soap"), "it was not bought: {}", page.visible());
    let begins = |id: &str| value_of(&page, &format!("quantity-{id}")).to_owned();
    assert_eq!(
        [&of_milk, &of_butter, &of_flour, &of_bread].map(|id| begins(id)),
        ["2", "", "", "1"]
    );
    assert!(page.says("Milk Quantity (L) Place"), "{}", page.visible());
    assert!(page.says("Butter Quantity (g) Place"), "{}", page.visible());
    assert_eq!(value_of(&page, &format!("unit-{of_flour}")), "kg");
    assert_eq!(value_of(&page, &format!("unit-{of_bread}")), "pcs");

    let answer = kitchen
        .put_all_away(&[
            (&of_milk, "2", "", "2030-05-01"),
            (&of_butter, "250", "", ""),
            (&of_flour, "500", "g", "2031-01-01"),
            (&of_bread, "1", "loaf", ""),
        ])
        .await;
    assert_eq!(answer.location(), "/shopping?notice=shopping-put-away-all");
    let page = kitchen.reader.get(&answer.location()).await.expect(200);
    assert!(page.says("All of it is in stock now."), "{}", page.visible());
    assert_eq!(kitchen.lots("Milk").await, [lot(1, "L", "2026-01-02"), lot(2, "L", "2030-05-01")]);
    assert_eq!(kitchen.lots("Butter").await, [lot(450, "g", Value::Null)]);
    // A lot has the name of its product, however it was listed.
    let flour = [lot(500, "g", "2031-01-01"), lot(1, "kg", Value::Null)];
    assert_eq!(kitchen.lots("Flour").await, flour);
    assert_eq!(kitchen.lots("Bread").await, [lot(1, "loaf", Value::Null)]);
    let items = kitchen.anna.items("").await;
    let flour = items.iter().filter(|item| item["name"] == "Flour");
    let places: Vec<_> = flour.map(|item| &item["storageLocationId"]).collect();
    assert_eq!(places[0], places[1], "it is kept where such things are");
    assert_eq!(kitchen.listed().await, ["Soap"]);
    let page = kitchen.reader.get("/shopping/put-away").await.expect(200);
    assert!(page.says("Nothing is waiting to be put away."), "{}", page.visible());
}

#[tokio::test]
async fn what_cannot_be_put_away_stays_and_the_page_says_why() {
    let kitchen = Kitchen::new().await;
    let milk = kitchen.anna.add("Milk", 1, "L").await;
    let butter = kitchen.anna.add("Butter", 200, "g").await;
    let sand = kitchen.anna.add("Sand", 99_999_999, "kg").await;
    kitchen.anna.add("Eggs", 6, "pcs").await;
    let linked = |item: &Value| json!({ "name": item["name"], "itemId": item["id"] });
    let of_milk = kitchen.bought(linked(&milk)).await;
    let of_butter = kitchen.bought(linked(&butter)).await;
    let of_sand = kitchen.bought(linked(&sand)).await;
    let of_eggs = kitchen.bought(json!({ "name": "Eggs" })).await;
    let of_tea = kitchen.bought(json!({ "name": "Tea" })).await;
    let of_soap = kitchen.bought(json!({ "name": "Soap" })).await;
    let of_salt = kitchen.bought(json!({ "name": "Salt" })).await;
    kitchen.reader.get("/shopping/put-away").await.expect(200);
    // Meanwhile one entry is unchecked and another deleted.
    kitchen.set_status(&of_soap, "pending", 2).await;
    kitchen.anna.delete(&format!("/shopping-list/{of_salt}")).await.expect(204);

    let page = kitchen
        .put_all_away(&[
            (&of_milk, "2", "", ""),
            (&of_butter, "", "", "2030-01-01"),
            (&of_sand, "7", "", ""),
            (&of_eggs, "1", "box", ""),
            (&of_tea, "1", "", ""),
            (&of_soap, "1", "pcs", ""),
            (&of_salt, "1", "pcs", ""),
        ])
        .await
        .expect(409);
    assert!(page.says("1 thing was put away."), "{}", page.visible());
    for reason in [
        "Butter: How much was it?",
        "Sand: That is more than an item can hold",
        "Eggs: The same thing is there in a unit that does not convert.",
        "Tea: Unit: Please fill this in.",
        "Soap: Somebody else has changed it",
    ] {
        assert!(page.says(reason), "{reason}: {}", page.visible());
    }
    assert!(!page.says("Milk") && !page.says("Salt"), "{}", page.visible());
    // The input is kept, to be corrected.
    assert_eq!(value_of(&page, &format!("expiration-{of_butter}")), "2030-01-01");
    assert_eq!(value_of(&page, &format!("unit-{of_eggs}")), "box");
    assert!(!page.text.contains(&format!("row-{of_soap}")), "it is to be bought again");
    assert_eq!(kitchen.lots("Milk").await, [lot(3, "L", Value::Null)]);
    assert_eq!(kitchen.lots("Butter").await, [lot(200, "g", Value::Null)]);
    assert_eq!(kitchen.listed().await, ["Butter", "Sand", "Eggs", "Tea", "Soap"]);

    // Sent once more, with one corrected: nothing is put away twice.
    let rows = [(&*of_milk, "2", "", ""), (&*of_butter, "250", "", "2030-01-01")];
    let answer = kitchen.put_all_away(&rows).await;
    assert_eq!(answer.location(), "/shopping/put-away?notice=shopping-put-away");
    assert_eq!(kitchen.lots("Milk").await, [lot(3, "L", Value::Null)]);
    let butter = [lot(250, "g", "2030-01-01"), lot(200, "g", Value::Null)];
    assert_eq!(kitchen.lots("Butter").await, butter);
}

/// The dates of a row on the form, and the chosen one.
fn dates(page: &Page, id: &str) -> (Vec<String>, String) {
    let row = page.between(&format!("id=\"row-{id}\""), "</fieldset>").expect("it has a row");
    let begin = format!("name=\"until-{id}\" value=\"");
    let choices = row.split(&begin).skip(1);
    let choices: Vec<(&str, &str)> =
        choices.map(|rest| rest.split_once('"').expect("an attribute ends")).collect();
    let chosen = choices.iter().find(|(_, rest)| rest.starts_with(" checked"));
    let chosen = chosen.expect("one is chosen").0.to_owned();
    (choices.iter().map(|(value, _)| (*value).to_owned()).collect(), chosen)
}

#[tokio::test]
async fn dates_and_places_begin_with_what_the_product_knows() {
    let kitchen = Kitchen::new().await;
    let today = kitchen.today().await;
    let after = |days: i32| (today + jiff::Span::new().days(days)).to_string();
    let door = kitchen.anna.post("/storage-locations", json!({ "name": "Door" })).await.expect(201);
    let keeps = |name: &str, days: Option<u32>| {
        json!({
            "name": name, "quantity": 1, "unit": "L", "expirationDate": "2026-01-02",
            "storageLocationId": door["id"], "shelfLifeDays": days,
        })
    };
    let mut ids = Vec::new();
    for (name, days) in [("Milk", Some(7)), ("Cream", Some(10)), ("Oil", None)] {
        let item = kitchen.anna.add_item(keeps(name, days)).await;
        let body = json!({ "name": name, "itemId": item["id"], "quantity": 2 });
        ids.push(kitchen.bought(body).await);
    }
    let [milk, cream, oil] = ids.as_slice() else { panic!("three were bought") };
    let page = kitchen.reader.get("/shopping/put-away").await.expect(200);
    let month = (today + jiff::Span::new().months(1)).to_string();
    let usual = [after(3), after(7), month, String::new(), "other".to_owned()];
    assert_eq!(dates(&page, milk), (usual.to_vec(), after(7)));
    let with_ten = [&[after(10)], usual.as_slice()].concat();
    assert_eq!(dates(&page, cream), (with_ten, after(10)));
    assert_eq!(dates(&page, oil), (usual.to_vec(), String::new()));
    let chosen = format!("<option value=\"{}\" selected>Door", door["id"].as_str().unwrap());
    assert_eq!(page.text.matches(&chosen).count(), 3, "{}", page.text);

    // Sent as it is, but one: no date, whatever the product says, and another place.
    let until = |id: &str| format!("until-{id}");
    let (of_milk, of_cream, of_oil) = (until(milk), until(cream), until(oil));
    let door_id = door["id"].as_str().unwrap();
    let (week, ten) = (after(7), after(10));
    let rows = [
        (milk, &of_milk, week.as_str(), door_id),
        (cream, &of_cream, "", ""),
        (oil, &of_oil, "other", door_id),
    ];
    let mut fields = Vec::new();
    for (id, name, value, place) in rows {
        fields.extend([("entry", id.as_str()), ("version", "2"), ("quantity", "2"), ("unit", "")]);
        fields.extend([("location", place), (name.as_str(), value), ("expiration", "2031-05-06")]);
    }
    let answer = kitchen.reader.post("/shopping/put-away", &fields).await;
    assert_eq!(answer.location(), "/shopping?notice=shopping-put-away-all");
    let old = lot(1, "L", "2026-01-02");
    assert_eq!(kitchen.lots("Milk").await, [old.clone(), lot(2, "L", week)]);
    assert_eq!(kitchen.lots("Cream").await, [old.clone(), lot(2, "L", Value::Null)]);
    assert_eq!(kitchen.lots("Oil").await, [old, lot(2, "L", "2031-05-06")]);
    let items = kitchen.anna.items("search=cream").await;
    let new = items.iter().find(|item| item["expirationDate"] == Value::Null).unwrap();
    assert_eq!(new["storageLocationId"], Value::Null);
    assert_eq!(new["shelfLifeDays"], 10, "nothing was to be remembered");
    assert_eq!(ten, after(10));
}

#[tokio::test]
async fn places_and_dates_are_remembered_if_one_says_so() {
    let kitchen = Kitchen::new().await;
    let today = kitchen.today().await;
    let date = (today + jiff::Span::new().days(3)).to_string();
    let door = kitchen.anna.post("/storage-locations", json!({ "name": "Door" })).await.expect(201);
    let bread = kitchen.bought(json!({ "name": "Bread" })).await;
    kitchen.reader.get("/shopping/put-away").await.expect(200);
    let until = format!("until-{bread}");
    let fields = [
        ("entry", &*bread),
        ("version", "2"),
        ("quantity", "1"),
        ("unit", "loaf"),
        ("location", door["id"].as_str().unwrap()),
        (&until, &date),
        ("expiration", ""),
        ("remember", "yes"),
    ];
    kitchen.reader.post("/shopping/put-away", &fields).await.expect(303);
    assert_eq!(kitchen.lots("Bread").await, [lot(1, "loaf", date.clone())]);
    let products = kitchen.anna.get("/products").await.expect(200);
    let product = products["items"].as_array().unwrap().iter().find(|it| it["name"] == "Bread");
    let product = product.unwrap();
    assert_eq!(
        (&product["shelfLifeDays"], &product["storageLocationId"]),
        (&json!(3), &door["id"])
    );
    // So the next one begins with them.
    let next = kitchen.bought(json!({ "name": "bread" })).await;
    let page = kitchen.reader.get("/shopping/put-away").await.expect(200);
    assert_eq!(dates(&page, &next).1, date);
}

#[tokio::test]
async fn a_form_with_rows_that_do_not_match_is_refused() {
    let kitchen = Kitchen::new().await;
    let bread = kitchen.bought(json!({ "name": "Bread" })).await;
    kitchen.reader.get("/shopping/put-away").await.expect(200);
    let fields = [("entry", &*bread), ("version", "2"), ("quantity", "1"), ("quantity", "2")];
    kitchen.reader.post("/shopping/put-away", &fields).await.expect(400);
    assert_eq!(kitchen.listed().await, ["Bread"]);
}
