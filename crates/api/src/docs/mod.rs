//! The contract as a page: `GET /docs` shows `/openapi.json` and lets people try it.
//!
//! Three files compiled into the binary; no external host, no inline script or style.

use axum::{
    http::{HeaderName, header},
    response::IntoResponse,
    routing::get,
};
use utoipa_axum::{router::OpenApiRouter, routes};

const PAGE: &str = include_str!("docs.html");
const STYLE: &str = include_str!("docs.css");
const SCRIPT: &str = include_str!("docs.js");

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// `GET /docs` and the two files it loads.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::new()
        .routes(routes!(docs_page))
        .route("/docs/docs.css", get(|| async { file("text/css; charset=utf-8", STYLE) }))
        .route("/docs/docs.js", get(|| async { file("text/javascript; charset=utf-8", SCRIPT) }))
}

/// Browse this document
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Operations",
    security(()),
    responses((status = 200, body = String, content_type = "text/html")),
)]
async fn docs_page() -> impl IntoResponse {
    file("text/html; charset=utf-8", PAGE)
}

fn file(content_type: &'static str, content: &'static str) -> impl IntoResponse {
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The files change with the binary, so a cached copy must be revalidated.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, content)
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::Request, response::Response};
    use tower::ServiceExt;

    use super::*;

    async fn get_path(path: &str) -> Response {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let router: axum::Router = routes().into();
        router.oneshot(request).await.unwrap()
    }

    #[tokio::test]
    async fn the_page_and_its_files_are_served_under_a_strict_policy() {
        for (path, content_type) in [
            ("/docs", "text/html; charset=utf-8"),
            ("/docs/docs.css", "text/css; charset=utf-8"),
            ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ] {
            let response = get_path(path).await;
            assert_eq!(response.status().as_u16(), 200, "{path}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], content_type);
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
        }
    }

    #[test]
    fn the_page_loads_nothing_that_is_not_served_here() {
        let links = PAGE.match_indices("=\"").filter_map(|(at, _)| {
            let attribute = PAGE[..at].rsplit([' ', '\n']).next()?;
            let value = PAGE[at + 2..].split('"').next()?;
            matches!(attribute, "href" | "src").then_some(value)
        });
        let links: Vec<_> = links.collect();
        assert_eq!(links, ["data:,", "docs/docs.css", "docs/docs.js", "openapi.json"]);
    }

    #[test]
    fn nothing_is_inline_and_nothing_comes_from_outside() {
        for file in [PAGE, STYLE, SCRIPT] {
            assert!(!file.contains("http://") && !file.contains("https://"));
        }
        assert!(!PAGE.contains("<style") && !PAGE.contains("style="));
        assert_eq!(
            PAGE.matches("<script").count(),
            PAGE.matches("<script type=\"module\" src=").count()
        );
        // Text of the document never becomes markup.
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("insertAdjacentHTML"));
    }

    #[test]
    fn all_of_it_is_small() {
        assert!(PAGE.len() + STYLE.len() + SCRIPT.len() < 40_000);
    }
}
