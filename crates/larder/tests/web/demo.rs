//! Demo data, which can be removed without a trace.

use serde_json::{Value, json};

use super::support::Reader;
use crate::it::support::{Client, Server, id_of, names, resource_path, urn_of};

/// Everything that a household has, list by list.
async fn everything(person: &Client) -> Vec<Vec<Value>> {
    let mut lists = vec![person.all_pages("/inventory/items", "includeDepleted=true").await];
    for path in ["/stores", "/storage-locations", "/shopping-list", "/resources"] {
        lists.push(person.all_pages(path, "").await);
    }
    lists
}

fn counts(lists: &[Vec<Value>]) -> Vec<usize> {
    lists.iter().map(Vec::len).collect()
}

#[tokio::test]
async fn a_household_is_filled_in_the_readers_language() {
    let server = Server::start().await;
    for (name, language, item, shop, thing) in [
        ("anna", "en", "Milk", "Demo supermarket", "Kitchen"),
        ("yui", "ja", "牛乳", "デモスーパー", "キッチン"),
    ] {
        let person = server.with_household(name).await;
        let reader = Reader::speaking(&server, language);
        reader.log_in(&person).await;
        let offer = reader.get("/household").await.expect(200);
        assert!(offer.text.contains("action=\"/demo\""), "{}", offer.text);
        assert_eq!(reader.post("/demo", &[]).await.location(), "/stock?notice=demo-added");
        let lists = everything(&person).await;
        // Five locations are predefined, and one thing is the record of everything.
        assert_eq!(counts(&lists), [22, 3, 6, 7, 8]);
        assert!(names(&lists[0]).contains(&item) && names(&lists[1]).contains(&shop));
        let things: Vec<_> = lists[4].iter().map(|one| &one["attributes"]["name"]).collect();
        assert!(things.contains(&&json!(thing)), "{things:?}");
        let banner = reader.get("/household").await.expect(200);
        assert!(banner.text.contains("action=\"/demo/remove\""), "{}", banner.text);
        assert!(!banner.text.contains("action=\"/demo\""), "{}", banner.text);
    }
}

#[tokio::test]
async fn pressing_twice_fills_a_household_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    let (one, other) = tokio::join!(reader.post("/demo", &[]), reader.post("/demo", &[]));
    one.expect(303);
    other.expect(303);
    assert_eq!(counts(&everything(&anna).await), [22, 3, 6, 7, 8]);
}

#[tokio::test]
async fn removing_it_leaves_exactly_what_was_there_before() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    // Some of it under names that the demo data has as well.
    anna.add("Rice", 2, "kg").await;
    anna.add("Onions", 2, "個").await;
    anna.post("/stores", json!({ "name": "Demo supermarket" })).await.expect(201);
    anna.post("/storage-locations", json!({ "name": "demo CELLAR" })).await.expect(201);
    anna.post("/shopping-list", json!({ "name": "Milk" })).await.expect(201);
    anna.make("Home.House", None).await;
    let before = everything(&anna).await;

    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    assert_eq!(counts(&everything(&anna).await), [2 + 20, 1 + 2, 5 + 1, 1 + 7, 1 + 8]);
    reader.get("/household").await.expect(200);
    let removed = reader.post("/demo/remove", &[("back", "/household")]).await;
    assert_eq!(removed.location(), "/household?notice=demo-removed");
    assert_eq!(everything(&anna).await, before);
    let again = reader.get("/household").await.expect(200);
    assert!(again.text.contains("action=\"/demo\""), "it can be had again");
}

#[tokio::test]
async fn the_record_of_it_offers_to_remove_everything_and_not_itself_alone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    let things = everything(&anna).await.swap_remove(4);
    let urn = |kind: &str| {
        let mut urns = things.iter().map(urn_of);
        urns.find(|urn| urn.contains(kind)).unwrap().replace(':', "%3A")
    };
    let offers = async |address: &str| {
        let page = reader.get(address).await.expect(200);
        let ways = ["/edit\"", "/choose/move\"", "/delete\"", "\"/demo/remove\""];
        ways.map(|way| page.text.contains(way))
    };
    let record = format!("/things/{}", urn("Demo.Data"));
    assert_eq!(offers(&record).await, [false, false, false, true]);
    let house = format!("/things/{}", urn("Home.House"));
    assert_eq!(offers(&house).await, [true, true, true, false]);
    let removed = reader.post("/demo/remove", &[("back", "/things")]).await;
    assert_eq!(removed.location(), "/things?notice=demo-removed");
    assert_eq!(counts(&everything(&anna).await), [0, 0, 5, 0, 0]);
}

#[tokio::test]
async fn what_people_made_among_it_stays() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    let lists = everything(&anna).await;
    let find = |list: usize, name: &str| {
        let named = |one: &&Value| one["name"] == name || one["attributes"]["name"] == name;
        lists[list].iter().find(named).unwrap_or_else(|| panic!("{name}")).clone()
    };
    // Some of it is changed and deleted, and own things are put into it.
    anna.adjust(id_of(&find(0, "Milk")), 3).await.expect(200);
    anna.delete(&format!("/inventory/items/{}", id_of(&find(0, "Rice")))).await.expect(204);
    let kitchen = find(4, "Kitchen");
    let pan = anna.make("Home.Pan", Some(urn_of(&kitchen))).await;
    let lid = anna.make("Home.Lid", Some(&pan)).await;
    let cellar = find(2, "Demo cellar");
    let wine = json!({
        "name": "Wine", "quantity": 6, "unit": "L",
        "storageLocationId": id_of(&cellar), "preferredStoreId": id_of(&find(1, "Demo drugstore")),
    });
    anna.add_item(wine).await;

    reader.get("/household").await.expect(200);
    reader.post("/demo/remove", &[]).await.expect(303);
    let lists = everything(&anna).await;
    assert_eq!(counts(&lists), [1, 0, 5, 0, 2]);
    assert_eq!(lists[0][0]["name"], "Wine");
    assert_eq!(lists[0][0]["quantity"], 6);
    assert_eq!(lists[0][0]["storageLocationId"], Value::Null);
    assert_eq!(lists[0][0]["preferredStoreId"], Value::Null);
    assert_eq!(anna.resource(&pan).await["_parentUrn"], Value::Null);
    assert_eq!(anna.resource(&lid).await["_parentUrn"], json!(pan));
}

#[tokio::test]
async fn what_was_interrupted_is_removed_as_well() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    // As if interrupted: only a part of each list was created.
    for (list, path) in [(0, "/inventory/items"), (1, "/stores"), (3, "/shopping-list")] {
        for made in everything(&anna).await[list].iter().skip(1) {
            let id = made["id"].as_str().or(made["shoppingItemId"].as_str()).unwrap();
            anna.delete(&format!("{path}/{id}")).await.expect(204);
        }
    }
    let attic = everything(&anna).await[4]
        .iter()
        .find(|thing| thing["attributes"]["name"] == "Attic")
        .map(|thing| urn_of(thing).to_owned());
    anna.delete(&resource_path(&attic.unwrap())).await.expect(204);
    reader.get("/household").await.expect(200);
    reader.post("/demo/remove", &[]).await.expect(303);
    assert_eq!(counts(&everything(&anna).await), [0, 0, 5, 0, 0]);
}
