//! A server with a remote store listens before the store is open, and answers 503 until then.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use tower::Service;

/// Answers that the server is not ready, until it is.
#[derive(Clone)]
pub(crate) struct Door {
    outside: Router,
    inside: Arc<OnceLock<Router>>,
}

impl Door {
    /// A shut door with `outside` before it.
    pub(crate) fn shut(outside: Router) -> Self {
        Self { outside, inside: Arc::default() }
    }

    /// From now on, `inside` answers, also on existing connections.
    pub(crate) fn open(&self, inside: Router) {
        // Set once; the first router stays.
        let _ = self.inside.set(inside);
    }

    /// The router to serve. An open door adds no cost per request.
    pub(crate) fn router(self) -> Router {
        match self.inside.get() {
            Some(inside) => inside.clone(),
            None => Router::new().fallback(enter).with_state(self),
        }
    }
}

async fn enter(State(door): State<Door>, request: Request) -> Response {
    let mut router = door.inside.get().unwrap_or(&door.outside).clone();
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
    async fn whoever_knocks_is_answered_outside_until_the_door_opens() {
        let door = Door::shut(Router::new().route("/outside", get(|| async {})));
        let mut served = door.clone().router();
        assert_eq!(answer(&mut served, "/outside").await, 200);
        assert_eq!(answer(&mut served, "/inside").await, 404);

        door.open(Router::new().route("/inside", get(|| async {})));
        assert_eq!(answer(&mut served, "/outside").await, 404);
        assert_eq!(answer(&mut served, "/inside").await, 200);
    }

    #[tokio::test]
    async fn a_door_that_is_open_already_leads_straight_inside() {
        let door = Door::shut(Router::new());
        door.open(Router::new().route("/inside", get(|| async {})));
        assert_eq!(answer(&mut door.router(), "/inside").await, 200);
    }
}
