//! Everything that happens around a handler, in one place and one order.

use std::{
    any::Any,
    future::Future,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use tracing::Instrument;

use crate::{
    Limits, LinkSettings, Metrics, Problem, RequestIds, TrustedProxies, access_log,
    etag::Conditional, leftover::Leftover, metrics::Route, problem, request_id,
};

/// Settings of the stack.
#[derive(Debug)]
pub struct HttpSettings {
    /// The bounds of one request.
    pub limits: Limits,
    /// The metrics of requests.
    pub metrics: Arc<Metrics>,
    /// The generator of request ids.
    pub request_ids: RequestIds,
    /// Proxies whose client addresses are trusted.
    pub trusted_proxies: TrustedProxies,
    /// How links begin.
    pub links: LinkSettings,
}

/// An extension of responses whose body is a page. The stack keeps the body, whatever the status.
#[derive(Clone, Copy, Debug)]
pub struct RenderedPage;

/// Wraps a complete router: request id, metrics, access log, time limit, panics, problems for every
/// error, `ETag`s, unread bodies, and security headers.
///
/// Routes added afterwards are not covered, so this comes last.
pub fn stack(router: Router, settings: HttpSettings) -> Router {
    // One middleware instead of eight: each separate layer would cost every request a boxed future
    // and a clone of the inner service.
    router.layer(from_fn_with_state(Arc::new(settings), answer))
}

async fn answer(
    State(settings): State<Arc<HttpSettings>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let _in_flight = settings.metrics.begin();
    let id = settings.request_ids.for_request(request.headers());
    let method = request.method().clone();
    let route = Route(request.extensions().get::<MatchedPath>().cloned());
    let conditional = Conditional::of(&method, request.headers());
    request.extensions_mut().insert(Arc::clone(&settings));
    request.extensions_mut().insert(settings.trusted_proxies.clone());
    request.extensions_mut().insert(settings.links.clone());
    let leftover = Leftover::of(&mut request);

    let span = tracing::debug_span!("request", id = id.as_str());
    let handled = async {
        let response = survive(next.run(request), settings.limits.request_time).await;
        conditional.answer(as_problem(response)).await
    };
    let mut response = id.clone().scope(handled).instrument(span).await;

    if let Some(leftover) = leftover
        && !leftover.clear(settings.limits.body_bytes).await
    {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    secure(response.headers_mut());
    response.headers_mut().insert(request_id::HEADER, id.header_value());
    let took = started.elapsed();
    settings.metrics.record(&method, &route, response.status(), took);
    access_log::record(&id, &method, &route, response.status(), took);
    response
}

/// Turns panics and time-outs into problems.
///
/// The limit is on the time until the answer begins, so a stream of events may last.
async fn survive(handled: impl Future<Output = Response>, limit: Duration) -> Response {
    let handled = AssertUnwindSafe(handled).catch_unwind();
    match tokio::time::timeout(limit, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => Problem::internal(&panic_message(&*panic)).into_response(),
        Err(_) => Problem::unavailable(&"the time limit of the request has passed").into_response(),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

/// Turns every error into a problem, including those of the router and of extractors.
///
/// A [`RenderedPage`] stays as it is.
fn as_problem(response: Response) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let content_type = response.headers().get(header::CONTENT_TYPE);
    let is_problem = content_type.is_some_and(|value| value == problem::CONTENT_TYPE);
    if is_problem || response.extensions().get::<RenderedPage>().is_some() {
        return response;
    }
    let mut headers = response.into_parts().0.headers;
    // Headers of the replaced body.
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    let mut problem = Problem::for_status(status).into_response();
    // The handler's other headers, such as `Allow` or `Retry-After`, remain.
    problem.headers_mut().extend(headers);
    problem
}

/// Security headers without cost. A handler's own headers win.
fn secure(headers: &mut HeaderMap) {
    headers.reserve(5);
    // Only answers that can be revalidated may be cached, and only by the client.
    let caching = if headers.contains_key(header::ETAG) { "private, no-cache" } else { "no-store" };
    for (name, value) in [
        (header::CACHE_CONTROL, caching),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

#[cfg(test)]
#[path = "stack_tests.rs"]
mod tests;
