//! The page of the shopping list without script: what it offers, shops in their order, and amounts.

use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, id_of};

async fn shopping() -> (Server, Client, Reader) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    (server, anna, reader)
}

async fn listed(person: &Client) -> Vec<Value> {
    person.all_pages("/shopping-list", "").await
}

async fn write_down(person: &Client, body: Value) -> String {
    let entry = person.post("/shopping-list", body).await.expect(201);
    entry["shoppingItemId"].as_str().unwrap().to_owned()
}

/// A shop with this place in the order.
async fn shop(person: &Client, name: &str, place: Value) -> String {
    let body = json!({ "name": name, "sortOrder": place });
    id_of(&person.post("/stores", body).await.expect(201)).to_owned()
}

/// The names on the tiles, with the reasons.
fn tiles(page: &Page) -> Vec<String> {
    let list = page.between("<ul class=\"tiles\">", "</ul>").expect("there are tiles");
    let text = |rest: &str, tag: &str| {
        let text = rest.split(&format!("<{tag}>")).nth(1).unwrap();
        text.split('<').next().unwrap().to_owned()
    };
    let tiles = list.split("<button>").skip(1);
    tiles.map(|tile| format!("{} {}", text(tile, "span"), text(tile, "small"))).collect()
}

#[tokio::test]
async fn tiles_offer_what_is_low_used_up_and_recent_and_not_what_is_listed() {
    let (_server, anna, reader) = shopping().await;
    for (name, quantity, threshold) in
        [("Rice", 1, json!(2)), ("Salt", 0, json!(null)), ("Milk", 3, json!(null))]
    {
        let item = json!({
            "name": name, "quantity": 1, "unit": "kg", "lowStockThreshold": threshold,
        });
        let item = anna.add_item(item).await;
        if quantity != 1 {
            anna.adjust(id_of(&item), quantity - 1).await.expect(200);
        }
    }
    // One lot of it is used up, but not all.
    let old = json!({ "name": "Oil", "quantity": 1, "unit": "L", "expirationDate": "2040-01-01" });
    let old = anna.add_item(old).await;
    anna.add("Oil", 1, "L").await;
    anna.adjust(id_of(&old), -1).await.expect(200);
    let page = reader.get("/shopping").await.expect(200);
    assert_eq!(tiles(&page), ["Rice low", "Salt used up", "Oil recent", "Milk recent",]);
    // Whatever it is called on the list, it is offered no more.
    write_down(&anna, json!({ "name": "ＭＩＬＫ" })).await;
    let items = anna.items("search=oil").await;
    write_down(&anna, json!({ "name": "Olive oil", "itemId": items[0]["id"] })).await;
    let salt = anna.items("search=salt&includeDepleted=true").await;
    let fields = [("name", "Salt"), ("item", id_of(&salt[0])), ("store", "")];
    let page = reader.submit("/shopping/add", &fields).await;
    assert_eq!(tiles(&page), ["Rice low"]);
    assert_eq!(listed(&anna).await[2]["itemId"], salt[0]["id"]);
}

#[tokio::test]
async fn there_are_at_most_twelve_tiles_and_the_most_urgent_come_first() {
    let (_server, anna, reader) = shopping().await;
    anna.add_item(json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 }))
        .await;
    for n in 0..14 {
        anna.add(&format!("Thing {n}"), 1, "pcs").await;
    }
    let page = reader.get("/shopping").await.expect(200);
    let tiles = tiles(&page);
    assert_eq!(tiles.len(), 12);
    assert_eq!(tiles[..3], ["Rice low", "Thing 13 recent", "Thing 12 recent",]);
}

/// Where these texts begin in the page, which is in this order.
#[track_caller]
fn assert_in_order(page: &Page, texts: &[&str]) {
    let find = |text: &&str| page.text.find(*text).unwrap_or_else(|| panic!("no {text}"));
    let places: Vec<_> = texts.iter().map(find).collect();
    assert!(places.is_sorted(), "{texts:?} at {places:?}");
}

#[tokio::test]
async fn shops_are_in_the_order_of_the_family_everywhere() {
    let (_server, anna, reader) = shopping().await;
    let zoo = shop(&anna, "Zoo", json!(1)).await;
    let bakery = shop(&anna, "Bakery", Value::Null).await;
    let market = shop(&anna, "Market", json!(2)).await;
    for (name, store) in [
        ("Soap", json!(null)),
        ("Bread", json!(bakery)),
        ("Leek", json!(market)),
        ("Hay", json!(zoo)),
    ] {
        let id = write_down(&anna, json!({ "name": name, "storeId": store })).await;
        let bought = write_down(&anna, json!({ "name": format!("Old {name}"), "storeId": store }));
        let bought = bought.await;
        let body = json!({ "status": "purchased", "version": 1 });
        anna.patch(&format!("/shopping-list/{bought}/status"), body).await.expect(200);
        assert_ne!(id, bought);
    }
    let headings = ["<h2>Zoo</h2>", "<h2>Market</h2>", "<h2>Bakery</h2>", "<h2>Any shop</h2>"];
    for path in ["/shopping", "/shopping/print", "/shopping/put-away"] {
        assert_in_order(&reader.get(path).await.expect(200), &headings);
    }
    let page = reader.get("/shopping/put-away").await.expect(200);
    let rows = ["<legend>Old Hay", "<legend>Old Leek", "<legend>Old Bread", "<legend>Old Soap"];
    assert_in_order(&page, &rows);
    let entry = listed(&anna).await[0]["shoppingItemId"].as_str().unwrap().to_owned();
    let item = anna.add("Tea", 1, "bag").await;
    let options = [&zoo, &market, &bakery].map(|id| format!("<option value=\"{id}\""));
    let options = options.each_ref().map(String::as_str);
    for path in
        ["/shopping".to_owned(), format!("/shopping/{entry}"), format!("/stock/{}", id_of(&item))]
    {
        assert_in_order(&reader.get(&path).await.expect(200), &options);
    }
}

/// The chips: text, and whether it is chosen or hidden.
fn chips(page: &Page) -> Vec<String> {
    let nav = page.between("<nav id=\"shops\"", "</nav>").expect("there are shops");
    let chip = |rest: &str| {
        let (attributes, text) = rest.split_once('>').unwrap();
        let text = text.split('<').next().unwrap();
        let mark = if attributes.contains("aria-current=\"true\"") { "*" } else { "" };
        let hidden = if attributes.ends_with(" hidden") { " (hidden)" } else { "" };
        format!("{text}{mark}{hidden}")
    };
    nav.split("<a ").skip(1).map(chip).collect()
}

/// The headings of the groups that are shown.
fn shown(page: &Page) -> Vec<String> {
    let groups = page.text.split("<section id=\"group-").skip(1).filter(|rest| {
        let head = rest.split('>').next().unwrap();
        !head.ends_with(" hidden") && rest.split("</section>").next().unwrap().contains("<li")
    });
    let heading = |rest: &str| {
        let heading = rest.split("<h2>").nth(1).unwrap();
        heading.split("</h2>").next().unwrap().to_owned()
    };
    groups.map(heading).collect()
}

#[tokio::test]
async fn a_shop_is_chosen_with_one_press_and_remembered() {
    let (_server, anna, reader) = shopping().await;
    let zoo = shop(&anna, "Zoo", json!(1)).await;
    let market = shop(&anna, "Market", json!(2)).await;
    shop(&anna, "Bakery", Value::Null).await;
    for (name, store) in [("Hay", json!(zoo)), ("Leek", json!(market)), ("Soap", json!(null))] {
        write_down(&anna, json!({ "name": name, "storeId": store })).await;
    }
    let page = reader.get("/shopping").await.expect(200);
    assert_eq!(chips(&page), ["All*", "Zoo", "Market", "Bakery (hidden)", "Any shop"]);
    assert_eq!(shown(&page), ["Zoo", "Market", "Any shop"]);
    let page = reader.get(&format!("/shopping?shop={market}")).await.expect(200);
    let kept = page.header("set-cookie");
    assert!(kept.starts_with(&format!("larder_shop={market}; ")), "{kept}");
    assert!(!kept.contains("HttpOnly"), "the script of the page changes it, too: {kept}");
    assert_eq!(chips(&page), ["All", "Zoo", "Market*", "Bakery (hidden)", "Any shop"]);
    assert_eq!(shown(&page), ["Market", "Any shop"]);
    // The next visit begins with it, and what is added goes there, unless one says something else.
    let page = reader.get("/shopping").await.expect(200);
    assert_eq!(shown(&page), ["Market", "Any shop"]);
    assert!(page.text.contains(&format!("<option value=\"{market}\" selected>Market")));
    let milk = json!({ "name": "Milk", "quantity": 1, "unit": "L", "preferredStoreId": zoo });
    anna.add_item(milk).await;
    let page = reader.get("/shopping").await.expect(200);
    let tile = page.between("<ul class=\"tiles\">", "</ul>").unwrap();
    assert!(tile.contains(&format!("data-usual=\"{zoo}\" value=\"{market}\"")), "{tile}");

    // Any shop: also for what is usually bought in one.
    let page = reader.get("/shopping?shop=any").await.expect(200);
    assert_eq!(chips(&page), ["All", "Zoo", "Market", "Bakery (hidden)", "Any shop*"]);
    assert_eq!(shown(&page), ["Any shop"]);
    assert!(page.text.contains("<option value=\"any\">Any shop"));
    reader.submit("/shopping/add", &[("name", "Milk"), ("store", "any")]).await;
    let entry = listed(&anna).await.pop().unwrap();
    assert_eq!((&entry["name"], &entry["storeId"]), (&json!("Milk"), &Value::Null));
    let page = reader.get("/shopping?shop=").await.expect(200);
    assert_eq!(chips(&page)[0], "All*");
    assert_eq!(reader.cookie("larder_shop").as_deref(), Some(""));
    // A shop that is gone is chosen no more.
    reader.get(&format!("/shopping?shop={zoo}")).await.expect(200);
    anna.delete(&format!("/stores/{zoo}")).await.expect(204);
    let page = reader.get("/shopping").await.expect(200);
    assert_eq!(chips(&page), ["All*", "Market", "Bakery (hidden)", "Any shop"]);
    assert_eq!(shown(&page), ["Market", "Any shop"]);
}

#[tokio::test]
async fn a_chosen_shop_with_nothing_to_buy_says_so() {
    let (_server, anna, reader) = shopping().await;
    let zoo = shop(&anna, "Zoo", json!(1)).await;
    let market = shop(&anna, "Market", json!(2)).await;
    write_down(&anna, json!({ "name": "Hay", "storeId": zoo })).await;
    let none = "<p id=\"none-here\" class=\"quiet\">";
    let page = reader.get(&format!("/shopping?shop={market}")).await.expect(200);
    assert!(page.text.contains(none), "{}", page.text);
    assert_eq!(chips(&page), ["All", "Zoo", "Market*", "Any shop"]);
    let page = reader.get(&format!("/shopping?shop={zoo}")).await.expect(200);
    assert!(!page.text.contains(none), "{}", page.text);
}

#[tokio::test]
async fn an_amount_changes_step_by_step_whatever_others_do() {
    let (_server, anna, reader) = shopping().await;
    let rice = anna.add("Rice", 1, "kg").await;
    let id = write_down(&anna, json!({ "name": "Rice", "itemId": rice["id"] })).await;
    let path = format!("/shopping/{id}/amount");
    let page = reader.get("/shopping").await.expect(200);
    let less = format!("formaction=\"{path}\" name=\"delta\" value=\"-1\" data-outbox=\"amount\"");
    assert!(page.text.contains(&format!("{less} disabled")), "there is no amount yet");
    for (delta, expected) in [("1", "Rice 1 kg"), ("1", "Rice 2 kg"), ("-1", "Rice 1 kg")] {
        let page = reader.submit(&path, &[("delta", delta)]).await;
        assert!(page.says(expected), "{}", page.visible());
        assert!(!page.text.contains(&format!("{less} disabled")));
    }
    // Somebody else changes it meanwhile: the step counts from there.
    let theirs = json!({ "version": 4, "quantity": 7 });
    anna.patch(&format!("/shopping-list/{id}"), theirs).await.expect(200);
    let (one, other) =
        tokio::join!(reader.post(&path, &[("delta", "1")]), reader.post(&path, &[("delta", "1")]));
    assert_eq!([one.location(), other.location()], ["/shopping", "/shopping"]);
    assert_eq!(listed(&anna).await[0]["quantity"], 9);
    // Less than one is no amount at all, and less than that stays.
    for _ in 0..2 {
        reader.post(&path, &[("delta", "-20")]).await.expect(303);
        assert_eq!(listed(&anna).await[0]["quantity"], Value::Null);
    }
    reader.post(&path, &[("delta", "much")]).await.expect(400);
    anna.delete(&format!("/shopping-list/{id}")).await.expect(204);
    reader.post(&path, &[("delta", "1")]).await.expect(404);
}

/// The rows of these entries only, as a script asks for them.
async fn rows(reader: &Reader, ids: &str) -> Page {
    let request = reader.request(Method::GET, "/shopping").header("x-larder-rows", ids);
    reader.send(request).await.expect(200)
}

#[tokio::test]
async fn some_rows_are_read_by_themselves() {
    let (server, anna, reader) = shopping().await;
    let milk = anna.add("Milk", 1, "L").await;
    let body = json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 });
    let of_milk = write_down(&anna, body).await;
    let of_tea = write_down(&anna, json!({ "name": "Tea" })).await;
    let gone = write_down(&anna, json!({ "name": "Rope" })).await;
    anna.delete(&format!("/shopping-list/{gone}")).await.expect(204);
    let page = rows(&reader, &format!("{of_milk},{gone}")).await;
    assert!(page.says("Milk 2 L"), "{}", page.visible());
    assert!(!page.says("Tea") && !page.says("Rope"), "{}", page.visible());
    assert!(page.text.contains(&format!("id=\"entry-{of_milk}\"")));
    assert!(!page.text.contains("<main") && page.text.len() < 4096, "{}", page.text.len());
    // More than a few are the whole page.
    let many = vec![of_tea.as_str(); 21].join(",");
    assert!(rows(&reader, &many).await.text.contains("<main"));
    let zoe = server.with_household("zoe").await;
    let stranger = Reader::of(&server, &zoe).await;
    assert!(!rows(&stranger, &of_milk).await.says("Milk"));
}

#[tokio::test]
async fn the_unit_of_an_item_stands_beside_its_number() {
    let (_server, anna, reader) = shopping().await;
    let rice = anna.add("Rice", 1, "kg").await;
    let body = json!({ "name": "Rice", "itemId": rice["id"], "quantity": 2 });
    let id = write_down(&anna, body).await;
    for path in ["/shopping", "/shopping/print"] {
        let page = reader.get(path).await.expect(200);
        assert!(page.says("Rice 2 kg"), "{path}: {}", page.visible());
    }
    let path = format!("/shopping/{id}");
    let page = reader.get(&path).await.expect(200);
    assert!(page.says("Quantity (kg)"), "{}", page.visible());
    let page = reader.post("/shopping/add", &[("name", "Rice")]).await.expect(409);
    assert!(page.says("Rice 2 kg"), "{}", page.visible());
    let theirs = json!({ "version": 1, "quantity": 4 });
    anna.patch(&path.replace("/shopping/", "/shopping-list/"), theirs).await.expect(200);
    let mine =
        [("version", "1"), ("name", "Rice"), ("quantity", "3"), ("store", ""), ("notes", "")];
    let page = reader.post(&path, &mine).await.expect(409);
    assert!(page.says("Quantity 3 kg") && page.says("Quantity 4 kg"), "{}", page.visible());
}

const TEA: &str = "4902102072618";

#[tokio::test]
async fn a_code_leads_to_its_line_on_the_form() {
    let (_server, anna, reader) = shopping().await;
    let body = json!({ "name": "Tea", "quantity": 1, "unit": "bag", "barcode": TEA });
    let tea = anna.post("/inventory/items", body).await.expect(201)["item"].clone();
    let page = reader.get("/shopping/put-away").await.expect(200);
    assert!(page.says("Nothing is waiting to be put away."), "{}", page.visible());
    let scan = async |code| reader.post("/scan", &[("then", "row"), ("code", code)]).await;
    let missing = "/shopping/put-away?notice=scan-not-on-list";
    assert_eq!(scan(TEA).await.location(), missing);
    assert_eq!(scan("4006381333931").await.location(), missing, "a code that nothing has");
    scan("4902102072619").await.expect(400);
    // Whoever holds it has bought it.
    let wish = json!({ "name": "Tea", "itemId": tea["id"], "quantity": 3 });
    let id = write_down(&anna, wish).await;
    for _ in 0..2 {
        let to = scan(TEA).await.location();
        assert_eq!(to, format!("/shopping/put-away?row={id}"));
        let page = reader.get(&to).await.expect(200);
        assert_eq!(page.header("permissions-policy"), "camera=(self)");
        let row = page.between(&format!("<fieldset id=\"row-{id}\""), ">").expect("it has a line");
        assert!(row.contains("tabindex=\"-1\" data-found autofocus"), "{row}");
    }
    assert_eq!(listed(&anna).await[0]["status"], "purchased");
    let page = reader.get("/shopping/put-away").await.expect(200);
    assert!(!page.text.contains("data-found"), "{}", page.text);
}

#[tokio::test]
async fn what_is_sent_twice_under_one_name_is_added_once() {
    let (_server, anna, reader) = shopping().await;
    reader.get("/stock").await.expect(200);
    let send = async |key: &str| {
        let body = format!("csrf={}&name=Lentils", reader.csrf());
        let request = reader.request(Method::POST, "/stock/add").header("idempotency-key", key);
        let form_type = "application/x-www-form-urlencoded";
        reader.send(request.header("content-type", form_type).body(body)).await.location()
    };
    let first = send("new-1-2-3-4").await;
    assert!(first.ends_with("notice=stock-added"), "{first}");
    assert_eq!(send("new-1-2-3-4").await, first);
    assert_eq!(anna.items("").await[0]["quantity"], 1);
    assert!(send("new-1-2-3-5").await.ends_with("notice=stock-merged"));
    assert_eq!(anna.items("").await[0]["quantity"], 2);
}
