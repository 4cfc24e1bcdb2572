//! The list of products.

use serde_json::json;

use super::{add_dated, delete_item, home, listed, patch, path_of};
use crate::it::support::Server;
use crate::web::support::Reader;

#[tokio::test]
async fn a_product_shows_its_sum_its_lots_and_what_is_unknown() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = add_dated(&anna, "Milk", 2, "L", "2031-03-01").await;
    add_dated(&anna, "Milk", 500, "mL", "2031-03-02").await;
    let rice = anna.add("Rice", 3, "kg").await;
    let page = reader.get("/products").await.expect(200);
    assert_eq!(listed(&page), ["Milk", "Rice"]);
    let unknown = "Not known yet: shelf life, place, when to warn, shop";
    assert!(page.says(&format!("Milk 2.5 L 2 lots {unknown} Rice 3 kg 1 lot {unknown}")));
    let hint = format!("href=\"{}?edit=1#edit\"", path_of(&milk));
    assert!(page.text.contains(&hint), "{}", page.text);
    patch(&anna, &milk, json!({ "shelfLifeDays": 7, "lowStockThreshold": 3 })).await;
    delete_item(&anna, &rice).await;
    let page = reader.get("/products").await.expect(200);
    let milk = "Milk low 2.5 L 2 lots Not known yet: place, shop";
    assert!(page.says(&format!("{milk} Rice none in stock {unknown}")), "{}", page.visible());
    let stock = reader.get("/stock").await.expect(200);
    assert!(stock.text.contains("href=\"/products\""), "{}", stock.text);
}

#[tokio::test]
async fn it_is_searched_sorted_and_narrowed_to_what_has_gaps() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let store = anna.post("/stores", json!({ "name": "Market" })).await.expect(201);
    let place = anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    for (name, quantity) in [("Oats", 1), ("Bread", 5), ("Oat milk", 3)] {
        anna.add(name, quantity, "kg").await;
    }
    let found = async |query: &str| listed(&reader.get(&format!("/products{query}")).await);
    assert_eq!(found("").await, ["Bread", "Oat milk", "Oats"]);
    assert_eq!(found("?sort=total").await, ["Oats", "Oat milk", "Bread"]);
    assert_eq!(found("?search=oat").await, ["Oat milk", "Oats"]);
    let bread = anna.items("search=bread").await.remove(0);
    let known = json!({
        "shelfLifeDays": 3,
        "lowStockThreshold": 1,
        "storageLocationId": place["id"],
        "preferredStoreId": store["id"],
    });
    patch(&anna, &bread, known).await;
    assert_eq!(found("?gaps=1").await, ["Oat milk", "Oats"]);
    let page = reader.get("/products?gaps=1&search=bread").await.expect(200);
    assert!(page.says("No matches"), "{}", page.visible());
}

#[tokio::test]
async fn many_products_come_on_several_pages() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    for number in 0..51 {
        anna.add(&format!("Spice {number:02}"), 1, "個").await;
    }
    let page = reader.get("/products").await.expect(200);
    assert_eq!(listed(&page).len(), 50);
    let cursor = page.between("/products?cursor=", "\"").expect("more follow").to_owned();
    let page = reader.get(&format!("/products?cursor={cursor}")).await.expect(200);
    assert_eq!(listed(&page), ["Spice 50"]);
    assert!(page.says("Back to the beginning"), "{}", page.visible());
    // What a script shows of a long list at once.
    assert_eq!(listed(&reader.get("/products?shown=100").await).len(), 51);
}

#[tokio::test]
async fn nothing_is_there_yet_and_nothing_of_others() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let page = reader.get("/products").await.expect(200);
    assert!(page.says("Nothing here yet"), "{}", page.visible());
    let milk = anna.add("Milk", 1, "L").await;
    let ben = server.with_household("ben").await;
    let bens = Reader::of(&server, &ben).await;
    assert_eq!(listed(&bens.get("/products").await.expect(200)), Vec::<String>::new());
    bens.get(&path_of(&milk)).await.expect(404);
}
