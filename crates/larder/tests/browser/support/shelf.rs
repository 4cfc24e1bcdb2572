//! Something at home with a tag on it, ready to be tapped.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of, page_of};

/// An item, its tag, and the admin who created both.
pub(crate) struct Shelf {
    pub(crate) admin: Client,
    pub(crate) item: Value,
    pub(crate) tag: Value,
}

impl Shelf {
    /// Six eggs.
    pub(crate) async fn of_eggs(server: &Server) -> Self {
        Self::of(server, json!({ "name": "Eggs", "quantity": 6, "unit": "個" })).await
    }

    /// Any other item, in a new household.
    pub(crate) async fn of(server: &Server, item: Value) -> Self {
        Self::with_step(server, item, json!({})).await
    }

    /// The same with details of the tag.
    pub(crate) async fn with_step(server: &Server, item: Value, tag: Value) -> Self {
        Self::filled(server.with_household("anna").await, item, tag).await
    }

    /// Another one in the same household.
    pub(crate) async fn another(&self, item: Value) -> Self {
        Self::filled(self.admin.clone(), item, json!({})).await
    }

    async fn filled(admin: Client, item: Value, tag: Value) -> Self {
        let item = admin.add_item(item).await;
        let tag = admin.add_tag(&item, tag).await;
        Self { admin, item, tag }
    }

    /// Deletes the item.
    pub(crate) async fn remove(&self) {
        self.admin.delete(&format!("/inventory/items/{}", id_of(&self.item))).await.expect(204);
    }

    /// The page of the tag.
    pub(crate) fn path(&self) -> String {
        page_of(&self.tag)
    }

    /// How much is left.
    pub(crate) async fn left(&self) -> String {
        amount(&self.admin.item(id_of(&self.item)).await["quantity"])
    }

    /// The number of page views.
    pub(crate) async fn visits(&self) -> u64 {
        self.admin.tags().await[0]["accessCount"].as_u64().expect("a tag counts")
    }
}
