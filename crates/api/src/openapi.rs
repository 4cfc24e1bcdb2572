//! The OpenAPI document: collected from the routes themselves.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        OpenApi as OpenApiDocument, PathItem, RefOr, Response as DocumentedResponse, Server,
        path::Operation,
        security::{
            ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
        },
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

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
        (name = "Products", description = "What is known of a name: how long it keeps, where it goes, how much to have"),
        (name = "Shopping", description = "What to buy, and where"),
        (name = "Notifications", description = "What runs low and what goes off"),
        (name = "Tags", description = "NFC tags, QR codes and taps"),
        (name = "Telemetry", description = "Devices, their keys, and what they measured; the operator's token is good here too"),
        (name = "Resources", description = "Things of any kind, how they belong together, and who may do what with them"),
        (name = "Live", description = "Changes as they happen"),
        (name = "Operations", description = "For whoever runs it"),
    ),
    modifiers(&Credentials),
)]
struct Document;

/// Users send a bearer token, unless a route says otherwise, browsers a cookie, and devices an API
/// key.
struct Credentials;

impl Modify for Credentials {
    fn modify(&self, document: &mut OpenApiDocument) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
        let key = ApiKey::Header(ApiKeyValue::new("X-API-Key"));
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(key));
        let cookie = ApiKeyValue::with_description(
            "larder_session",
            "What the login page leaves in a browser; called __Host-larder_session over https. Requests other than GET \
             and HEAD need the token of a page as X-CSRF-Token besides.",
        );
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
        components.add_security_scheme("cookie", cookie);
        let either = ["bearer", "cookie"].map(|name| SecurityRequirement::new(name, [""; 0]));
        document.security = Some(either.into());
    }
}

/// A router that collects the document of all routes added to it, and serves it.
pub(crate) fn router() -> OpenApiRouter<ApiState> {
    OpenApiRouter::with_openapi(Document::openapi()).routes(routes!(openapi_json))
}

/// Read this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operations",
    security(()),
    responses((status = 200, body = serde_json::Value, content_type = "application/json")),
)]
pub(crate) async fn openapi_json(api: ApiState) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], api.document.clone()).into_response()
}

/// The serialized document.
pub(crate) fn text(mut document: OpenApiDocument) -> Bytes {
    // The server is where the document was read, under whatever name.
    document.servers = Some(vec![Server::new("/")]);
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(response) = response {
                complete(status, response);
            }
        }
    }
    let text = serde_json::to_vec(&document).expect("an OpenAPI document is JSON by construction");
    text.into()
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, options, head, patch, trace, .. } = path;
    [get, put, post, delete, options, head, patch, trace].into_iter().flatten()
}

/// Applies to every response, so that no route repeats it: each has a description, and errors are
/// problem documents.
fn complete(status: &str, response: &mut DocumentedResponse) {
    let Ok(status) = status.parse::<StatusCode>() else { return };
    if response.description.is_empty() {
        status.canonical_reason().unwrap_or("Answer").clone_into(&mut response.description);
    }
    if (status.is_client_error() || status.is_server_error())
        && let Some(content) = response.content.shift_remove("application/json")
    {
        response.content.insert("application/problem+json".to_owned(), content);
    }
}
