//! Tags created by an admin, and taps sent by a phone.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Answer, Client, id_of};

impl Client {
    /// Creates a tag of an item.
    pub(crate) async fn add_tag(&self, item: &Value, body: Value) -> Value {
        self.post(&tags_of(item), body).await.expect(201)
    }

    /// All tags of the household, in the order of the list.
    pub(crate) async fn tags(&self) -> Vec<Value> {
        self.all_pages("/nfc-urls", "limit=200").await
    }

    /// Replaces a tag.
    pub(crate) async fn rotate(&self, tag: &Value) -> Answer {
        self.post(&rotation_of(tag), json!({})).await
    }

    /// The request of the page's script.
    pub(crate) async fn tap(&self, tag: &Value, delta: i64, nonce: &str) -> Answer {
        let request = self.request_root(Method::POST, &adjustment_of(tag));
        self.send(request.json(&json!({ "delta": delta, "nonce": nonce }))).await
    }

    /// The request of the page's form.
    pub(crate) async fn submit(&self, tag: &Value, delta: &str, nonce: &str) -> Answer {
        self.send(self.form(tag, &format!("delta={delta}&nonce={nonce}"))).await
    }

    /// The same with any text for a body.
    pub(crate) fn form(&self, tag: &Value, body: &str) -> RequestBuilder {
        let request = self.request_root(Method::POST, &adjustment_of(tag));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        request.body(body.to_owned())
    }

    /// The page of a tag.
    pub(crate) async fn page(&self, tag: &Value) -> Answer {
        self.get_root(&page_of(tag)).await
    }
}

/// `/t/{urlId}`.
pub(crate) fn page_of(tag: &Value) -> String {
    format!("/t/{}", url_id(tag))
}

/// `/t/{urlId}/adjust`.
pub(crate) fn adjustment_of(tag: &Value) -> String {
    format!("/t/{}/adjust", url_id(tag))
}

/// The path of an item's tags.
pub(crate) fn tags_of(item: &Value) -> String {
    format!("/inventory/items/{}/nfc-urls", id_of(item))
}

/// The path for replacing a tag.
pub(crate) fn rotation_of(tag: &Value) -> String {
    let item = tag["itemId"].as_str().expect("a tag has an item");
    format!("/inventory/items/{item}/nfc-urls/{}/rotate", url_id(tag))
}

/// The path for changing and deleting a tag.
pub(crate) fn tag_path(tag: &Value) -> String {
    format!("/nfc-urls/{}", url_id(tag))
}

/// The last part of a tag's URL.
pub(crate) fn url_id(tag: &Value) -> &str {
    tag["urlId"].as_str().unwrap_or_else(|| panic!("no urlId in {tag}"))
}
