//! Finding things among many.

use serde_json::json;

use super::{escaped, hides, house, make, page_of, shows};
use crate::web::support::Reader;

#[tokio::test]
async fn the_tree_shows_what_is_at_the_top_and_unfolds_without_script() {
    let (_server, anna, reader) = house().await;
    let home = make(&anna, "Building", "Home", None).await;
    let attic = make(&anna, "Room", "Attic", Some(&home)).await;
    make(&anna, "Box", "Christmas", Some(&attic)).await;
    make(&anna, "Vehicle", "Car", None).await;
    let page = reader.get("/things").await.expect(200);
    shows(&page, "Home Building 1 inside");
    shows(&page, "Car Vehicle");
    hides(&page, "Attic");
    let unfolded = format!("/things?open={}&open={}", escaped(&home), escaped(&attic));
    let page = reader.get(&unfolded).await.expect(200);
    shows(&page, "Attic Room 1 inside");
    shows(&page, "Christmas Box");
    let back = page.between("name=\"back\" value=\"", "\"").unwrap();
    assert_eq!(back.replace("&#38;", "&"), unfolded);
}

#[tokio::test]
async fn things_are_found_by_kind_by_name_and_by_their_number() {
    let (_server, anna, reader) = house().await;
    let attic = make(&anna, "Room", "Attic", None).await;
    make(&anna, "Box", "Old letters", Some(&attic)).await;
    let tent = json!({ "resourceType": "Camping.Tent", "parentUrn": attic, "attributes": { "name": "Tent" },
        "uniqueKeys": [{ "key": "serialNumber", "value": "ABC-123" }] });
    anna.make_with(tent).await;
    for (query, found) in [
        ("kind=Box", "Old letters Box · in Attic"),
        ("q=letters", "Old letters Box · in Attic"),
        ("q=abc-1", "Tent Tent · in Attic · ABC-123"),
        ("q=tent&kind=Camping.Tent", "Tent Tent · in Attic"),
        ("q=tent&kind=tent", "Tent Tent · in Attic"),
    ] {
        let page = reader.get(&format!("/things?{query}")).await.expect(200);
        shows(&page, found);
        assert_eq!(page.text.matches("<li id=\"thing-").count(), 1, "{query}");
    }
    for query in ["q=etters", "q=tent&kind=Box", "q=xyz"] {
        let page = reader.get(&format!("/things?{query}")).await.expect(200);
        shows(&page, "Nothing is called that");
    }
    let page = reader.get("/things").await;
    for kind in ["Box", "Camping.Tent", "Room"] {
        assert!(page.text.contains(&format!("href=\"/things?kind={kind}\"")), "{kind}");
    }
}

#[tokio::test]
async fn what_is_at_the_top_is_found_behind_hundreds_that_are_not() {
    let (_server, anna, reader) = house().await;
    // Boxes come before rooms: the second page of the store's own list is full of them.
    let home = make(&anna, "Room", "Home", None).await;
    for _ in 0..230 {
        anna.make("Box", Some(&home)).await;
    }
    for number in 0..26 {
        make(&anna, "Zone", &format!("Zone {number}"), None).await;
    }
    let page = reader.get("/things").await.expect(200);
    assert_eq!(page.text.matches("<li id=\"thing-").count(), 25);
    shows(&page, "Home Room 20+ inside");
    let next = page.between("href=\"/things?after=", "\"").unwrap();
    let page = reader.get(&format!("/things?after={next}")).await.expect(200);
    assert_eq!(page.text.matches("<li id=\"thing-").count(), 2);
    shows(&page, "Zone 25");
    hides(&page, "Show more");
}

#[tokio::test]
async fn nothing_of_another_household_is_there() {
    let (server, anna, _) = house().await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let ben = server.with_household("ben").await;
    let stranger = Reader::of(&server, &ben).await;
    shows(&stranger.get("/things").await, "Begin with the largest");
    let at = page_of(&tent);
    for path in
        [at.clone(), format!("{at}/edit"), format!("{at}/delete"), format!("{at}/choose/move")]
    {
        stranger.get(&path).await.expect(404);
    }
    for path in ["delete", "numbers", "choose/move", "edit"] {
        let fields = [
            ("chosen", ""),
            ("property", "serial"),
            ("value", "1"),
            ("version", "1"),
            ("schema", "1"),
            ("attribute", "x"),
            ("shape", "text"),
        ];
        stranger.post(&format!("{at}/{path}"), &fields).await.expect(404);
    }
    assert_eq!(anna.resource(&tent).await["_version"], 1);
    stranger.get("/things/urn%3Anonsense").await.expect(404);
}
