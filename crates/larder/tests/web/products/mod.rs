//! Products as pages without script: the list, a product with its lots, and editing.

mod editing;
mod listing;
mod looking;
mod photos;
mod using;

use serde_json::{Value, json};

use crate::{
    it::support::{Client, Server, id_of},
    web::support::{Page, Reader},
};

/// A household's admin, and the browser that they read its pages with.
async fn home(server: &Server) -> (Client, Reader) {
    let anna = server.with_household("anna").await;
    let reader = Reader::of(server, &anna).await;
    // Forms carry the token of a page.
    reader.get("/products").await.expect(200);
    (anna, reader)
}

/// A lot with a date.
async fn add_dated(anna: &Client, name: &str, quantity: u32, unit: &str, until: &str) -> Value {
    let item = json!({ "name": name, "quantity": quantity, "unit": unit, "expirationDate": until });
    anna.add_item(item).await
}

/// The id of an item's product.
fn product_id(item: &Value) -> &str {
    item["productId"].as_str().expect("every item has a product")
}

/// The page of an item's product.
fn path_of(item: &Value) -> String {
    format!("/products/{}", product_id(item))
}

async fn product(anna: &Client, item: &Value) -> Value {
    anna.get(&path_of(item)).await.expect(200)
}

/// Changes what is known, through the API.
async fn patch(anna: &Client, item: &Value, mut change: Value) {
    change["version"] = product(anna, item).await["version"].clone();
    anna.patch(&path_of(item), change).await.expect(200);
}

async fn delete_item(anna: &Client, item: &Value) {
    anna.delete(&format!("/inventory/items/{}", id_of(item))).await.expect(204);
}

/// The names in the list, in its order.
fn listed(page: &Page) -> Vec<String> {
    let titles = page.text.split("class=\"title").skip(1);
    titles
        .map(|rest| {
            let start = rest.find('>').unwrap() + 1;
            rest[start..rest.find("</a>").unwrap()].to_owned()
        })
        .collect()
}
