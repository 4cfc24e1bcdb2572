//! Households: invitations, roles, and personal items.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of, names};

async fn invite_code(admin: &Client) -> String {
    let household = admin.get("/households/current").await.expect(200);
    household["inviteCode"].as_str().unwrap().to_owned()
}

fn member_path(member: &Client) -> String {
    format!("/households/current/members/{}", member.user_id)
}

/// An admin and a member of one household.
async fn family(server: &Server) -> (Client, Client) {
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    (anna, ben)
}

#[tokio::test]
async fn a_created_household_is_the_current_one() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    anna.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");

    let body = json!({ "name": "木村家", "timeZone": "Asia/Tokyo" });
    let created = anna.post("/households", body).await.expect(201);
    assert_eq!(created["name"], "木村家");
    assert_eq!(created["timeZone"], "Asia/Tokyo");
    assert_eq!(created["createdBy"], anna.user_id.as_str());
    let code = created["inviteCode"].as_str().unwrap();
    let allowed = |c: char| (c.is_ascii_uppercase() || c.is_ascii_digit()) && !"0O1I".contains(c);
    assert!(code.len() == 12 && code.chars().all(allowed), "{code}");
    assert_eq!(anna.get("/households/current").await.expect(200), created);
}

#[tokio::test]
async fn a_household_is_in_utc_unless_it_says_otherwise() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    assert_eq!(anna.get("/households/current").await.expect(200)["timeZone"], "UTC");
}

#[tokio::test]
async fn a_household_pays_in_euros_unless_it_says_otherwise() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let path = "/households/current";
    let before = anna.get(path).await.expect(200);
    assert_eq!(before["currency"], "EUR");
    let changed = anna.patch(path, json!({ "currency": "JPY" })).await.expect(200);
    assert_eq!(changed["currency"], "JPY");
    assert_eq!(changed["timeZone"], before["timeZone"]);
    for invalid in [json!("usd"), json!("XXQ"), json!(""), json!("EURO"), json!(978), json!(null)] {
        let refused = anna.patch(path, json!({ "currency": invalid })).await;
        refused.expect_invalid_field("currency");
    }
    assert_eq!(anna.get(path).await.expect(200), changed);
    assert_eq!(anna.patch(path, json!({ "currency": "EUR" })).await.expect(200), before);
}

#[tokio::test]
async fn patching_a_household_changes_only_what_is_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let before = anna.get("/households/current").await.expect(200);
    let path = "/households/current";

    let renamed = anna.patch(path, json!({ "name": "New name" })).await.expect(200);
    assert_eq!(renamed["name"], "New name");
    assert_eq!(renamed["timeZone"], before["timeZone"]);
    assert_eq!(renamed["inviteCode"], before["inviteCode"]);

    let moved = anna.patch(path, json!({ "timeZone": "Europe/Berlin" })).await.expect(200);
    assert_eq!((&moved["name"], &moved["timeZone"]), (&json!("New name"), &json!("Europe/Berlin")));

    anna.patch(path, json!({ "timeZone": "Mars/Olympus" })).await.expect_invalid_field("timeZone");
    anna.patch(path, json!({ "name": "x".repeat(101) })).await.expect_invalid_field("name");
    assert_eq!(anna.get(path).await.expect(200), moved);
}

#[tokio::test]
async fn an_invite_code_joins_in_any_case_until_it_is_replaced() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let old_code = invite_code(&anna).await;

    let ben = server.register("ben").await;
    let body = json!({ "inviteCode": old_code.to_lowercase() });
    let joined = ben.post("/households/join", body).await.expect(200);
    assert_eq!(joined["id"], anna.get("/me").await.expect(200)["householdId"]);

    let answer = anna.post("/households/current/invite-code", json!({})).await.expect(200);
    let new_code = answer["inviteCode"].as_str().unwrap();
    assert_ne!(new_code, old_code);
    assert_eq!(invite_code(&anna).await, new_code);

    let cleo = server.register("cleo").await;
    let with_old = cleo.post("/households/join", json!({ "inviteCode": old_code })).await;
    with_old.expect_problem(404, "INVITE_NOT_FOUND");
    cleo.post("/households/join", json!({ "inviteCode": new_code })).await.expect(200);
}

#[tokio::test]
async fn a_person_is_in_one_household_at_most() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let body = json!({ "inviteCode": invite_code(&anna).await });
    ben.post("/households/join", body).await.expect_problem(409, "ALREADY_IN_HOUSEHOLD");
    let second = ben.post("/households", json!({ "name": "Another" })).await;
    second.expect_problem(409, "ALREADY_IN_HOUSEHOLD");
}

#[tokio::test]
async fn members_are_listed_with_their_roles() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    let listed = ben.get("/households/current/members").await.expect(200);
    let mut members: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|m| [&m["email"], &m["role"], &m["name"]].map(|value| value.as_str().unwrap()))
        .collect();
    members.sort_unstable();
    assert_eq!(
        members,
        [["anna@example.org", "admin", "anna"], ["ben@example.org", "member", "ben"]]
    );
    assert!(listed[0]["joinedAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(anna.get("/households/current/members").await.expect(200), listed);
}

#[tokio::test]
async fn only_admins_manage_members_and_the_invite_code() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    let code = invite_code(&anna).await;
    ben.patch(&member_path(&ben), json!({ "role": "admin" }))
        .await
        .expect_problem(403, "ADMIN_REQUIRED");
    ben.delete(&member_path(&anna)).await.expect_problem(403, "ADMIN_REQUIRED");
    ben.post("/households/current/invite-code", json!({}))
        .await
        .expect_problem(403, "ADMIN_REQUIRED");
    assert_eq!(ben.get("/me").await.expect(200)["role"], "member");
    assert_eq!(invite_code(&anna).await, code);
}

#[tokio::test]
async fn only_admins_see_the_invite_code() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let code = invite_code(&anna).await;
    let ben = server.register("ben").await;
    let joined = ben.post("/households/join", json!({ "inviteCode": code })).await.expect(200);
    let current = ben.get("/households/current").await.expect(200);
    let body = json!({ "name": "Ours" });
    let changed = ben.patch("/households/current", body).await.expect(200);
    for answer in [joined, current, changed] {
        assert_eq!(answer.get("inviteCode"), None, "{answer}");
    }
    anna.patch(&member_path(&ben), json!({ "role": "admin" })).await.expect(200);
    assert_eq!(invite_code(&ben).await, code);
}

#[tokio::test]
async fn a_removed_member_cannot_come_back_with_the_old_code() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    let old = invite_code(&anna).await;
    anna.delete(&member_path(&ben)).await.expect(204);
    let again = ben.post("/households/join", json!({ "inviteCode": old })).await;
    again.expect_problem(404, "INVITE_NOT_FOUND");
    let new = invite_code(&anna).await;
    assert_ne!(new, old);
    ben.post("/households/join", json!({ "inviteCode": new })).await.expect(200);
    // The same after leaving: the member may have been an admin, who knew the code.
    ben.delete(&member_path(&ben)).await.expect(204);
    let again = ben.post("/households/join", json!({ "inviteCode": new })).await;
    again.expect_problem(404, "INVITE_NOT_FOUND");
}

#[tokio::test]
async fn a_role_change_holds_at_once() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    anna.patch(&member_path(&ben), json!({ "role": "admin" })).await.expect(200);
    assert_eq!(ben.get("/me").await.expect(200)["role"], "admin");
    ben.patch(&member_path(&anna), json!({ "role": "member" })).await.expect(200);
    anna.post("/households/current/invite-code", json!({}))
        .await
        .expect_problem(403, "ADMIN_REQUIRED");
    let answer = ben.patch(&member_path(&anna), json!({ "role": "owner" })).await;
    answer.expect_invalid_field("role");
}

#[tokio::test]
async fn the_last_admin_neither_leaves_nor_steps_down() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    let step_down = anna.patch(&member_path(&anna), json!({ "role": "member" })).await;
    step_down.expect_problem(409, "LAST_ADMIN");
    anna.delete(&member_path(&anna)).await.expect_problem(409, "LAST_ADMIN");
    assert_eq!(anna.get("/me").await.expect(200)["role"], "admin");

    ben.delete(&member_path(&ben)).await.expect(204);
    anna.delete(&member_path(&anna)).await.expect_problem(409, "LAST_ADMIN");
}

#[tokio::test]
async fn two_admins_stepping_down_at_once_leave_one() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    anna.patch(&member_path(&ben), json!({ "role": "admin" })).await.expect(200);
    let (path_a, path_b) = (member_path(&anna), member_path(&ben));
    let demoted = json!({ "role": "member" });
    let (a, b) = tokio::join!(anna.patch(&path_a, demoted.clone()), ben.patch(&path_b, demoted));
    let mut statuses = [a.status, b.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{} / {}", a.text, b.text);
}

#[tokio::test]
async fn a_removed_member_loses_the_rights_at_once() {
    let server = Server::start().await;
    let (anna, ben) = family(&server).await;
    let item = anna.add("Rice", 2, "kg").await;
    let path = format!("/inventory/items/{}", id_of(&item));
    ben.get(&path).await.expect(200);

    anna.delete(&member_path(&ben)).await.expect(204);
    ben.get(&path).await.expect_problem(404, "ITEM_NOT_FOUND");
    ben.adjust(id_of(&item), -1).await.expect_problem(404, "ITEM_NOT_FOUND");
    assert_eq!(ben.items("").await, Vec::<Value>::new());
    ben.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");
    assert_eq!(ben.get("/me").await.expect(200)["householdId"], Value::Null);
    assert_eq!(amount(&anna.item(id_of(&item)).await["quantity"]), "2");
}

#[tokio::test]
async fn creating_a_household_keeps_personal_items_apart_unless_asked() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    anna.add("Diary", 1, "個").await;
    anna.create_household("Home").await;
    assert_eq!(anna.items("").await, Vec::<Value>::new());

    let ben = server.register("ben").await;
    ben.add("Rice", 2.5, "kg").await;
    let body = json!({ "name": "Ben's", "moveItems": true });
    let household = ben.post("/households", body).await.expect(201);
    let items = ben.items("").await;
    assert_eq!(names(&items), ["Rice"]);
    assert_eq!(items[0]["householdId"], household["id"]);
}

#[tokio::test]
async fn personal_items_come_back_into_view_after_leaving() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.add("Diary", 1, "個").await;
    ben.join(&anna).await;
    ben.delete(&member_path(&ben)).await.expect(204);
    assert_eq!(names(&ben.items("").await), ["Diary"]);
}

#[tokio::test]
async fn joining_with_move_items_merges_what_both_have() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 1, "kg").await;
    let ben = server.register("ben").await;
    ben.add("rice", 500, "g").await;
    ben.add("Salt", 1, "kg").await;
    let body = json!({ "inviteCode": invite_code(&anna).await, "moveItems": true });
    ben.post("/households/join", body).await.expect(200);

    let items = anna.items("sort=name").await;
    let stock: Vec<_> = items
        .iter()
        .map(|i| (i["name"].as_str().unwrap(), amount(&i["quantity"]), i["unit"].as_str().unwrap()))
        .collect();
    assert_eq!(stock, [("Rice", "1.5".to_owned(), "kg"), ("Salt", "1".to_owned(), "kg")]);

    ben.delete(&member_path(&ben)).await.expect(204);
    assert_eq!(ben.items("").await, Vec::<Value>::new(), "what has moved belongs to the household");
}
