//! Pages, scripts and the manifest below a path (`BasePath`). They are written with addresses from
//! the root; whoever serves Larder below a path gets them with it.

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use larder_http::BasePath;

/// The attributes of our pages that are addresses.
const ATTRIBUTES: &[&str] =
    &["action", "data-action", "data-kept", "data-url", "formaction", "href", "src"];

/// How the addresses in our scripts begin: nothing else there begins with a slash in quotes.
const ROOTS: &[&str] =
    &["api/", "login", "offline", "search", "service-worker.js", "shopping", "shortcuts", "stock"];

/// Gives the addresses of a body the path.
pub(crate) async fn lead_below(
    State(base): State<BasePath>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    let content_type = response.headers().get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let rewrite: fn(&str, &str) -> String = match content_type.split(';').next() {
        Some("text/html") => page_below,
        Some("text/javascript") => script_below,
        Some("application/manifest+json") => manifest_below,
        _ => return response,
    };
    let (mut parts, body) = response.into_parts();
    // Pages are rendered in memory, and end.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let below = rewrite(&String::from_utf8_lossy(&bytes), base.as_str());
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(below.len()));
    Response::from_parts(parts, Body::from(below))
}

/// Text and values are escaped, so `="/` begins an attribute everywhere.
fn page_below(page: &str, base: &str) -> String {
    insert_before_slashes(page, base, "=\"/", |before, after| {
        let name = before.rsplit(|c: char| !c.is_ascii_lowercase() && c != '-').next();
        name.is_some_and(|name| ATTRIBUTES.contains(&name)) && !after.starts_with('/')
    })
}

fn script_below(script: &str, base: &str) -> String {
    let is_address = |_: &str, after: &str| ROOTS.iter().any(|root| after.starts_with(root));
    let single = insert_before_slashes(script, base, "'/", is_address);
    insert_before_slashes(&single, base, "`/", is_address)
}

fn manifest_below(manifest: &str, base: &str) -> String {
    insert_before_slashes(manifest, base, "\": \"/", |_, _| true)
}

/// Inserts the path before the last slash of each `start`, where what stands before and after agrees.
fn insert_before_slashes(
    text: &str,
    base: &str,
    start: &str,
    agrees: impl Fn(&str, &str) -> bool,
) -> String {
    let mut below = String::with_capacity(text.len() + text.len() / 16);
    let mut copied = 0;
    for (at, found) in text.match_indices(start) {
        let slash = at + found.len() - 1;
        if agrees(&text[..at], &text[slash + 1..]) {
            below.push_str(&text[copied..slash]);
            below.push_str(base);
            copied = slash;
        }
    }
    below + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets;

    #[test]
    fn the_addresses_of_a_page_get_it_and_nothing_else_does() {
        let page = r#"<a class="x" href="/">/ "/</a><form method="post" action="/stock"><input
            name="back" value="/stock"><img src="/photo?x=&#34;/"><a href="//other.example">
            <button formaction="/a"></button><p data-kept="/tags/1" title="/no">="</p>"#;
        let expected = r#"<a class="x" href="/l/">/ "/</a><form method="post" action="/l/stock"><input
            name="back" value="/stock"><img src="/l/photo?x=&#34;/"><a href="//other.example">
            <button formaction="/l/a"></button><p data-kept="/l/tags/1" title="/no">="</p>"#;
        assert_eq!(page_below(page, "/l"), expected);
    }

    #[test]
    fn the_addresses_of_a_script_get_it() {
        let script = "fetch('/api/v1/me');let a={'/shopping':`/stock/${b}`};c('/','?/','/status');";
        let expected =
            "fetch('/l/api/v1/me');let a={'/l/shopping':`/l/stock/${b}`};c('/','?/','/status');";
        assert_eq!(script_below(script, "/l"), expected);
    }

    #[test]
    fn the_manifest_begins_below() {
        let manifest = r#"{"id": "/", "icons": [{ "src": "icon.svg" }], "url": "/stock"}"#;
        let expected = r#"{"id": "/l/", "icons": [{ "src": "icon.svg" }], "url": "/l/stock"}"#;
        assert_eq!(manifest_below(manifest, "/l"), expected);
    }

    /// A new address in a script must not be forgotten here.
    #[test]
    fn what_else_begins_with_a_slash_in_a_script_is_no_address() {
        let known = ["'/'", "'/status'"];
        for (name, script) in assets::scripts() {
            let below = script_below(&script, "/l");
            let quoted = below.match_indices(['\'', '`']).filter_map(|(at, _)| {
                let rest = &below[at..];
                rest[1..].starts_with('/').then(|| {
                    let end = rest[1..].find(['\'', '`', '$', '#', '?']).unwrap_or(rest.len() - 2);
                    &rest[..end + 2]
                })
            });
            let left: Vec<_> =
                quoted.filter(|it| !it[1..].starts_with("/l/") && !known.contains(it)).collect();
            assert_eq!(left, [""; 0], "{name}");
        }
    }
}
