//! `GET /offline`: the page that a browser caches to show offline. It contains no user data.

use askama::Template;
use axum::response::Response;

use crate::{Frame, Section, Visit, render};

#[derive(Template)]
#[template(path = "shopping/offline.html")]
struct OfflinePage {
    frame: Frame,
}

pub(super) async fn page(visit: Visit) -> Response {
    render(&OfflinePage { frame: visit.frame(Section::None) })
}
