//! The list of the stock.

use serde_json::json;

use super::{home, listed};
use crate::it::support::{Server, id_of};
use crate::web::support::Reader;

#[tokio::test]
async fn an_empty_stock_says_what_it_is_and_what_to_do() {
    let server = Server::start().await;
    let (_, reader) = home(&server).await;
    let page = reader.get("/stock").await.expect(200);
    assert!(page.says("Nothing here yet"), "{}", page.visible());
    assert!(page.says("demo data"), "{}", page.visible());
    assert!(page.text.contains("action=\"/stock/add\""), "{}", page.text);
}

#[tokio::test]
async fn the_list_says_what_wants_looking_after_and_leads_to_it() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    anna.add("Rice", 2, "kg").await;
    anna.add_item(
        json!({ "name": "Fish", "quantity": 1, "unit": "個", "expirationDate": "2001-02-03" }),
    )
    .await;
    anna.add_item(json!({ "name": "Milk", "quantity": 1, "unit": "L", "lowStockThreshold": 2 }))
        .await;
    anna.add("Eggs", 0, "個").await;
    let page = reader.get("/stock?sort=created").await.expect(200);
    assert_eq!(listed(&page), ["Milk", "Fish", "Rice"]);
    for text in ["3 at home", "1 expired", "1 low", "1 used up"] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    assert!(!page.says("soon"), "{}", page.visible());
    for (view, names) in [
        ("expired", vec!["Fish"]),
        ("low", vec!["Milk"]),
        ("depleted", vec!["Eggs"]),
        ("soon", vec![]),
    ] {
        assert_eq!(listed(&reader.get(&format!("/stock?show={view}")).await.expect(200)), names);
    }
    let nothing = reader.get("/stock?show=soon").await;
    assert!(nothing.says("No matches"), "{}", nothing.visible());
    assert!(nothing.text.contains("href=\"/stock\">Show everything"), "{}", nothing.text);
}

#[tokio::test]
async fn what_is_added_during_a_search_is_shown_although_it_does_not_match() {
    let server = Server::start().await;
    let (_anna, reader) = home(&server).await;
    let page = reader.get("/stock?search=rice&sort=name").await.expect(200);
    let (_, form) = page.text.split_once("<form id=\"add\"").unwrap();
    let (_, back) = form.split_once("name=\"back\" value=\"").unwrap();
    let (back, _) = back.split_once('"').unwrap();
    assert_eq!(back, "/stock?sort=name");
    let page = reader.submit("/stock/add", &[("name", "Plums"), ("back", back)]).await;
    assert_eq!(listed(&page), ["Plums"]);
}

#[tokio::test]
async fn search_filters_and_orders_go_together() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let categories = anna.get("/categories").await.expect(200);
    let dairy = categories["items"][4]["id"].as_str().unwrap().to_owned();
    for (name, category) in
        [("Whole milk", Some(&dairy)), ("Milk rice", None), ("Apple", Some(&dairy))]
    {
        anna.add_item(json!({ "name": name, "quantity": 1, "unit": "個", "categoryId": category }))
            .await;
    }
    let names =
        async |query: &str| listed(&reader.get(&format!("/stock?{query}")).await.expect(200));
    assert_eq!(names("search=MILK&sort=created").await, ["Milk rice", "Whole milk"]);
    assert_eq!(names("sort=name").await, ["Apple", "Milk rice", "Whole milk"]);
    assert_eq!(names(&format!("category={dairy}&search=m")).await, ["Whole milk"]);
    assert_eq!(names("category=nonsense&sort=nonsense&shown=x").await.len(), 3);
    let page = reader.get("/stock?search=%3Cb%3E").await.expect(200);
    assert!(page.text.contains("value=\"&#60;b&#62;\""), "{}", page.text);
}

#[tokio::test]
async fn a_search_finds_what_is_used_up_and_more_of_it_is_one_press() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let eggs = anna.add("Eggs", 0, "pcs").await;
    anna.add("Eggplant", 2, "pcs").await;
    assert_eq!(listed(&reader.get("/stock").await.expect(200)), ["Eggplant"]);
    assert_eq!(anna.items("search=egg").await.len(), 1, "programs have to ask for it");
    let page = reader.get("/stock?search=egg&sort=name").await.expect(200);
    assert_eq!(listed(&page), ["Eggplant", "Eggs"]);
    assert!(page.says("Eggs used up"), "{}", page.visible());
    let put = [("delta", "1"), ("back", "/stock?search=egg")];
    let page = reader.submit(&format!("/stock/{}/adjust", id_of(&eggs)), &put).await;
    assert!(!page.says("Eggs used up"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 1);
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition_and_grow_at_one_address() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    for n in 0..120 {
        anna.add(&format!("Thing {n:03}"), 1, "個").await;
    }
    let expected: Vec<_> = (0..120).map(|n| format!("Thing {n:03}")).collect();
    let mut found = Vec::new();
    let mut path = "/stock?sort=name".to_owned();
    let mut pages = 0;
    loop {
        let page = reader.get(&path).await.expect(200);
        found.extend(listed(&page));
        pages += 1;
        let Some(more) =
            page.between("id=\"more\" class=\"row\"><a class=\"button\" href=\"", "\"")
        else {
            break;
        };
        path = more.replace("&#38;", "&").replace("&amp;", "&");
    }
    assert_eq!((pages, found), (3, expected.clone()));
    let grown = reader.get("/stock?sort=name&shown=100").await.expect(200);
    assert_eq!(listed(&grown), expected[..100]);
    // A cursor of another list, or a forged one, leads to the beginning.
    let forged = reader.get("/stock?sort=name&cursor=forged").await.expect(200);
    assert_eq!(listed(&forged), expected[..50]);
}

#[tokio::test]
async fn the_list_of_one_household_never_shows_anothers() {
    let server = Server::start().await;
    let (anna, _) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let ben = server.with_household("ben").await;
    let reader = Reader::of(&server, &ben).await;
    assert!(!reader.get("/stock").await.expect(200).says("Milk"));
    reader.get(&format!("/stock/{}", id_of(&milk))).await.expect(404);
    let path = format!("/stock/{}/adjust", id_of(&milk));
    reader.post(&path, &[("delta", "-1")]).await.expect(404);
    assert_eq!(anna.item(id_of(&milk)).await["quantity"], 1);
}

#[tokio::test]
async fn the_list_speaks_japanese() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add_item(json!({ "name": "牛乳", "quantity": 1, "unit": "L", "lowStockThreshold": 2 }))
        .await;
    let reader = Reader::speaking(&server, "ja");
    reader.log_in(&anna).await;
    let page = reader.get("/stock").await.expect(200);
    for text in ["在庫 1", "残りわずか 1", "📦 その他"] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    assert!(page.text.contains("aria-label=\"牛乳を1減らす\""), "{}", page.text);
}
