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
    let house = format!("/things/{}", urn("pp:House"));
    assert_eq!(offers(&house).await, [true, true, true, false]);
    let removed = reader.post("/demo/remove", &[("back", "/things")]).await;
    assert_eq!(removed.location(), "/things?notice=demo-removed");
    assert_eq!(counts(&everything(&anna).await), [0, 0, 5, 0, 0]);
}

#[tokio::test]
async fn the_record_of_it_is_in_no_list_and_its_things_have_names_for_their_kinds() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::speaking(&server, "ja");
    reader.log_in(&anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    let things = everything(&anna).await.swap_remove(4);
    let attic = things.iter().find(|thing| thing["attributes"]["name"] == "屋根裏").unwrap();
    let choose = format!("/things/{}/choose/move", urn_of(attic).replace(':', "%3A"));
    for path in ["/things", "/search?q=%E3%83%87%E3%83%A2", "/things?q=%E3%83%87%E3%83%A2", &choose]
    {
        let page = reader.get(path).await.expect(200);
        for internal in ["デモデータ", "Demo.Data", "Home."] {
            assert!(!page.says(internal), "{internal} in {path}: {}", page.visible());
        }
    }
    let page = reader.get("/things").await.expect(200);
    assert!(page.says("わが家 家"), "{}", page.visible());
    let found = anna.get("/search?q=%E3%83%87%E3%83%A2").await.expect(200);
    let kinds: Vec<_> = found["items"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert!(!kinds.contains(&&json!("resource")), "{found:?}");
    let export = reader.get("/me/export.jsonl").await.expect(200);
    assert!(
        export.text.contains("わが家") && !export.text.contains("Demo.Data"),
        "{}",
        export.text
    );
}

/// Types of things were other ones then.
#[tokio::test]
async fn what_an_older_version_made_is_shown_in_words_and_removed_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let household = anna.get("/households/current").await.expect(200);
    let milk = anna.add("Milk", 1, "L").await;
    let house = anna.make("Home.House", None).await;
    let scarf = anna.make("Home.Clothes", Some(&house)).await;
    let record = json!({
        "resourceType": "Demo.Data", "id": household["id"],
        "attributes": { "name": "Demo data", "items": [id_of(&milk)], "things": [house, scarf] },
    });
    anna.make_with(record).await;
    let reader = Reader::speaking(&server, "ja");
    reader.log_in(&anna).await;
    let page = reader.get("/things").await.expect(200);
    let end = &house[house.len() - 6..];
    assert!(page.says(&format!("家 {end} 家")) && !page.says("Demo"), "{}", page.visible());
    reader.get("/household").await.expect(200);
    reader.post("/demo/remove", &[]).await.expect(303);
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
