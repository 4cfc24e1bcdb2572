//! Static assets: styles, modules, pictures. Compiled in, and cached by browsers forever, because
//! the URL changes with the content.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use xxhash_rust::xxh3::Xxh3;

use crate::WebState;

/// A file name and its content.
type Asset = (&'static str, &'static [u8]);

/// The colours are in a separate file, because the page of a tag has them too.
const BASE: &str =
    concat!(include_str!("../assets/colours.css"), include_str!("../assets/base.css"));

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [("base.css", BASE.as_bytes()), $(($name, include_bytes!(concat!("../assets/", $name)) as &[u8])),*]
    };
}

/// Every file in `assets/` that browsers load by itself.
const ASSETS: &[Asset] = &assets![
    "app.js",
    "chart.js",
    "copy.js",
    "forms.js",
    "household.css",
    "household.js",
    "icon-180.png",
    "icon-192.png",
    "icon-512.png",
    "icon.svg",
    "live.js",
    "manifest.webmanifest",
    "morph.js",
    "outbox.js",
    "page.js",
    "print.css",
    "products.css",
    "scan.js",
    "sensors.css",
    "service-worker.js",
    "shopping.css",
    "shopping.js",
    "stock.css",
    "stock.js",
    "tags.css",
    "tags.js",
    "tap.js",
    "things.css",
    "things.js",
];

/// A version of all of `assets/`.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Xxh3::new();
    for (name, bytes) in ASSETS {
        hash.update(name.as_bytes());
        hash.update(bytes);
    }
    format!("{:016x}", hash.digest())
});

/// The URL of a file, relative to a page one folder deep, such as a tag's page: a proxy may have
/// added a prefix to both.
pub(crate) fn relative_address(name: &str) -> String {
    format!("..{}", address(name))
}

/// The URL of a file. Modules import each other by relative URLs, so the version is a folder.
pub(crate) fn address(name: &str) -> String {
    debug_assert!(find(name).is_some(), "{name} is not in assets/");
    format!("/assets/{}/{name}", *VERSION)
}

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/assets/{version}/{name}", get(asset))
        .route("/service-worker.js", get(service_worker))
        // Browsers request it regardless of the page.
        .route("/favicon.ico", get(async || answer("icon.svg", "public, max-age=86400")))
}

async fn asset(Path((version, name)): Path<(String, String)>) -> Response {
    // A page from before an update requests an older version, and gets the current one, without
    // caching.
    let is_current = version == *VERSION;
    let caching = if is_current { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer(&name, caching)
}

/// Served where its scope is the whole app. A browser revalidates it at each visit.
async fn service_worker() -> Response {
    answer("service-worker.js", "no-cache")
}

fn answer(name: &str, caching: &'static str) -> Response {
    let Some(bytes) = find(name) else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [(header::CONTENT_TYPE, content_type(name)), (header::CACHE_CONTROL, caching)];
    (headers, bytes).into_response()
}

fn find(name: &str) -> Option<&'static [u8]> {
    ASSETS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Downloads must stay small. The page of a tag loads only its own script, and only the page
    /// that scans loads the one of the camera.
    const MAX_SCRIPT_BYTES: usize = 40_500;
    const MAX_OWN_SCRIPT_BYTES: usize = 4_500;

    #[test]
    fn all_scripts_together_stay_small() {
        let scripts = ASSETS.iter().filter(|(name, _)| content_type(name).contains("javascript"));
        let (own, of_pages): (Vec<_>, Vec<_>) =
            scripts.partition(|(name, _)| ["tap.js", "scan.js"].contains(name));
        let bytes: usize = of_pages.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes <= MAX_SCRIPT_BYTES, "{bytes} bytes of script");
        for (name, script) in own {
            assert!(script.len() <= MAX_OWN_SCRIPT_BYTES, "{name}: {} bytes", script.len());
        }
    }

    #[test]
    fn the_script_of_taps_makes_no_markup_of_texts_and_loads_nothing_from_outside() {
        let script = str::from_utf8(find("tap.js").unwrap()).unwrap();
        for word in ["innerHTML", "insertAdjacentHTML", "eval(", "http://", "https://"] {
            assert!(!script.contains(word), "{word}");
        }
    }

    #[test]
    fn every_file_has_a_type_and_an_address() {
        for (name, bytes) in ASSETS {
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
            assert!(address(name).ends_with(name));
            assert!(!bytes.is_empty(), "{name}");
        }
    }
}
