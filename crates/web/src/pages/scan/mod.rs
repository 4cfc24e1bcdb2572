//! Scanning: what is done with a thing whose barcode is read, typed or sent by a hand scanner.

mod act;
mod page;
mod scanned;

use axum::{Router, http::HeaderValue, response::Response, routing::get};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new().route("/scan", get(page::page).post(act::act))
}

/// What a scan does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// One more in stock.
    Add,
    /// One less, of the lot that expires first.
    Use,
    /// Checked off on the shopping list.
    Tick,
    /// Off the shopping list and into stock.
    PutAway,
    /// Its line on the form where everything is put away.
    Row,
}

impl Action {
    /// Those that the page of scanning offers.
    const CHOICES: [Self; 4] = [Self::Add, Self::Use, Self::Tick, Self::PutAway];
    const ALL: [Self; 5] = [Self::Add, Self::Use, Self::Tick, Self::PutAway, Self::Row];

    /// The action that an address or a form names; by default adding.
    fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|action| action.as_str() == name).unwrap_or(Self::Add)
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Use => "use",
            Self::Tick => "tick",
            Self::PutAway => "put-away",
            Self::Row => "row",
        }
    }

    /// The page on which a scan does this.
    fn address(self) -> String {
        match self {
            Self::Row => PUT_AWAY.to_owned(),
            _ => format!("/scan?then={}", self.as_str()),
        }
    }
}

/// The form where everything is put away.
const PUT_AWAY: &str = "/shopping/put-away";

/// Lets a page use the camera, and nothing that it might embed. Other pages may not.
pub(super) fn with_camera(mut response: Response) -> Response {
    let policy = HeaderValue::from_static("camera=(self)");
    response.headers_mut().insert("permissions-policy", policy);
    response
}
