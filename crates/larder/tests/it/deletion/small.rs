//! Deletions in one transaction, and previews.

use serde_json::{Value, json};

use crate::it::support::{Server, resource_path, urn_of};

#[tokio::test]
async fn a_resource_goes_with_everything_below_it_and_everything_that_names_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let home = anna.make_box(None).await;
    let room = anna.make_box(Some(&home)).await;
    let key = json!([{ "key": "code", "value": "B-1" }]);
    let body = json!({ "resourceType": "Home.Box", "parentUrn": room, "uniqueKeys": key, "attributes": {} });
    let thing = urn_of(&anna.make_with(body.clone()).await).to_owned();
    let favourites = anna.make_box(None).await;
    anna.add_member(&favourites, &thing, false).await.expect(201);
    anna.grant(&anna.principal(), &thing, &["read"]).await.expect(200);

    anna.delete(&resource_path(&room)).await.expect(204);
    for gone in [&room, &thing] {
        anna.look_at(gone).await.expect_problem(404, "RESOURCE_NOT_FOUND");
        anna.delete(&resource_path(gone)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    }
    let children = format!("{}/children", resource_path(&home));
    assert_eq!(anna.all_pages(&children, "").await, [Value::Null; 0]);
    let members = format!("{}/members", resource_path(&favourites));
    assert_eq!(anna.all_pages(&members, "").await, [Value::Null; 0]);
    assert_eq!(anna.grants().await, [Value::Null; 0]);
    anna.get("/unique-keys/Home.Box/code/B-1").await.expect_refusal(404);
    // The value is free again.
    let mut again = body;
    again["parentUrn"] = json!(home);
    anna.make_with(again).await;
}

#[tokio::test]
async fn a_preview_tells_what_would_go_and_deletes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let home = anna.make_box(None).await;
    let mut below = Vec::new();
    for number in 0..4 {
        let body = json!({
            "resourceType": "Home.Room", "parentUrn": home, "attributes": {},
            "uniqueKeys": [{ "key": "number", "value": format!("{number}"), "caseInsensitive": true }],
        });
        below.push(urn_of(&anna.make_with(body).await).to_owned());
    }
    let inner = anna.make_box(Some(&below[1])).await;
    anna.add_member(&inner, &home, false).await.expect(201);
    anna.grant(&anna.principal(), &inner, &["read"]).await.expect(200);

    let path = format!("{}?dryRun=true&limit=2", resource_path(&home));
    let first = anna.delete(&path).await.expect(200);
    let summary = json!({ "resources": 6, "uniqueKeys": 4, "links": 3, "complete": true });
    assert_eq!(first["summary"], summary);
    assert_eq!(first["items"][0]["urn"], home);
    assert_eq!(first["items"][0]["parentUrn"], json!(null));
    assert_eq!(first["items"][0]["links"], 1);

    let mut items = first["items"].as_array().unwrap().clone();
    let mut next = first["nextCursor"].clone();
    while let Some(cursor) = next.as_str() {
        let page = anna.delete(&format!("{path}&cursor={cursor}")).await.expect(200);
        assert_eq!(page.get("summary"), None, "once is enough");
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        next = page["nextCursor"].clone();
    }
    let mut found: Vec<_> = items.iter().map(|record| urn_of(record).to_owned()).collect();
    for item in &items[1..] {
        let at = |urn: &str| items.iter().position(|item| item["urn"] == urn);
        let (own, parent) = (item["urn"].as_str().unwrap(), item["parentUrn"].as_str().unwrap());
        assert!(at(parent) < at(own), "{own} comes before what it is in");
        let keys = usize::from(own != inner);
        assert_eq!(item["uniqueKeys"].as_array().unwrap().len(), keys, "{item}");
        assert_eq!(item["links"], if own == inner { 2 } else { 0 }, "{item}");
    }
    found.sort();
    let mut expected = [below, vec![home.clone(), inner]].concat();
    expected.sort();
    assert_eq!(found, expected);
    for urn in &expected {
        anna.look_at(urn).await.expect(200);
    }
}

#[tokio::test]
async fn wrong_deletions_are_refused_and_nothing_goes() {
    let server = Server::start().await;
    let (anna, eve) = (server.with_household("anna").await, server.with_household("eve").await);
    let ours = anna.make_box(None).await;
    let path = resource_path(&ours);
    anna.delete("/resources/ours").await.expect_problem(400, "INVALID_URN");
    anna.delete(&format!("{path}?force=true")).await.expect_field_error("UNKNOWN_FIELD", "force");
    anna.delete(&format!("{path}?limit=2")).await.expect_field_error("UNKNOWN_FIELD", "limit");
    anna.delete(&format!("{path}?dryRun=yes")).await.expect_invalid_field("dryRun");
    anna.delete(&format!("{path}?dryRun=true&cursor=x"))
        .await
        .expect_problem(400, "INVALID_CURSOR");
    for stranger in [&eve, &server.register("loner").await] {
        stranger.delete(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
        let preview = stranger.delete(&format!("{path}?dryRun=true")).await;
        preview.expect_problem(404, "RESOURCE_NOT_FOUND");
    }
    for id in ["01955556-3cd2-7df2-b839-693fa6fbd505", "x"] {
        anna.get(&format!("/jobs/{id}")).await.expect_problem(404, "JOB_NOT_FOUND");
    }
    anna.look_at(&ours).await.expect(200);
}
