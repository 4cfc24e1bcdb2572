//! Shared helpers for the relational store.

use reqwest::{Method, header};
use serde_json::{Value, json};

use super::{Answer, Client, encode};

impl Client {
    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PUT, path).json(&body)).await
    }

    /// A conditional PUT with this `ETag`.
    pub(crate) async fn put_if(&self, path: &str, tag: &str, body: Value) -> Answer {
        let request = self.request(Method::PUT, path).header(header::IF_MATCH, tag);
        self.send(request.json(&body)).await
    }

    /// Creates a resource with only a type and a parent, and returns its URN.
    pub(crate) async fn make(&self, resource_type: &str, parent: Option<&str>) -> String {
        let made = self.make_with(json!({ "resourceType": resource_type, "parentUrn": parent }));
        urn_of(&made.await).to_owned()
    }

    /// Creates a resource with these fields; without attributes unless given.
    pub(crate) async fn make_with(&self, mut body: Value) -> Value {
        let fields = body.as_object_mut().expect("a body is an object");
        fields.entry("attributes").or_insert_with(|| json!({}));
        self.post("/resources", body).await.expect(201)
    }

    /// The resource as it is now.
    pub(crate) async fn resource(&self, urn: &str) -> Value {
        self.get(&resource_path(urn)).await.expect(200)
    }

    /// Puts a resource into another.
    pub(crate) async fn attach(&self, child: &str, parent: &str) -> Answer {
        let path = format!("{}/parent", resource_path(child));
        self.put(&path, json!({ "parentUrn": parent })).await
    }

    /// Puts a resource into a collection.
    pub(crate) async fn add_member(
        &self,
        collection: &str,
        member: &str,
        conveys_authorization: bool,
    ) -> Answer {
        let body = json!({ "conveysAuthorization": conveys_authorization });
        self.put(&member_path(collection, member), body).await
    }
}

/// The path of a resource.
pub(crate) fn resource_path(urn: &str) -> String {
    format!("/resources/{}", encode(urn))
}

/// The path of a membership.
pub(crate) fn member_path(collection: &str, member: &str) -> String {
    format!("{}/members/{}", resource_path(collection), encode(member))
}

/// The URN of a resource.
#[track_caller]
pub(crate) fn urn_of(resource: &Value) -> &str {
    resource["urn"].as_str().unwrap_or_else(|| panic!("no URN in {resource}"))
}

/// The URNs of a list, in its order.
#[track_caller]
pub(crate) fn urns(resources: &[Value]) -> Vec<&str> {
    resources.iter().map(urn_of).collect()
}
