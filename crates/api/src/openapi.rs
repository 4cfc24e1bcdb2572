//! The OpenAPI document: collected from the routes themselves.

mod shared;

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, OpenApi as OpenApiDocument, Ref, RefOr, ResponseBuilder,
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
        let bearer =
            |format| HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format(format);
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer("JWT").build()));
        let program = bearer("larder_").description(Some(
            "A token that a person has made for a program, sent like an access token. It opens the routes that name \
             one of its scopes.",
        ));
        components.add_security_scheme(PROGRAM, SecurityScheme::Http(program.build()));
        let key = ApiKey::Header(ApiKeyValue::new("X-API-Key"));
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(key));
        let cookie = ApiKeyValue::with_description(
            "larder_session",
            "What the login page leaves in a browser; called __Host-larder_session over https. Requests other than GET \
             and HEAD need the token of a page as X-CSRF-Token besides.",
        );
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
        components.add_security_scheme("cookie", cookie);
        document.security = Some(logins());
    }
}

/// The scheme of programs' tokens. A route names each scope that is enough as one alternative.
const PROGRAM: &str = "program";

/// What opens every route that is not public.
fn logins() -> Vec<SecurityRequirement> {
    ["bearer", "cookie"].map(|name| SecurityRequirement::new(name, [""; 0])).into()
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
    for (_, operation) in document.paths.paths.values_mut().flat_map(shared::operations) {
        describe_scopes(operation);
    }
    shared::complete(&mut document);
    let text = serde_json::to_vec(&document).expect("an OpenAPI document is JSON by construction");
    text.into()
}

/// Says in words what a route needs of a program's token, how it is refused, and that logins are
/// enough, so that no route repeats it.
fn describe_scopes(operation: &mut Operation) {
    let Some(security) = &mut operation.security else { return };
    let scopes: Vec<_> = security.iter().filter_map(scope_of).collect();
    let (need, refusal) = if !scopes.is_empty() {
        security.splice(0..0, logins());
        let scopes = scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>();
        let need = format!("A program's token needs the scope {}.", scopes.join(" or "));
        (need, "`SCOPE_REQUIRED`")
    } else if *security == logins() {
        ("No program's token is enough.".to_owned(), "`LOGIN_REQUIRED`")
    } else {
        return;
    };
    let description = operation.description.get_or_insert_default();
    let separator = if description.is_empty() { "" } else { "\n\n" };
    description.push_str(separator);
    description.push_str(&need);

    let refused = operation.responses.responses.entry("403".to_owned()).or_insert_with(|| {
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        ResponseBuilder::new().content("application/json", problem).build().into()
    });
    if let RefOr::T(refused) = refused {
        let separator = if refused.description.is_empty() { "" } else { ", " };
        refused.description = format!("{refusal}{separator}{}", refused.description);
    }
}

/// The scope that a requirement names, if it is about programs' tokens.
fn scope_of(requirement: &SecurityRequirement) -> Option<String> {
    let requirement = serde_json::to_value(requirement).ok()?;
    Some(requirement.get(PROGRAM)?.get(0)?.as_str()?.to_owned())
}
