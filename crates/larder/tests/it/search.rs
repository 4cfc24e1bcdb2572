//! One search over everything that has a name.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, encode, id_of, urn_of};

async fn found(client: &Client, q: &str) -> Vec<Value> {
    client.all_pages("/search", &format!("q={}", encode(q))).await
}

/// Kind and name of each.
fn named(found: &[Value]) -> Vec<(&str, &str)> {
    found
        .iter()
        .map(|it| (it["kind"].as_str().unwrap(), it["name"].as_str().unwrap_or_default()))
        .collect()
}

#[tokio::test]
async fn locations_items_and_resources_are_found_by_the_beginning_of_any_word() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let cellar = anna.post("/storage-locations", json!({ "name": "Winter cellar" })).await;
    let cellar = cellar.expect(201);
    let coat = anna.add("Winter tyres", 4, "pcs").await;
    let jam = anna.add("Jam for winter", 1, "pcs").await;
    anna.adjust(id_of(&jam), -1).await.expect(200);
    anna.add("Printer paper", 1, "pcs").await;
    let name = json!({ "name": "Winter coat" });
    let attributes = json!({ "resourceType": "Home.Clothing", "attributes": name });
    let clothing = anna.make_with(attributes).await;
    let results = found(&anna, "WINTER").await;
    assert_eq!(
        named(&results),
        [
            ("location", "Winter cellar"),
            ("item", "Jam for winter"),
            ("item", "Winter tyres"),
            ("resource", "Winter coat"),
        ]
    );
    assert_eq!(results[0]["id"], cellar["id"]);
    assert_eq!(results[1]["isDepleted"], true);
    let mut tyres = results[2].clone();
    assert_eq!(tyres.as_object_mut().unwrap().remove("kind"), Some(json!("item")));
    assert_eq!(tyres, coat);
    let expected = json!({
        "kind": "resource", "urn": urn_of(&clothing), "name": "Winter coat",
        "resourceType": "Home.Clothing", "parentUrn": null,
    });
    assert_eq!(results[3], expected);
}

#[tokio::test]
async fn what_everyone_has_is_found_in_both_languages_and_things_by_their_numbers() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for q in ["Freezer", "冷凍"] {
        let results = found(&anna, q).await;
        assert_eq!(
            (&results[0]["kind"], &results[0]["nameEn"]),
            (&json!("location"), &json!("Freezer"))
        );
    }
    let keys = json!([{ "key": "serialNumber", "value": "T-1000" }]);
    let drill = anna.make_with(json!({ "resourceType": "Home.Tool", "uniqueKeys": keys })).await;
    let results = found(&anna, "t-10").await;
    assert_eq!(results.len(), 1);
    assert_eq!((&results[0]["urn"], &results[0]["name"]), (&json!(urn_of(&drill)), &Value::Null));
}

#[tokio::test]
async fn paging_goes_through_all_kinds_and_loses_and_repeats_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for n in 0..3 {
        let name = format!("Box {n}");
        anna.post("/storage-locations", json!({ "name": name })).await.expect(201);
        anna.add(&format!("Box {n}"), 1, "pcs").await;
        let attributes = json!({ "name": format!("Box {n}") });
        anna.make_with(json!({ "resourceType": "Home.Box", "attributes": attributes })).await;
    }
    let whole = found(&anna, "box").await;
    assert_eq!(whole.len(), 9);
    for limit in [1, 2, 3, 4, 9] {
        let pages = anna.all_pages("/search", &format!("q=box&limit={limit}")).await;
        assert_eq!(pages, whole, "limit {limit}");
    }
    let first = anna.get("/search?q=box&limit=2").await.expect(200);
    let cursor = encode(first["nextCursor"].as_str().unwrap());
    let other = anna.get(&format!("/search?q=bo&limit=2&cursor={cursor}")).await;
    other.expect_problem(400, "INVALID_CURSOR");
}

#[tokio::test]
async fn there_must_be_something_to_look_for() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for query in ["", "?q=", "?q=%20"] {
        anna.get(&format!("/search{query}")).await.expect_invalid_field("q");
    }
    assert_eq!(found(&anna, "nothing").await, Vec::<Value>::new());
    let loner = server.register("loner").await;
    loner.add("Box", 1, "pcs").await;
    assert_eq!(named(&found(&loner, "box").await), [("item", "Box")]);
}
