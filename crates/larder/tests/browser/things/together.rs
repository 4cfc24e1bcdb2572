//! Several people, and unique numbers.

use serde_json::json;

use super::{house, make, page_of};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Server, resource_path};

#[tokio::test]
async fn what_another_adds_appears_while_somebody_types() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [home, attic, ..] = house(&anna).await;
    let (phone, laptop) = (
        Browser::signed_in(&server, &anna).await,
        Browser::signed_in_with(&server, &anna, Options::default().laptop()).await,
    );
    phone.go(&page_of(&attic)).await;
    phone.press("Put something new inside").await;
    phone.fill("#new-name", "Half a na").await;
    laptop.go(&page_of(&attic)).await;
    super::add(&laptop, Some("Put something new inside"), "Suitcase", "bag").await;
    phone.sees("Suitcase").await;
    let typed = "return [document.querySelector('#new-name').value, document.activeElement.id]";
    assert_eq!(phone.run(typed).await, json!(["Half a na", "new-name"]));
    // The move of the thing itself is pushed, too.
    anna.delete(&format!("{}/parent", resource_path(&attic))).await.expect(200);
    phone.wait_for("document.querySelectorAll('.crumbs li').length === 1").await;
    assert_eq!(phone.run(typed).await, json!(["Half a na", "new-name"]));
    assert_ne!(home, attic);
}

#[tokio::test]
async fn what_somebody_writes_over_another_s_change_is_shown_beside_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.expect_complaint("status of 409");
    phone.go(&page_of(&tent)).await;
    phone.press("Edit").await;
    phone.fill("#name", "Old tent").await;
    let theirs = json!({ "attributes": { "name": "Big tent" } });
    anna.put_if(&resource_path(&tent), "*", theirs).await.expect(200);
    phone.press("Save").await;
    phone.sees("Somebody else has changed this while you were writing.").await;
    assert_eq!(phone.texts("#conflict tbody td").await, ["Old tent", "Big tent"]);
    // Other changes in the household do not dismiss the question.
    anna.add("Rice", 1, "kg").await;
    phone.press("Save mine").await;
    phone.sees("Saved.").await;
    assert_eq!(anna.resource(&tent).await["attributes"], json!({ "name": "Old tent" }));
}

#[tokio::test]
async fn a_number_that_is_taken_says_by_what_and_keeps_what_was_typed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [drill, saw] =
        [make(&anna, "Tool", "Drill", None).await, make(&anna, "Tool", "Saw", None).await];
    let phone = Browser::signed_in(&server, &anna).await;
    phone.expect_complaint("status of 409");
    for (thing, message) in [(&drill, "Number added."), (&saw, "“Drill” has “S-1” already")]
    {
        phone.go(&page_of(thing)).await;
        phone.press("More").await;
        phone.press("Add a number").await;
        phone.fill("#property", "Serial number").await;
        phone.fill("#number", "S-1").await;
        phone.click("#add-number button").await;
        phone.sees(message).await;
    }
    assert_eq!(phone.run("return document.querySelector('#number').value").await, "S-1");
    assert_eq!(anna.resource(&saw).await["uniqueKeys"], json!([]));
    phone.go(&page_of(&drill)).await;
    phone.press("More").await;
    phone.press("Remove S-1").await;
    phone.sees("The number is free again.").await;
    assert_eq!(anna.resource(&drill).await["uniqueKeys"], json!([]));
}

#[tokio::test]
async fn a_group_shares_or_not_at_the_press_of_a_box() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let camping = make(&anna, "Group", "Camping", None).await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go(&page_of(&tent)).await;
    phone.press("More").await;
    phone.press("Add it to a group").await;
    phone.press("Choose Camping").await;
    phone.sees("Done: they belong together.").await;
    phone.press("More").await;
    let members = format!("{}/members", resource_path(&camping));
    let conveys = async || {
        let members = anna.get(&members).await.expect(200);
        members["items"][0]["conveysAuthorization"] == true
    };
    assert!(!conveys().await);
    phone.click("#groups input[name=conveys]").await;
    phone.wait_until("it is shared", conveys).await;
    phone.press("Remove Camping").await;
    phone.sees("Taken out of the group.").await;
    assert_eq!(phone.count("#groups li").await, 0);
}
