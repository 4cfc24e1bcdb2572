//! `ETag`s and conditional requests: for JSON answers, and for those that bring a tag along.

use axum::{
    body::{Body, HttpBody, to_bytes},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use xxhash_rust::xxh3::xxh3_128;

use crate::Problem;

/// The conditional headers of a request.
#[derive(Debug)]
pub(crate) struct Conditional {
    applies: bool,
    if_none_match: Vec<HeaderValue>,
}

impl Conditional {
    /// Taken from the request before its handler consumes it. Allocates only if the client has a
    /// copy.
    pub(crate) fn of(method: &Method, headers: &HeaderMap) -> Self {
        let applies = method == Method::GET || method == Method::HEAD;
        let validators = headers.get_all(header::IF_NONE_MATCH).into_iter();
        Self { applies, if_none_match: validators.filter(|_| applies).cloned().collect() }
    }

    /// Adds an `ETag` to a complete JSON answer, or answers 304 if the client has the same one. An
    /// answer with a tag of its own may be of any type.
    ///
    /// Streams, such as Server-Sent Events, pass untouched: they have no length and no end.
    pub(crate) async fn answer(&self, response: Response) -> Response {
        if !self.applies || response.status() != StatusCode::OK || !has_or_gets_tag(&response) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let body = match to_bytes(body, usize::MAX).await {
            Ok(body) => body,
            Err(error) => return Problem::internal(&error).into_response(),
        };
        let tag = match parts.headers.get(header::ETAG) {
            Some(own) => own.clone(),
            None => tag_of(&body),
        };
        let unchanged = self.matches(&tag);
        parts.headers.insert(header::ETAG, tag);
        if unchanged {
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_TYPE);
            parts.headers.remove(header::CONTENT_LENGTH);
            return Response::from_parts(parts, Body::empty());
        }
        Response::from_parts(parts, Body::from(body))
    }

    /// The weak comparison of RFC 9110, 8.8.3.2, required for `If-None-Match`.
    fn matches(&self, tag: &HeaderValue) -> bool {
        let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
        let wanted = opaque(tag.as_bytes());
        let listed =
            self.if_none_match.iter().flat_map(|value| value.as_bytes().split(|b| *b == b','));
        // A comma inside a quoted tag cannot match: our tags consist of hex digits.
        listed.map(<[u8]>::trim_ascii).any(|listed| listed == b"*" || opaque(listed) == wanted)
    }
}

fn has_or_gets_tag(response: &Response) -> bool {
    let content_type = response.headers().get(header::CONTENT_TYPE);
    let is_json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    (content_type.is_some_and(is_json) || response.headers().contains_key(header::ETAG))
        && response.body().size_hint().exact().is_some()
}

/// The strong `ETag` of a body.
pub fn tag_of(body: &[u8]) -> HeaderValue {
    let text = format!("\"{:032x}\"", xxh3_128(body));
    HeaderValue::try_from(text).expect("quoted hex digits are a valid header value")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Json, testing::bytes};

    async fn get(if_none_match: &[&str], response: impl IntoResponse) -> Response {
        let values = if_none_match
            .iter()
            .map(|value| (header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap()));
        let mut headers = HeaderMap::new();
        values.for_each(|(name, value)| _ = headers.append(name, value));
        Conditional::of(&Method::GET, &headers).answer(response.into_response()).await
    }

    async fn tag(body: serde_json::Value) -> String {
        get(&[], Json::of(&body)).await.headers()[header::ETAG].to_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn the_tag_follows_the_body() {
        let one = tag(json!({ "n": 1 })).await;
        assert_eq!(one, tag(json!({ "n": 1 })).await);
        assert_ne!(one, tag(json!({ "n": 2 })).await);
        assert_eq!(one.len(), 34);
    }

    #[tokio::test]
    async fn the_body_arrives_unchanged() {
        assert_eq!(bytes(get(&[], Json::of(&json!({ "n": 1 }))).await).await, "{\"n\":1}");
    }

    #[tokio::test]
    async fn a_client_that_holds_the_same_gets_304_without_a_body() {
        let tag = tag(json!({ "n": 1 })).await;
        let list = format!("\"other\", {tag}");
        let weak = format!("W/{tag}");
        for held in [&[&*tag][..], &[&*list], &[&*weak], &["*"], &["\"other\"", &*tag]] {
            let response = get(held, Json::of(&json!({ "n": 1 }))).await;
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{held:?}");
            assert_eq!(response.headers()[header::ETAG], tag);
            assert!(!response.headers().contains_key(header::CONTENT_TYPE));
            assert!(bytes(response).await.is_empty());
        }
    }

    #[tokio::test]
    async fn an_answer_of_another_type_has_the_tag_that_it_brings() {
        let picture = || ([(header::ETAG, "\"ab\""), (header::CONTENT_TYPE, "image/jpeg")], "jpeg");
        let unchanged = get(&["\"ab\""], picture()).await;
        assert_eq!(unchanged.status(), StatusCode::NOT_MODIFIED);
        assert!(bytes(unchanged).await.is_empty());
        assert_eq!(bytes(get(&["\"cd\""], picture()).await).await, "jpeg");
        let without = ([(header::CONTENT_TYPE, "image/jpeg")], "jpeg");
        assert!(!get(&["*"], without).await.headers().contains_key(header::ETAG));
    }

    #[tokio::test]
    async fn a_client_that_holds_another_gets_the_body() {
        let response = get(&["\"0123\""], Json::of(&json!({ "n": 1 }))).await;
        assert_eq!(response.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn errors_streams_and_other_types_have_no_tag() {
        let stream = futures_util::stream::pending::<Result<::bytes::Bytes, std::io::Error>>();
        let event_stream =
            ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(stream));
        assert!(!get(&["*"], event_stream).await.headers().contains_key(header::ETAG));
        assert!(!get(&["*"], "text").await.headers().contains_key(header::ETAG));
        assert_eq!(get(&["*"], Problem::not_found()).await.status(), StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn a_post_has_no_tag() {
        let conditional = Conditional::of(&Method::POST, &HeaderMap::new());
        let response = conditional.answer(Json::of(&json!({})).into_response()).await;
        assert!(!response.headers().contains_key(header::ETAG));
    }
}
