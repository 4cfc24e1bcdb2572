//! A server with a remote store listens before the store is open, and answers 503 until then.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use tower::Service;

/// Answers that the server is not ready, until it is.
#[derive(Clone)]
pub(crate) struct StartupGate {
    until_open: Router,
    inside: Arc<OnceLock<Router>>,
}

impl StartupGate {
    /// A closed gate: `until_open` answers.
    pub(crate) fn closed(until_open: Router) -> Self {
        Self { until_open, inside: Arc::default() }
    }

    /// From now on, `inside` answers, also on existing connections.
    pub(crate) fn open(&self, inside: Router) {
        // Set once; the first router stays.
        let _ = self.inside.set(inside);
    }

    /// The router to serve. An open gate adds no cost per request.
    pub(crate) fn router(self) -> Router {
        match self.inside.get() {
            Some(inside) => inside.clone(),
            None => Router::new().fallback(enter).with_state(self),
        }
    }
}

async fn enter(State(gate): State<StartupGate>, request: Request) -> Response {
    let mut router = gate.inside.get().unwrap_or(&gate.until_open).clone();
    // A router is always ready and never fails.
    router.call(request).await.into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::routing::get;

    use super::*;

    async fn answer(router: &mut Router, path: &str) -> u16 {
        let request = Request::get(path).body(Body::empty()).unwrap();
        router.call(request).await.unwrap().status().as_u16()
    }

    #[tokio::test]
    async fn a_closed_gate_answers_until_it_opens() {
        let gate = StartupGate::closed(Router::new().route("/outside", get(|| async {})));
        let mut served = gate.clone().router();
        assert_eq!(answer(&mut served, "/outside").await, 200);
        assert_eq!(answer(&mut served, "/inside").await, 404);

        gate.open(Router::new().route("/inside", get(|| async {})));
        assert_eq!(answer(&mut served, "/outside").await, 404);
        assert_eq!(answer(&mut served, "/inside").await, 200);
    }

    #[tokio::test]
    async fn an_open_gate_is_not_in_the_way() {
        let gate = StartupGate::closed(Router::new());
        gate.open(Router::new().route("/inside", get(|| async {})));
        assert_eq!(answer(&mut gate.router(), "/inside").await, 200);
    }
}
