//! The OpenAPI document: collected from the routes themselves.

use std::sync::Arc;

use axum::{Router, http::header, routing::get};
use bytes::Bytes;
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
};
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Larder",
        description = "A household platform: what is in the cupboard, how much, and what goes off when.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "Accounts", description = "People and their logins"),
        (name = "Households", description = "Who shares what"),
        (name = "Inventory", description = "What is in the cupboard"),
        (name = "Live", description = "Changes as they happen"),
        (name = "Operations", description = "For whoever runs it"),
    ),
    modifiers(&Bearer),
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
        document.security = Some(vec![SecurityRequirement::new("bearer", [] as [&str; 0])]);
    }
}

/// An empty router that collects the document of whatever is added to it.
pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::with_openapi(Document::openapi())
}

/// `GET /openapi.json`.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(
    document: &utoipa::openapi::OpenApi,
) -> Router<S> {
    let text = serde_json::to_vec(document).expect("an OpenAPI document is JSON by construction");
    let text: Arc<Bytes> = Arc::new(text.into());
    let answer = async move || ([(header::CONTENT_TYPE, "application/json")], Bytes::clone(&text));
    Router::new().route("/openapi.json", get(answer))
}
