//! Changing the stock: quantities and details.

use serde_json::json;

use super::{borrowed, form_of, home, path_of};
use crate::it::support::{Server, id_of};
use crate::web::support::Page;

#[tokio::test]
async fn some_is_taken_and_some_is_put_and_the_list_is_shown_again() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let eggs = anna.add("Eggs", 6, "個").await;
    let flour = anna.add("Flour", 500, "g").await;
    let page = reader.get("/stock?sort=name").await.expect(200);
    let adjust = |item| format!("{}/adjust", path_of(item));
    for (item, step) in [(&eggs, "1"), (&flour, "50")] {
        let button = format!("formaction=\"{}\" name=\"delta\" value=\"-{step}\"", adjust(item));
        assert!(page.text.contains(&button), "{button} in {}", page.text);
    }
    let fields = [("delta", "-1"), ("back", "/stock?sort=name")];
    assert_eq!(reader.post(&adjust(&eggs), &fields).await.location(), "/stock?sort=name");
    reader.post(&adjust(&eggs), &[("delta", "2")]).await.expect(303);
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 7);
    for delta in ["0", "x", "", "0.001"] {
        reader.post(&adjust(&eggs), &[("delta", delta)]).await.expect(400);
    }
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 7);
}

#[tokio::test]
async fn one_of_several_is_opened_and_shown_with_its_own_date() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let yoghurt = json!({
        "name": "Yoghurt", "quantity": 3, "unit": "個", "expirationDate": "2099-12-01",
        "openedShelfLifeDays": 2,
    });
    let yoghurt = anna.add_item(yoghurt).await;
    let page = reader.get(&path_of(&yoghurt)).await.expect(200);
    let field = page.between("id=\"open-quantity\"", ">").unwrap();
    assert!(field.contains("value=\"1\""), "{field}");
    let open = format!("{}/open", path_of(&yoghurt));
    for refused in ["0", "x", "-1"] {
        reader.post(&open, &[("quantity", refused)]).await.expect(400);
    }
    reader.post(&open, &[("quantity", "4")]).await.expect(422);
    let page = reader.submit(&open, &[("quantity", "1")]).await;
    for text in ["Opened today.", "in 2 days"] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    assert_eq!(page.between("id=\"open\"", ">"), None, "it is open already");
    assert_eq!(anna.item(id_of(&yoghurt)).await["quantity"], 2);
    let lots = anna.items("search=yoghurt&sort=expiration").await;
    assert_eq!((lots.len(), &lots[0]["quantity"]), (2, &json!(1)));
    // Nothing typed: all of it.
    let page = reader.submit(&open, &[("quantity", "")]).await;
    assert!(page.says("Opened today."), "{}", page.visible());
    assert_eq!(anna.item(id_of(&yoghurt)).await["quantity"], 2);
    assert!(!anna.item(id_of(&yoghurt)).await["openedOn"].is_null());
}

#[tokio::test]
async fn an_item_shows_everything_and_everything_can_be_changed() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let shop = anna.post("/stores", json!({ "name": "Corner shop" })).await.expect(201);
    let shop = id_of(&shop).to_owned();
    anna.patch("/households/current", json!({ "currency": "CHF" })).await.expect(200);
    let milk = anna.add("Milk", 1, "L").await;
    let changes = [
        ("name", "Oat milk"),
        ("quantity", "2.5"),
        ("threshold", "3"),
        ("store", &*shop),
        ("notes", "top shelf\r\n<b>left</b>"),
        ("expiration", "2090-01-02"),
        ("opened", "2026-02-03"),
        ("price", "3,5"),
    ];
    let page = reader.submit(&path_of(&milk), &borrowed(&form_of(&milk, &changes))).await;
    for text in [
        "Saved.",
        "Oat milk",
        "2.5",
        "low",
        "Corner shop",
        "<b>left</b>",
        "2 Jan 2090",
        "3 Feb 2026",
        "3.50 CHF",
        "3 L",
    ] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    let now = anna.item(id_of(&milk)).await;
    assert_eq!(
        (&now["name"], &now["notes"]),
        (&json!("Oat milk"), &json!("top shelf\n<b>left</b>"))
    );
    assert_eq!(now["pricePaid"], 3.5);
    let cleared =
        ["notes", "opened", "price", "store", "threshold", "expiration"].map(|field| (field, ""));
    let cleared = form_of(&now, &cleared);
    reader.submit(&path_of(&milk), &borrowed(&cleared)).await;
    let now = anna.item(id_of(&milk)).await;
    for field in [
        "notes",
        "openedOn",
        "pricePaid",
        "preferredStoreId",
        "lowStockThreshold",
        "expirationDate",
    ] {
        assert_eq!(now[field], json!(null), "{field}");
    }
}

#[tokio::test]
async fn whoever_is_slower_sees_both_versions_and_chooses() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let theirs = json!({ "version": 1, "notes": "in the door", "quantity": 4 });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), theirs).await.expect(200);
    let mine = form_of(&milk, &[("notes", "top shelf")]);
    let page = reader.post(&path_of(&milk), &borrowed(&mine)).await.expect(409);
    for text in
        ["Changed while you were editing", "Notes top shelf in the door", "Quantity 1 L 4 L"]
    {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    assert!(!page.says("Name Milk Milk"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "in the door");
    // The page has everything to save mine all the same.
    assert!(page.text.contains("name=\"version\" value=\"2\""), "{}", page.text);
    assert!(page.text.contains("name=\"notes\" value=\"top shelf\""), "{}", page.text);
    let mine = form_of(&milk, &[("notes", "top shelf"), ("version", "2")]);
    reader.submit(&path_of(&milk), &borrowed(&mine)).await;
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "top shelf");
}

#[tokio::test]
async fn saving_what_somebody_else_has_said_already_is_no_conflict() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let theirs = json!({ "version": 1, "notes": "open" });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), theirs).await.expect(200);
    let page =
        reader.submit(&path_of(&milk), &borrowed(&form_of(&milk, &[("notes", "open")]))).await;
    assert!(page.says("Saved."), "{}", page.visible());
}

#[tokio::test]
async fn a_name_that_another_item_has_offers_to_make_the_two_one() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let cream = anna.add("Cream", 500, "mL").await;
    let renamed = form_of(&cream, &[("name", "milk")]);
    let page = reader.post(&path_of(&cream), &borrowed(&renamed)).await.expect(409);
    assert!(
        page.says("Milk with the same date is in the stock already (1 L)"),
        "{}",
        page.visible()
    );
    let mut merged = borrowed(&renamed);
    merged.push(("merge", "yes"));
    let answer = reader.post(&path_of(&cream), &merged).await;
    assert_eq!(answer.location(), format!("{}?notice=stock-merged", path_of(&milk)));
    assert_eq!(anna.item(id_of(&milk)).await["quantity"], json!(1.5));
    reader.get(&path_of(&cream)).await.expect(404);
}

#[tokio::test]
async fn a_link_to_a_picture_is_shown_and_neither_asked_for_nor_lost() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let link = "https://example.org/milk.jpg";
    let milk = json!({ "name": "Milk", "quantity": 1, "unit": "L", "imageUrl": link });
    let milk = anna.add_item(milk).await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(
        page.text.contains(&format!("<a href=\"{link}\" rel=\"noreferrer\">")),
        "{}",
        page.text
    );
    assert!(!page.text.contains("name=\"picture\""), "{}", page.text);
    reader.submit(&path_of(&milk), &borrowed(&form_of(&milk, &[("notes", "left")]))).await;
    let milk = anna.item(id_of(&milk)).await;
    assert_eq!((&milk["notes"], &milk["imageUrl"]), (&json!("left"), &json!(link)));
}

#[tokio::test]
async fn a_date_is_on_the_page_of_an_item_once() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk =
        |date: &str| json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": date });
    let page = reader.get(&path_of(&anna.add_item(milk("2090-01-02")).await)).await.expect(200);
    let before_history = |page: &Page| page.visible().split("History").next().unwrap().to_owned();
    assert_eq!(before_history(&page).matches("2 Jan 2090").count(), 1, "{}", page.visible());
    // How near it is says more than the date.
    let page = reader.get(&path_of(&anna.add_item(milk("2020-01-02")).await)).await.expect(200);
    assert!(page.says("expired") && page.says("2 Jan 2020"), "{}", page.visible());
}

#[tokio::test]
async fn a_form_that_breaks_a_rule_names_the_field_and_changes_nothing() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    for (field, value, label) in [
        ("name", "", "“Name”"),
        ("quantity", "1.234", "“Quantity”"),
        ("unit", " ", "“Unit”"),
        ("threshold", "-1", "“Warn below”"),
    ] {
        let form = form_of(&milk, &[(field, value)]);
        let page = reader.post(&path_of(&milk), &borrowed(&form)).await.expect(400);
        assert!(page.says(label), "{label}: {}", page.visible());
    }
    assert_eq!(anna.item(id_of(&milk)).await["version"], 1);
    reader.get("/stock/nonsense").await.expect(404);
}

#[tokio::test]
async fn one_press_puts_an_item_on_the_shopping_list_and_a_second_says_so() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add(&"Milk ".repeat(30), 1, "L").await;
    let path = format!("{}/shopping", path_of(&milk));
    let page = reader.submit(&path, &[]).await;
    assert!(page.says("It is on the shopping list now."), "{}", page.visible());
    let page = reader.submit(&path, &[]).await;
    assert!(page.says("It is on the shopping list already."), "{}", page.visible());
    let list = anna.get("/shopping-list").await.expect(200);
    let entries = list["items"].as_array().unwrap();
    assert_eq!((entries.len(), &entries[0]["itemId"]), (1, &milk["id"]));
}

#[tokio::test]
async fn what_is_deleted_is_gone() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.says("Delete Milk"), "{}", page.visible());
    let page = reader.submit(&format!("{}/delete", path_of(&milk)), &[]).await;
    assert!(page.says("Deleted."), "{}", page.visible());
    assert_eq!(anna.items("includeDepleted=true").await.len(), 0);
    reader.get(&path_of(&milk)).await.expect(404);
    reader.post(&format!("{}/delete", path_of(&milk)), &[]).await.expect(404);
}
