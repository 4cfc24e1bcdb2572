//! Giving, listing and taking back.

use serde_json::{Value, json};

use crate::it::support::{Server, encode, grant_path};

const SOMEBODY: &str = "urn:pp:Service.Robot::01955556-3cd2-7df2-b839-693fa6fbd505";
const NOTHING: &str = "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505";

#[tokio::test]
async fn a_grant_is_given_replaced_listed_and_taken_back() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let account = anna.account().await;
    let (one, two) = (anna.make_box(None).await, anna.make_box(None).await);

    let given = anna.grant(SOMEBODY, &one, &["write", "read", "read"]).await.expect(200);
    assert_eq!(given["_recordType"], "Grant");
    assert_eq!(given["principalUrn"], SOMEBODY);
    assert_eq!(given["resourceUrn"], one);
    assert_eq!(given["_accountUrn"], account);
    assert_eq!(given["actions"], json!(["read", "write"]));
    assert_eq!(given["_createdAt"], given["_updatedAt"]);
    assert_eq!(anna.get(&grant_path(SOMEBODY, &one)).await.expect(200), given);

    let replaced = anna.grant(SOMEBODY, &one, &["*"]).await.expect(200);
    assert_eq!(replaced["actions"], json!(["*"]));
    assert_eq!(replaced["_createdAt"], given["_createdAt"]);

    let on_two = anna.grant(&anna.principal(), &two, &["stock:take"]).await.expect(200);
    let on_all = anna.grant(SOMEBODY, &account, &["read"]).await.expect(200);
    let mut all = vec![replaced.clone(), on_two.clone(), on_all.clone()];
    all.sort_by_key(|grant| grant["resourceUrn"].as_str().unwrap().to_owned());
    assert_eq!(anna.all_pages("/grants", "limit=1").await, all);
    let on = |urn: &str| format!("urn={}", encode(urn));
    assert_eq!(anna.all_pages("/grants", &on(&one)).await, [replaced]);
    assert_eq!(anna.all_pages("/grants", &on(&account)).await, [on_all]);
    let of = format!("principal={}", encode(&anna.principal()));
    assert_eq!(anna.all_pages("/grants", &of).await, [on_two]);

    anna.revoke(SOMEBODY, &one).await.expect(204);
    anna.revoke(SOMEBODY, &one).await.expect_problem(404, "GRANT_NOT_FOUND");
    anna.get(&grant_path(SOMEBODY, &one)).await.expect_problem(404, "GRANT_NOT_FOUND");
    assert_eq!(anna.grants().await.len(), 2);
}

#[tokio::test]
async fn wrong_grants_are_refused_and_nothing_is_granted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ours = anna.make_box(None).await;
    for actions in [json!([]), json!(["Read"]), json!("read"), json!([1]), json!(vec!["a"; 65])] {
        let body = json!({ "actions": actions });
        anna.put(&grant_path(SOMEBODY, &ours), body).await.expect_invalid_field("actions");
    }
    let path = grant_path(SOMEBODY, &ours);
    anna.put(&path, json!({})).await.expect_invalid_field("actions");
    let unknown = json!({ "actions": ["read"], "until": 1 });
    anna.put(&path, unknown).await.expect_field_error("UNKNOWN_FIELD", "until");
    for (who, urn) in [("urn:pp:user:1", ours.as_str()), (SOMEBODY, "urn:PP:Home.Box::1")] {
        anna.grant(who, urn, &["read"]).await.expect_problem(400, "INVALID_URN");
        anna.get(&grant_path(who, urn)).await.expect_problem(400, "INVALID_URN");
        anna.revoke(who, urn).await.expect_problem(400, "INVALID_URN");
    }
    anna.get("/grants?urn=x").await.expect_problem(400, "INVALID_URN");
    let both = format!("/grants?urn={0}&principal={0}", encode(&ours));
    anna.get(&both).await.expect_invalid_field("principal");
    anna.grant(SOMEBODY, NOTHING, &["read"]).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    assert_eq!(anna.grants().await, [Value::Null; 0]);
}

#[tokio::test]
async fn members_grant_only_what_they_were_granted_to_grant() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let room = anna.make_box(None).await;
    let shelf = anna.make_box(Some(&room)).await;
    let other = anna.make_box(None).await;
    let account = anna.account().await;

    for urn in [&shelf, &account, &NOTHING.to_owned()] {
        ben.grant(SOMEBODY, urn, &["read"]).await.expect_problem(403, "GRANT_NOT_ALLOWED");
        ben.revoke(SOMEBODY, urn).await.expect_problem(403, "GRANT_NOT_ALLOWED");
    }
    anna.grant(&ben.principal(), &room, &["grant"]).await.expect(200);
    ben.grant(SOMEBODY, &shelf, &["read"]).await.expect(200);
    ben.revoke(SOMEBODY, &shelf).await.expect(204);
    ben.grant(SOMEBODY, &other, &["read"]).await.expect_problem(403, "GRANT_NOT_ALLOWED");

    anna.grant(&ben.principal(), &account, &["grant"]).await.expect(200);
    ben.grant(SOMEBODY, &other, &["read"]).await.expect(200);
    ben.grant(SOMEBODY, &account, &["read"]).await.expect(200);
    // All members see the grants.
    assert_eq!(ben.grants().await.len(), 4);
}

#[tokio::test]
async fn a_grant_is_for_what_the_household_has_and_nobody_else_sees_it() {
    let server = Server::start().await;
    let (anna, eve) = (server.with_household("anna").await, server.with_household("eve").await);
    let ours = anna.make_box(None).await;
    let account = anna.account().await;
    anna.grant(SOMEBODY, &ours, &["read"]).await.expect(200);
    for urn in [&ours, &account] {
        let answer = eve.grant(SOMEBODY, urn, &["*"]).await;
        answer.expect_problem(404, "RESOURCE_NOT_FOUND");
        eve.revoke(SOMEBODY, urn).await.expect_problem(404, "GRANT_NOT_FOUND");
    }
    eve.get(&grant_path(SOMEBODY, &ours)).await.expect_problem(404, "GRANT_NOT_FOUND");
    for query in
        [String::new(), format!("urn={}", encode(&ours)), format!("principal={}", encode(SOMEBODY))]
    {
        assert_eq!(eve.all_pages("/grants", &query).await, [Value::Null; 0], "{query}");
    }
    let loner = server.register("loner").await;
    loner.get("/grants").await.expect_problem(404, "NO_HOUSEHOLD");
    loner.grant(SOMEBODY, &ours, &["read"]).await.expect_problem(404, "NO_HOUSEHOLD");
    assert_eq!(anna.grants().await.len(), 1);
}
