//! Moving things, grouping them, and giving them numbers.

use serde_json::{Value, json};

use super::{hides, house, make, page_of, shows};
use crate::it::support::resource_path;
use crate::web::support::Reader;

#[tokio::test]
async fn a_number_belongs_to_one_thing_and_who_has_it_is_told() {
    let (server, anna, reader) = house().await;
    let (one, other) =
        (make(&anna, "Tool", "Drill", None).await, make(&anna, "Tool", "Saw", None).await);
    let numbers = |urn: &str| format!("{}/numbers", page_of(urn));
    let number = [("property", "Serial number"), ("value", " S-1 ")];
    let page = reader.submit(&numbers(&one), &number).await;
    shows(&page, "Serial number S-1");
    let key = json!([{ "key": "serialNumber", "value": "S-1", "caseInsensitive": true }]);
    assert_eq!(anna.resource(&one).await["uniqueKeys"], key);
    let page =
        reader.post(&numbers(&other), &[("property", "serial number"), ("value", "s-1")]).await;
    shows(&page.expect(409), "“Drill” has “s-1” already");
    assert_eq!(anna.resource(&other).await["uniqueKeys"], json!([]));
    let ben = server.with_household("ben").await;
    let of_ben = make(&ben, "Tool", "Drill", None).await;
    let guest = Reader::of(&server, &ben).await;
    guest.get("/things").await;
    let page = guest.post(&numbers(&of_ben), &number).await.expect(409);
    shows(&page, "A thing of somebody else has “S-1” already");
    let remove = format!("{}/remove", numbers(&one));
    reader.submit(&remove, &[("property", "serialNumber"), ("value", "S-1")]).await;
    shows(&reader.submit(&numbers(&other), &number).await, "Number added.");
    for wrong in [("1st", "x"), ("serial", " "), ("製造", "x")] {
        let fields = [("property", wrong.0), ("value", wrong.1)];
        reader.post(&numbers(&one), &fields).await.expect(400);
    }
    assert_eq!(anna.resource(&one).await["uniqueKeys"], json!([]));
}

#[tokio::test]
async fn moving_takes_all_inside_along_and_a_circle_is_refused() {
    let (_server, anna, reader) = house().await;
    let home = make(&anna, "Building", "Home", None).await;
    let attic = make(&anna, "Room", "Attic", Some(&home)).await;
    let chest = make(&anna, "Box", "Chest", Some(&attic)).await;
    let choose = |urn: &str| format!("{}/choose/move", page_of(urn));
    let page = reader.get(&choose(&attic)).await.expect(200);
    shows(&page, "Move Attic");
    shows(&page, "Move to top level");
    assert!(!page.text.contains(&format!("value=\"{home}\"")), "it is there already");
    let page = reader.post(&choose(&attic), &[("chosen", &*chest)]).await.expect(409);
    shows(&page, "A thing cannot be inside itself");
    reader.post(&choose(&attic), &[("chosen", &*attic)]).await.expect(400);
    assert_eq!(anna.resource(&attic).await["_parentUrn"], *home);
    shows(&reader.submit(&choose(&attic), &[("chosen", "")]).await, "Moved.");
    assert_eq!(anna.resource(&attic).await["_parentUrn"], Value::Null);
    assert_eq!(anna.resource(&chest).await["_parentUrn"], *attic);
    let drag = [("thing", &*chest), ("parent", &*home), ("back", "/things?open=x")];
    let answer = reader.post("/things/move", &drag).await;
    assert_eq!(answer.location(), "/things?open=x&notice=thing-moved");
    assert_eq!(anna.resource(&chest).await["_parentUrn"], *home);
}

#[tokio::test]
async fn things_are_grouped_from_either_end_and_stay_where_they_are() {
    let (_server, anna, reader) = house().await;
    let group = make(&anna, "Group", "Camping", None).await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let lamp = make(&anna, "Lamp", "Lamp", None).await;
    let choose = |urn: &str, purpose| format!("{}/choose/{purpose}", page_of(urn));
    let page = reader.submit(&choose(&tent, "group"), &[("chosen", &*group)]).await;
    shows(&page, "Camping Group");
    let fields = [("chosen", &*lamp), ("conveys", "yes")];
    let page = reader.submit(&choose(&group, "member"), &fields).await;
    shows(&page, "What belongs to it");
    let members = anna.get(&format!("{}/members", resource_path(&group))).await.expect(200);
    let conveys: Vec<_> = members["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| {
            (
                member["resource"]["attributes"]["name"].clone(),
                member["conveysAuthorization"].clone(),
            )
        })
        .collect();
    assert_eq!(conveys, [(json!("Lamp"), json!(true)), (json!("Tent"), json!(false))]);
    let remove = format!("{}/members/remove", page_of(&tent));
    let page = reader.submit(&remove, &[("collection", &*group), ("member", &*tent)]).await;
    shows(&page, "Taken out of the group.");
    reader.post(&choose(&group, "member"), &[("chosen", "")]).await.expect(400);
    reader.post(&choose(&group, "member"), &[("chosen", &*group)]).await.expect(400);
    let members = anna.get(&format!("{}/members", resource_path(&group))).await.expect(200);
    assert_eq!(members["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_admin_lets_somebody_else_use_a_thing_and_takes_it_back() {
    let (server, anna, reader) = house().await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let ben = server.with_household("ben").await;
    let guest = Reader::of(&server, &ben).await;
    guest.get(&page_of(&tent)).await.expect(404);
    let grants = format!("{}/grants", page_of(&tent));
    for (principal, action) in
        [("ben@example.org", "read"), (&*ben.principal(), "Read!"), (&*ben.principal(), "")]
    {
        let fields = [("principal", principal), ("action", action)];
        reader.post(&grants, &fields).await.expect(400);
    }
    let fields = [("principal", &*ben.principal()), ("action", "read")];
    shows(&reader.submit(&grants, &fields).await, "look at it");
    let page = guest.get(&page_of(&tent)).await.expect(200);
    shows(&page, "This belongs to another household");
    hides(&page, "Put something new inside");
    hides(&page, "Delete");
    let carl = server.register("carl").await;
    carl.join(&anna).await;
    let of_carl = Reader::of(&server, &carl).await;
    hides(&of_carl.get(&page_of(&tent)).await, "Let somebody use it");
    let principal = [("principal", &*ben.principal())];
    let remove = format!("{grants}/remove");
    of_carl.post(&remove, &principal).await.expect(403);
    shows(&reader.submit(&remove, &principal).await, "They may not use it any more.");
    guest.get(&page_of(&tent)).await.expect(404);
}
