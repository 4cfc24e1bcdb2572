//! Scanning: what is done with a thing whose barcode is read, typed or sent by a hand scanner.

mod act;
mod page;
mod scanned;

use axum::{Router, routing::get};

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
}

impl Action {
    const ALL: [Self; 4] = [Self::Add, Self::Use, Self::Tick, Self::PutAway];

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
        }
    }

    /// The page on which a scan does this.
    fn address(self) -> String {
        format!("/scan?then={}", self.as_str())
    }
}
