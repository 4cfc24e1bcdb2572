//! Things: their pages and forms.

mod arranging;
mod deleting;
mod finding;
mod kinds;
mod making;
mod photos;

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, encode, urn_of};

/// Creates a thing of this kind and name.
async fn make(client: &Client, kind: &str, name: &str, parent: Option<&str>) -> String {
    let attributes = json!({ "name": name });
    let new = json!({ "resourceType": kind, "parentUrn": parent, "attributes": attributes });
    urn_of(&client.make_with(new).await).to_owned()
}

/// A URN as the pages write it into addresses.
fn escaped(urn: &str) -> String {
    encode(urn).replace("%2D", "-")
}

fn page_of(urn: &str) -> String {
    format!("/things/{}", escaped(urn))
}

async fn house() -> (Server, Client, Reader) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/things").await.expect(200);
    (server, anna, reader)
}

#[track_caller]
fn shows(page: &Page, text: &str) {
    assert!(page.says(text), "“{text}” is not on the page: {}", page.visible());
}

#[track_caller]
fn hides(page: &Page, text: &str) {
    assert!(!page.says(text), "“{text}” is on the page: {}", page.visible());
}

async fn all(client: &Client) -> Vec<Value> {
    client.all_pages("/resources", "").await
}
