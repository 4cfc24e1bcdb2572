//! A public URL with a path: a proxy serves Larder below it, such as `https://home.example/larder`.
//!
//! Everything is written as if there were none. Here, requests lose the path if the proxy has left
//! it, and redirects get it.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, Uri, header, uri::PathAndQuery},
    response::Response,
};
use tower::ServiceExt as _;

use crate::PublicUrl;

/// The path of a public URL, such as `/larder`. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasePath(Arc<str>);

impl BasePath {
    /// The path of this URL, if it has one.
    pub fn of(url: &PublicUrl) -> Option<Self> {
        let (_, rest) = url.as_str().split_once("://")?;
        let (_, path) = rest.split_once('/')?;
        (!path.is_empty()).then(|| Self(format!("/{path}").into()))
    }

    /// It, with its first slash and without a last one.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Serves these routes below it, and where they are as well: most proxies drop it.
    pub fn serve(self, routes: Router) -> Router {
        let here = self.clone();
        let strip = move |mut request: Request| {
            if let Some(uri) = here.without(request.uri()) {
                *request.uri_mut() = uri;
            }
            request
        };
        let lead_below = move |mut response: Response| {
            let location = response.headers().get(header::LOCATION);
            let below = location.and_then(|it| it.to_str().ok()).and_then(|it| self.below(it));
            if let Some(below) = below.and_then(|it| HeaderValue::try_from(it).ok()) {
                response.headers_mut().insert(header::LOCATION, below);
            }
            response
        };
        Router::new().fallback_service(routes.map_request(strip).map_response(lead_below))
    }

    /// The address without it; `None` if it does not begin with it.
    fn without(&self, uri: &Uri) -> Option<Uri> {
        let rest = uri.path_and_query()?.as_str().strip_prefix(&*self.0)?;
        let rest = match rest.as_bytes().first() {
            Some(b'/') => rest.to_owned(),
            None | Some(b'?') => format!("/{rest}"),
            Some(_) => return None,
        };
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(rest.parse::<PathAndQuery>().ok()?);
        Uri::from_parts(parts).ok()
    }

    /// An address of ours below it; `None` if it is there already, or somebody else's.
    fn below(&self, address: &str) -> Option<String> {
        let is_ours = address.starts_with('/') && !address.starts_with("//");
        let rest = address.strip_prefix(&*self.0);
        let is_below = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
        (is_ours && !is_below).then(|| format!("{}{address}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, response::Redirect, routing::get};

    use super::*;

    fn base() -> BasePath {
        BasePath::of(&PublicUrl::parse("https://home.example/a/larder/").unwrap()).unwrap()
    }

    #[test]
    fn a_url_without_a_path_has_none() {
        assert_eq!(BasePath::of(&PublicUrl::parse("https://home.example/").unwrap()), None);
        assert_eq!(base().as_str(), "/a/larder");
    }

    #[tokio::test]
    async fn requests_lose_it_and_redirects_get_it() {
        let routes = Router::new()
            .route("/", get(async || "home"))
            .route("/stock", get(async |uri: Uri| uri.to_string()))
            .route("/go", get(async || Redirect::to("/stock?x=1")))
            .route("/gone", get(async || Redirect::to("/a/larder/stock")))
            .route("/away", get(async || Redirect::to("https://other.example/")))
            .route("/far", get(async || Redirect::to("//other.example/")));
        let served = base().serve(routes);
        let ask = async |address: &str| {
            let request = Request::get(address).body(Body::empty()).unwrap();
            let response = served.clone().oneshot(request).await.unwrap();
            let location = response.headers().get(header::LOCATION).cloned();
            match location {
                Some(location) => location.to_str().unwrap().to_owned(),
                None if response.status() == 200 => {
                    let body = axum::body::to_bytes(response.into_body(), 100).await.unwrap();
                    String::from_utf8(body.to_vec()).unwrap()
                }
                None => response.status().to_string(),
            }
        };
        for (address, answer) in [
            ("/a/larder", "home"),
            ("/a/larder/", "home"),
            ("/", "home"),
            ("/a/larder/stock?q=%20", "/stock?q=%20"),
            ("/stock", "/stock"),
            ("/a/larders", "404 Not Found"),
            ("/a/larder/nothing", "404 Not Found"),
            ("/go", "/a/larder/stock?x=1"),
            ("/a/larder/go", "/a/larder/stock?x=1"),
            ("/gone", "/a/larder/stock"),
            ("/away", "https://other.example/"),
            ("/far", "//other.example/"),
        ] {
            assert_eq!(ask(address).await, answer, "{address}");
        }
    }
}
