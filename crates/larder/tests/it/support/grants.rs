//! Shared helpers for grants and deletions.

use serde_json::{Value, json};

use super::{Answer, Client, encode, id_of, resource_path};

impl Client {
    /// Creates a box, with or without a parent, and returns its URN.
    pub(crate) async fn make_box(&self, parent: Option<&str>) -> String {
        self.make("Home.Box", parent).await
    }

    /// A resource that may not exist, or not be visible to this client.
    pub(crate) async fn look_at(&self, urn: &str) -> Answer {
        self.get(&resource_path(urn)).await
    }

    /// Grants a principal something.
    pub(crate) async fn grant(&self, principal: &str, urn: &str, actions: &[&str]) -> Answer {
        self.put(&grant_path(principal, urn), json!({ "actions": actions })).await
    }

    /// Revokes it.
    pub(crate) async fn revoke(&self, principal: &str, urn: &str) -> Answer {
        self.delete(&grant_path(principal, urn)).await
    }

    /// Everything that the household has granted.
    pub(crate) async fn grants(&self) -> Vec<Value> {
        self.all_pages("/grants", "").await
    }

    /// Checks a principal's access.
    pub(crate) async fn may(&self, principal: &str, action: &str, urn: &str) -> Value {
        let (principal, urn) = (encode(principal), encode(urn));
        let path = format!("/authorize?principal={principal}&action={action}&urn={urn}");
        self.get(&path).await.expect(200)
    }

    /// The account that this person's household is.
    pub(crate) async fn account(&self) -> String {
        let household = self.get("/households/current").await.expect(200);
        format!("urn:pp:System.Account::{}", id_of(&household))
    }

    /// The principal that this person is.
    pub(crate) fn principal(&self) -> String {
        format!("urn:pp:System.User::{}", self.user_id)
    }
}

/// The path of a grant.
pub(crate) fn grant_path(principal: &str, urn: &str) -> String {
    format!("/grants/{}/{}", encode(principal), encode(urn))
}
