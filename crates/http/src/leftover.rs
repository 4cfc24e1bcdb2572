//! The unread rest of a request's body.
//!
//! A refusal often precedes reading the body. On a keep-alive connection the rest of the body comes
//! before the next request, so it must be read, or the connection closed; a client that is not told
//! of the close loses its next request.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    http::{Version, header},
};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::sync::oneshot;

/// Time limit for the rest. Bytes sent with the header have already arrived; waiting longer only
/// helps clients that are still sending.
const PROMPTLY: Duration = Duration::from_secs(1);

/// Receives the rest of a request's body.
#[derive(Debug)]
pub(crate) struct Leftover {
    returned: oneshot::Receiver<Lent>,
}

impl Leftover {
    /// Lends the body to the handler. `None` if there is no body, or if its rest does no harm:
    /// HTTP/2 gives each request a stream of its own.
    pub(crate) fn of(request: &mut Request) -> Option<Self> {
        if request.body().is_end_stream() || request.version() == Version::HTTP_2 {
            return None;
        }
        // Such a client sends the body only after 100 Continue, which reading would trigger.
        let is_sent = !request.headers().contains_key(header::EXPECT);
        let (give_back, returned) = oneshot::channel();
        let body = std::mem::take(request.body_mut());
        let lent = Lent { body, is_sent, has_ended: false, give_back: Some(give_back) };
        *request.body_mut() = Body::new(lent);
        Some(Self { returned })
    }

    /// Reads the rest, if it is at most `most` bytes and arrives promptly; returns whether the
    /// connection is reusable.
    pub(crate) async fn clear(mut self, most: usize) -> bool {
        match self.returned.try_recv() {
            // Read to its end.
            Err(_) => true,
            Ok(lent) if !lent.is_sent => false,
            Ok(lent) => tokio::time::timeout(PROMPTLY, read_on(lent, most)).await.unwrap_or(false),
        }
    }
}

async fn read_on(mut body: Lent, most: usize) -> bool {
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let mut total = 0_u64;
    while total.saturating_add(body.size_hint().lower()) <= most {
        match body.frame().await {
            None => return true,
            Some(Err(_)) => return false,
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len);
                total = total.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
            }
        }
    }
    false
}

/// A body that is returned if it is dropped before its end.
#[derive(Debug)]
struct Lent {
    body: Body,
    /// Whether the client sends it without 100 Continue.
    is_sent: bool,
    has_ended: bool,
    give_back: Option<oneshot::Sender<Lent>>,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.is_sent = true;
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.has_ended |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(give_back) = self.give_back.take() else { return };
        if self.has_ended || self.body.is_end_stream() {
            return;
        }
        let body = std::mem::take(&mut self.body);
        let lent = Self { body, is_sent: self.is_sent, has_ended: false, give_back: None };
        // If the request was cancelled, the body is not needed.
        let _ = give_back.send(lent);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::http::HeaderValue;
    use futures_util::stream;

    use super::*;

    fn chunks(chunks: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(chunks.iter().copied().map(Ok::<_, Infallible>)))
    }

    fn lend(body: Body) -> (Request, Option<Leftover>) {
        let mut request = Request::new(body);
        let leftover = Leftover::of(&mut request);
        (request, leftover)
    }

    #[tokio::test]
    async fn what_was_not_read_is_read_up_to_the_bound() {
        for (most, cleared) in [(7, true), (6, false)] {
            let (request, leftover) = lend(chunks(&["abc", "defg"]));
            drop(request);
            assert_eq!(leftover.unwrap().clear(most).await, cleared, "{most}");
        }
    }

    #[tokio::test]
    async fn what_was_read_in_part_counts_from_there() {
        let (mut request, leftover) = lend(chunks(&["abc", "defg"]));
        request.body_mut().frame().await.unwrap().unwrap();
        drop(request);
        assert!(leftover.unwrap().clear(4).await);
    }

    #[tokio::test]
    async fn a_body_read_to_its_end_leaves_nothing() {
        let (request, leftover) = lend(chunks(&["abc"]));
        request.into_body().collect().await.unwrap();
        assert!(leftover.unwrap().clear(0).await);
        assert!(lend(Body::empty()).1.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_come_is_not_waited_for() {
        let (request, leftover) =
            lend(Body::from_stream(stream::pending::<Result<Bytes, Infallible>>()));
        drop(request);
        let started = tokio::time::Instant::now();
        assert!(!leftover.unwrap().clear(10).await);
        assert_eq!(started.elapsed(), PROMPTLY);
    }

    #[tokio::test]
    async fn a_client_that_waits_to_be_asked_is_not_asked() {
        let mut request = Request::new(chunks(&["abc"]));
        request.headers_mut().insert(header::EXPECT, HeaderValue::from_static("100-continue"));
        let leftover = Leftover::of(&mut request);
        drop(request);
        assert!(!leftover.unwrap().clear(10).await);
    }

    #[tokio::test]
    async fn a_broken_body_ends_the_connection() {
        let broken = stream::iter([Ok(Bytes::from("{")), Err(std::io::Error::other("reset"))]);
        let (request, leftover) = lend(Body::from_stream(broken));
        drop(request);
        assert!(!leftover.unwrap().clear(10).await);
    }

    #[test]
    fn streams_of_http_2_stand_in_nobodys_way() {
        let mut request = Request::new(chunks(&["abc"]));
        *request.version_mut() = Version::HTTP_2;
        assert!(Leftover::of(&mut request).is_none());
    }
}
