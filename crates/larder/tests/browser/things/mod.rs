//! Things and where they are.

mod arranging;
mod looking;
mod together;

use serde_json::{Value, json};

use crate::browser::support::Browser;
use crate::it::support::{Client, encode, urn_of};

/// Creates a thing of this kind and name.
async fn make(client: &Client, kind: &str, name: &str, parent: Option<&str>) -> String {
    let attributes = json!({ "name": name });
    let new = json!({ "resourceType": kind, "parentUrn": parent, "attributes": attributes });
    urn_of(&client.make_with(new).await).to_owned()
}

/// A house with two rooms, and a box in the first of them, by their URNs.
async fn house(client: &Client) -> [String; 4] {
    let home = make(client, "Building", "Home", None).await;
    let attic = make(client, "Room", "Attic", Some(&home)).await;
    let cellar = make(client, "Room", "Cellar", Some(&home)).await;
    let chest = make(client, "Box", "Chest", Some(&attic)).await;
    [home, attic, cellar, chest]
}

/// A URN as the pages write it into addresses.
fn escaped(urn: &str) -> String {
    encode(urn).replace("%2D", "-")
}

fn page_of(urn: &str) -> String {
    format!("/things/{}", escaped(urn))
}

/// The page of all things with these unfolded.
fn unfolded(urns: &[&String]) -> String {
    let open: Vec<_> = urns.iter().map(|urn| format!("open={}", escaped(urn))).collect();
    format!("/things?{}", open.join("&"))
}

/// A selector of the row of a thing.
fn row_of(urn: &str) -> String {
    format!("[data-thing=\"{urn}\"]")
}

/// A selector of a thing's drag handle.
fn handle_of(urn: &str) -> String {
    format!("{} [data-handle]", row_of(urn))
}

/// The parent of a thing.
async fn parent_of(client: &Client, urn: &str) -> Value {
    client.resource(urn).await["_parentUrn"].clone()
}

/// Opens the form, and adds a new thing.
async fn add(browser: &Browser, opened_by: Option<&str>, name: &str, kind: &str) {
    if let Some(summary) = opened_by {
        browser.press(summary).await;
    }
    browser.fill("#new-name", name).await;
    browser.fill("#new-kind", kind).await;
    browser.press("Add").await;
    browser.sees("Added.").await;
}
