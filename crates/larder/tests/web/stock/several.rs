//! Changing several items together.

use serde_json::{Value, json};

use super::{home, path_of};
use crate::it::support::{Client, Server, id_of};

async fn three(anna: &Client) -> [Value; 3] {
    [
        anna.add("Milk", 1, "L").await,
        anna.add("Rice", 2, "kg").await,
        anna.add("Eggs", 6, "個").await,
    ]
}

/// An item as it was ticked.
fn ticked(item: &Value) -> String {
    format!("{}:{}", id_of(item), item["version"])
}

#[tokio::test]
async fn several_are_ticked_in_the_list() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let items = three(&anna).await;
    let list = reader.get("/stock?sort=name").await.expect(200);
    assert!(list.text.contains("/stock?sort=name&#38;select=1"), "{}", list.text);
    let page = reader.get("/stock?sort=name&select=1").await.expect(200);
    for item in &items {
        let tick =
            format!("type=\"checkbox\" name=\"item\" value=\"{}\" form=\"several\"", ticked(item));
        assert!(page.text.contains(&tick), "{tick} in {}", page.text);
    }
}

#[tokio::test]
async fn all_get_what_they_are_to_have_in_common_but_those_that_changed_meanwhile() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let [milk, rice, eggs] = three(&anna).await;
    let shop = anna.post("/stores", json!({ "name": "Corner shop" })).await.expect(201);
    let places = anna.get("/storage-locations").await.expect(200);
    let fridge = places["items"][0]["id"].as_str().unwrap().to_owned();
    anna.adjust(id_of(&rice), 1).await.expect(200);
    let [first, second, third] = [&milk, &rice, &eggs].map(ticked);
    let fields = [
        ("item", &*first),
        ("item", &*second),
        ("item", &*third),
        ("do", "set"),
        ("location", &*fridge),
        ("store", id_of(&shop)),
        ("threshold", "4"),
        ("category", ""),
    ];
    let page = reader.submit("/stock/bulk", &fields).await;
    assert!(
        page.says("2 done. 1 had changed meanwhile and was left as it is."),
        "{}",
        page.visible()
    );
    for item in [&milk, &eggs] {
        let now = anna.item(id_of(item)).await;
        assert_eq!(now["storageLocationId"], json!(fridge));
        assert_eq!(now["preferredStoreId"], shop["id"]);
        assert_eq!(now["lowStockThreshold"], 4);
        assert_eq!(now["categoryId"], item["categoryId"]);
    }
    assert_eq!(anna.item(id_of(&rice)).await["storageLocationId"], json!(null));
    let now = ticked(&anna.item(id_of(&milk)).await);
    let clear = [
        ("item", &*now),
        ("do", "set"),
        ("location", "none"),
        ("store", "none"),
        ("threshold", "0"),
    ];
    reader.submit("/stock/bulk", &clear).await;
    let now = anna.item(id_of(&milk)).await;
    for field in ["storageLocationId", "preferredStoreId", "lowStockThreshold"] {
        assert_eq!(now[field], json!(null), "{field}");
    }
}

#[tokio::test]
async fn several_go_on_the_shopping_list_or_are_deleted() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let [milk, rice, eggs] = three(&anna).await;
    let [first, second, third] = [&milk, &rice, &eggs].map(ticked);
    reader.submit(&format!("{}/shopping", path_of(&milk)), &[]).await;
    let buy = [("item", &*first), ("item", &*second), ("do", "buy")];
    let page = reader.submit("/stock/bulk", &buy).await;
    assert!(page.says("1 done. 1 was on the list already."), "{}", page.visible());
    let delete =
        [("item", &*second), ("item", &*third), ("do", "delete"), ("back", "/stock?sort=name")];
    let answer = reader.post("/stock/bulk", &delete).await;
    assert_eq!(answer.location(), "/stock?sort=name&notice=stock-several-2-0-0-0");
    let page = reader.submit("/stock/bulk", &delete).await;
    assert!(page.says("2 were not there any more."), "{}", page.visible());
    let left = anna.items("").await;
    assert_eq!((left.len(), &left[0]["id"]), (1, &milk["id"]));
}

#[tokio::test]
async fn nothing_ticked_or_nothing_said_changes_nothing() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let [milk, ..] = three(&anna).await;
    let milk_ticked = ticked(&milk);
    let page = reader.submit("/stock/bulk", &[("do", "delete")]).await;
    assert!(page.says("Nothing was selected."), "{}", page.visible());
    for (fields, status) in [
        (vec![("item", &*milk_ticked), ("do", "set")], 400),
        (vec![("item", &*milk_ticked), ("do", "set"), ("location", "x")], 400),
        (vec![("item", &*milk_ticked), ("do", "explode")], 400),
        (vec![("item", "x:1"), ("do", "delete")], 400),
    ] {
        reader.post("/stock/bulk", &fields).await.expect(status);
    }
    assert_eq!(anna.item(id_of(&milk)).await["version"], 1);
    assert_eq!(anna.items("").await.len(), 3);
}
