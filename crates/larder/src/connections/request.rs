//! Passes a connection's requests to the router, counted until their answers are sent.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, Version};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::service::Service;
use tower::Service as _;

use super::activity::{Activity, InFlight};

/// Answers the requests of one connection.
pub(super) struct Answering {
    router: Router,
    peer: SocketAddr,
    activity: Arc<Activity>,
}

impl Answering {
    pub(super) fn new(router: Router, peer: SocketAddr, activity: Arc<Activity>) -> Self {
        Self { router, peer, activity }
    }
}

impl Service<Request<Incoming>> for Answering {
    type Response = Response<Answer>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let in_flight = self.activity.begin(request.version() == Version::HTTP_2);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        // A router is always ready and never fails.
        let answered = self.router.clone().call(request.map(Body::new));
        Box::pin(async move { Ok(answered.await?.map(|body| Answer { body, in_flight })) })
    }
}

/// The body of an answer. The request is in flight until it is dropped.
pub(super) struct Answer {
    body: Body,
    #[expect(dead_code, reason = "held until the answer is dropped")]
    in_flight: InFlight,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
