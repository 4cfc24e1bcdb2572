//! Middleware around every page: CSRF protection, security headers, and failures in the reader's
//! language.

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use larder_domain::Whose;
use larder_http::{CSRF_HEADER, comes_from_another_site};
use serde::Deserialize;

use crate::{
    Failure, Visit, Web, WebState,
    failure::{FailureView, failure_page},
    form::MAX_FORM_BYTES,
    upload::{MAX_UPLOAD_BYTES, Upload},
    visit::{Extension, SentFrom},
};

/// The sources that a page may load from: only our own server, nothing inline.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// After a request over TLS, a browser uses only TLS for a year.
const STRICT_TRANSPORT: &str = "max-age=31536000";

pub(crate) async fn guard(web: WebState, mut request: Request, next: Next) -> Response {
    let (headers, uri) = (request.headers().clone(), request.uri().clone());
    let extension = Extension::default();
    request.extensions_mut().insert(extension.clone());
    let (form, mut response) = match admit(&web, request).await {
        Ok((request, form)) => (form, next.run(request).await),
        Err(failure) => (Bytes::new(), failure.into_response()),
    };
    let visit = Visit::of(&web, &headers, &uri);
    if let Some(view) = response.extensions_mut().remove::<FailureView>() {
        response = failure_page(&web, &visit, &headers, &view, &form).await;
    }
    if let (Some(until), Some(secret)) = (extension.until(), web.cookies.session(&headers)) {
        response.headers_mut().append(header::SET_COOKIE, web.cookies.set_session(secret, until));
    }
    secure(&web, response.headers_mut());
    response
}

/// Admits safe requests, and others only with a valid CSRF token. Also returns the form, empty if
/// there is none.
async fn admit(web: &Web, request: Request) -> Result<(Request, Bytes), Failure> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok((request, Bytes::new()));
    }
    let (mut parts, body) = request.into_parts();
    let headers = &parts.headers;
    // Only people who are logged in send files, and only to where files are taken.
    let is_upload = Upload::is_sent(headers)
        && Upload::is_taken_at(parts.uri.path())
        && web.cookies.session(headers).is_some();
    let most = if is_upload { MAX_UPLOAD_BYTES } else { MAX_FORM_BYTES };
    if comes_from_another_site(headers) {
        return Err(Failure::Forged);
    }
    let body = to_bytes(body, most).await.map_err(|_| Failure::TooLarge)?;
    let token = if is_upload {
        Upload::read(headers, body.clone()).await.map(|upload| upload.csrf)
    } else {
        serde_html_form::from_bytes::<Protected>(&body).ok().map(|form| form.csrf)
    };
    let sent_from = sent_from(web, headers, token.as_deref()).ok_or(Failure::Forged)?;
    parts.extensions.insert(SentFrom(sent_from));
    // A file is not shown again.
    let form = if is_upload { Bytes::new() } else { body.clone() };
    Ok((Request::from_parts(parts, Body::from(body)), form))
}

/// The only field that every form has.
#[derive(Deserialize)]
struct Protected {
    csrf: String,
}

/// The inventory of the page that the form is from, if the header or, without one, the form has the
/// token of this browser.
fn sent_from(web: &Web, headers: &HeaderMap, sent: Option<&str>) -> Option<Whose> {
    let secret = web.cookies.session(headers).or_else(|| web.cookies.visitor(headers))?;
    let token = match headers.get(CSRF_HEADER).map(HeaderValue::to_str) {
        Some(token) => token.ok(),
        None => sent,
    };
    web.app.shown_inventory(secret, token?)
}

fn secure(web: &Web, headers: &mut HeaderMap) {
    let mut add = |name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    add(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    add(header::VARY, "cookie, accept-language");
    // Referrers are only for our own pages.
    add(header::REFERRER_POLICY, "same-origin");
    if web.cookies.is_secure() {
        add(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
    }
}
