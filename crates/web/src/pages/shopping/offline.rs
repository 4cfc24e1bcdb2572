//! `GET /offline`: what a browser keeps to show where there is no signal. It is nobody's in particular.

use askama::Template;
use axum::response::Response;

use crate::{
    frame::{Frame, Section, render},
    visit::Visit,
};

#[derive(Template)]
#[template(path = "shopping/offline.html")]
struct OfflinePage {
    frame: Frame,
}

pub(super) async fn page(visit: Visit) -> Response {
    render(&OfflinePage { frame: visit.frame(Section::None) })
}
