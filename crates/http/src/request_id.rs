//! Every request has an id: the client's if it is a safe token, ours otherwise.
//!
//! The id travels with the task, so that a [`Problem`](crate::Problem) or a log line can name it
//! without any handler passing it on.

use std::{
    future::Future,
    sync::atomic::{AtomicU64, Ordering},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// `X-Request-Id`.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Long enough for a UUID, a ULID or a trace id with a prefix; short enough for any log line.
const MAX_LEN: usize = 64;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// The id of one request: 1 to 64 of `A-Z a-z 0-9 . _ -`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id of the request that this task is answering, if it is answering one.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Runs a future as part of this request.
    pub fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().expect("a request id is made of safe ASCII only")
    }

    /// The id as a header value; costs no copy.
    pub(crate) fn header_value(&self) -> HeaderValue {
        self.0.clone()
    }

    fn from_client(headers: &HeaderMap) -> Option<Self> {
        let value = headers.get(HEADER)?;
        let token = value.as_bytes();
        let safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        ((1..=MAX_LEN).contains(&token.len()) && token.iter().all(safe))
            .then(|| Self(value.clone()))
    }
}

/// Generates ids that are unique in this process and, by a random seed, across processes.
#[derive(Debug)]
pub struct RequestIds {
    seed: [u8; 8],
    next: AtomicU64,
}

impl RequestIds {
    /// Ids that start with this seed, which should be random.
    pub const fn new(seed: [u8; 8]) -> Self {
        Self { seed, next: AtomicU64::new(0) }
    }

    /// The id for a request with these headers.
    pub fn for_request(&self, headers: &HeaderMap) -> RequestId {
        RequestId::from_client(headers).unwrap_or_else(|| self.make())
    }

    fn make(&self) -> RequestId {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let count = self.next.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let mut text = [0; 32];
        let digits = self.seed.iter().chain(&count);
        for (pair, byte) in text.as_chunks_mut::<2>().0.iter_mut().zip(digits) {
            *pair = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
        }
        RequestId(HeaderValue::from_bytes(&text).expect("hex digits are a valid header value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_for(token: &str) -> RequestId {
        let headers = HeaderMap::from_iter([(HEADER, HeaderValue::from_str(token).unwrap())]);
        RequestIds::new([0xab; 8]).for_request(&headers)
    }

    #[test]
    fn a_safe_token_is_taken_as_it_is() {
        assert_eq!(id_for("Trace-01.a_B").as_str(), "Trace-01.a_B");
        assert_eq!(id_for(&"x".repeat(64)).as_str(), "x".repeat(64));
    }

    #[test]
    fn an_unsafe_token_is_replaced() {
        for token in ["", "a b", "a\"b", "a/b", "<script>", &"x".repeat(65)] {
            assert_eq!(id_for(token).as_str(), "abababababababab0000000000000000", "{token:?}");
        }
    }

    #[test]
    fn made_ids_differ() {
        let ids = RequestIds::new([1, 2, 3, 4, 5, 6, 7, 0xff]);
        let none = HeaderMap::new();
        assert_eq!(ids.for_request(&none).as_str(), "01020304050607ff0000000000000000");
        assert_eq!(ids.for_request(&none).as_str(), "01020304050607ff0000000000000001");
    }

    #[tokio::test]
    async fn the_id_is_known_inside_its_scope_only() {
        let id = id_for("here");
        assert_eq!(id.clone().scope(async { RequestId::current() }).await, Some(id));
        assert_eq!(RequestId::current(), None);
    }
}
