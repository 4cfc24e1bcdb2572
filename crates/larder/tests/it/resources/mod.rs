//! The relational store: things of any kind, and how they belong together.

mod bad_input;
mod changing;
mod collections;
mod guests;
mod hostile_urns;
mod listing;
mod making;
mod photos;
mod strangers;
mod trees;
mod unique_keys;

use serde_json::{Value, json};

use crate::it::support::{Client, Server};

/// A household, and a way to see that its resources are as they were.
struct Home {
    server: Server,
    anna: Client,
}

impl Home {
    async fn open() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        Self { server, anna }
    }

    /// Every resource of the household.
    async fn state(&self) -> Vec<Value> {
        self.anna.all_pages("/resources", "limit=200").await
    }
}

/// These fields of a new resource, which is a box without attributes unless they say otherwise.
fn box_with(mut fields: Value) -> Value {
    let body = fields.as_object_mut().unwrap();
    body.entry("resourceType").or_insert_with(|| json!("Home.Box"));
    body.entry("attributes").or_insert_with(|| json!({}));
    fields
}

/// An id that no resource has.
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";
