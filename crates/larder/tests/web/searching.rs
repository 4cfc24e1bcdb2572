//! One search over stock, used-up goods, places and things.

use serde_json::json;

use super::support::Reader;
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn everything_with_a_name_is_found_on_one_page() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.with_household("ben").await);
    let shelf = anna.post("/storage-locations", json!({ "name": "Rice shelf" })).await.expect(201);
    let rice = json!({
        "name": "Brown rice", "quantity": 2.5, "unit": "kg", "storageLocationId": shelf["id"],
    });
    let rice = anna.add_item(rice).await;
    let gone = anna.add("Rice cakes", 1, "pcs").await;
    anna.adjust(id_of(&gone), -1).await.expect(200);
    anna.add("Milk", 1, "L").await;
    let cooker = json!({ "resourceType": "Tool", "attributes": { "name": "Rice cooker" } });
    anna.post("/resources", cooker).await.expect(201);
    ben.add("Rice of others", 1, "kg").await;

    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/search").await.expect(200);
    assert!(page.says("by the beginning of any word"), "{}", page.visible());
    let page = reader.get("/search?q=RICE").await.expect(200);
    let found = page.between("<ul class=\"list\" id=\"found\">", "</ul>").unwrap();
    let names: Vec<_> = found
        .split("<a class=\"title\" href=\"")
        .skip(1)
        .map(|row| row.split_once("\">").unwrap().1.split('<').next().unwrap())
        .collect();
    assert_eq!(names, ["Rice shelf", "Rice cakes", "Brown rice", "Rice cooker"]);
    let address = format!("href=\"/stock/{}\"", id_of(&rice));
    assert!(found.contains(&address), "{found}");
    let address = format!("href=\"/stock?location={}\"", shelf["id"].as_str().unwrap());
    assert!(found.contains(&address), "{found}");
    for text in ["2.5 kg · ", "used up", "Tool"] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    let page = reader.get("/search?q=zzz").await.expect(200);
    assert!(page.says("No matches."), "{}", page.visible());
    let page = reader.get("/search?q=%3Cb%3E").await.expect(200);
    assert!(!page.text.contains("<b>"), "{}", page.text);
}
