//! Data that stays hidden from a guest with write permission.

use serde_json::json;

use super::{Home, box_with};
use crate::it::support::{resource_path, urn_of};

#[tokio::test]
async fn whoever_may_only_write_does_not_learn_what_was_written() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    let secret = box_with(json!({ "parentUrn": room, "attributes": { "code": "4711" } }));
    let safe = urn_of(&home.anna.make_with(secret).await).to_owned();
    let eve = home.server.with_household("eve").await;
    home.anna.grant(&eve.principal(), &safe, &["write"]).await.expect(200);
    let path = resource_path(&safe);
    let stale = eve.put_if(&path, "\"9-1\"", json!({ "attributes": {} })).await;
    let problem = stale.expect_problem(409, "VERSION_CONFLICT");
    assert_eq!((problem.get("current"), stale.text.contains("4711")), (None, false));
    let written = eve.put_if(&path, "*", json!({ "attributes": { "code": "0815" } })).await;
    assert!(!written.text.contains(&room), "{}", written.text);
    assert_eq!(written.expect(200)["_version"], 2);

    home.anna.grant(&eve.principal(), &safe, &["read", "write"]).await.expect(200);
    let stale = eve.put_if(&path, "\"9-1\"", json!({ "attributes": {} })).await;
    let current = stale.expect_problem(409, "VERSION_CONFLICT")["current"].clone();
    assert_eq!(current, eve.get(&path).await.expect(200));
    assert_eq!((&current["_parentUrn"], &current["_version"]), (&json!(null), &json!(2)));
    assert_eq!(home.anna.resource(&safe).await["_parentUrn"], room);
}

#[tokio::test]
async fn a_guest_is_not_told_who_has_a_value() {
    let home = Home::open().await;
    let serial = json!([{ "key": "serial", "value": "A-1" }]);
    let hidden = home.anna.make_with(box_with(json!({ "uniqueKeys": serial }))).await;
    let open = home.anna.make("Home.Box", None).await;
    let eve = home.server.register("eve").await;
    home.anna.grant(&eve.principal(), &open, &["read", "write"]).await.expect(200);
    let body = box_with(json!({ "parentUrn": open, "uniqueKeys": serial }));
    let change = json!({ "attributes": {}, "uniqueKeys": serial });
    for refused in
        [eve.post("/resources", body).await, eve.put_if(&resource_path(&open), "*", change).await]
    {
        refused.expect_problem(409, "UNIQUE_KEY_TAKEN");
        assert!(!refused.text.contains(hidden["_id"].as_str().unwrap()), "{}", refused.text);
    }
    let made = eve.post("/resources", box_with(json!({ "parentUrn": open }))).await.expect(201);
    assert_eq!(made["_accountUrn"], hidden["_accountUrn"], "also for who has no household");
    assert_eq!(eve.resource(urn_of(&made)).await, made, "what it is in is known to the guest");
}
