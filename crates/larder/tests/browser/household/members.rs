//! Roles, and going.

use crate::browser::support::Browser;
use crate::it::support::Server;

#[tokio::test]
async fn an_admin_makes_another_who_then_can_let_the_first_one_go() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    ben.join(&anna).await;
    let of_anna = Browser::signed_in(&server, &anna).await;
    let of_ben = Browser::signed_in(&server, &ben).await;
    of_anna.go("/household").await;
    of_ben.go("/household").await;
    of_anna.sees("You are the only admin").await;
    assert_eq!(of_ben.count("form[action$='/role']").await, 0);

    of_anna.press("Edit ben").await;
    of_anna.press("Make admin").await;
    of_anna.sees("The role is changed.").await;
    // Ben's page, which is open, has the buttons of an admin now.
    of_ben.wait_for("document.querySelectorAll(\"form[action$='/role']\").length === 1").await;
    of_anna.run("window.confirm = () => true").await;
    of_anna.press("Leave").await;
    of_anna.sees("You have left the household.").await;
    of_anna.wait_for("location.pathname === '/welcome'").await;
    of_ben.sees_no("anna@example.org").await;
    let members = ben.get("/households/current/members").await.expect(200);
    assert_eq!(members.as_array().unwrap().len(), 1);
    assert_eq!(members[0]["role"], "admin");
}

#[tokio::test]
async fn settings_are_saved_in_place_while_somebody_else_changes_them() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    ben.join(&anna).await;
    let of_anna = Browser::signed_in(&server, &anna).await;
    let of_ben = Browser::signed_in(&server, &ben).await;
    of_anna.go("/household").await;
    of_ben.go("/household").await;
    // Ben is typing while Anna saves: his input stays, the rest of the page changes.
    of_ben.fill("#name", "Ben's place").await;
    of_anna.fill("#name", "Villa").await;
    of_anna.set("#zone", "Europe/Berlin").await;
    of_anna.press("Save").await;
    of_anna.sees("Saved.").await;
    of_ben.says("h1", "Villa").await;
    assert_eq!(of_ben.run("return document.querySelector('#name').value").await, "Ben's place");
    let household = anna.get("/households/current").await.expect(200);
    assert_eq!(household["name"], "Villa");
    assert_eq!(household["timeZone"], "Europe/Berlin");
}

#[tokio::test]
async fn a_notification_is_seen_with_one_tap() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/notifications").await;
    phone.sees("Nothing to worry about").await;
    // It appears while the page is open.
    let low =
        serde_json::json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    anna.add_item(low).await;
    phone.sees("1 kg left, at least 2 kg wanted").await;
    phone.press("Mark as read").await;
    phone.says("#acknowledged", "Rice").await;
    let seen = anna.all_pages("/notifications", "status=acknowledged").await;
    assert_eq!(seen.len(), 1);
}
