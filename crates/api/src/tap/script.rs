//! `GET /tap.js`: the script of the page.

use std::{fmt::Write, sync::LazyLock};

use axum::{
    http::{Uri, header},
    response::{IntoResponse, Response},
};
use larder_http::tag_of;
use sha2::{Digest, Sha256};

const SCRIPT: &str = include_str!("tap.js");

/// Names the script's content, so that a copy of it can be kept for good.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    Sha256::digest(SCRIPT)[..8].iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes any text");
        text
    })
});

/// Seen from a tag's page: a proxy may have put a path before both.
static ADDRESS: LazyLock<String> = LazyLock::new(|| format!("../tap.js?v={}", *VERSION));

/// Where a tag's page finds its script.
pub(super) fn address() -> &'static str {
    &ADDRESS
}

/// The script. Asked for by the name of another version (a page of an older server) it is served all the same,
/// but not to be kept under that name.
pub(super) async fn tap_script(uri: Uri) -> Response {
    let asked_for = uri.query().and_then(|query| query.strip_prefix("v="));
    let caching = if asked_for == Some(&**VERSION) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, caching),
    ];
    (headers, [(header::ETAG, tag_of(SCRIPT.as_bytes()))], SCRIPT).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn caching(address: &str) -> String {
        let response = tap_script(address.parse().unwrap()).await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        response.headers()[header::CACHE_CONTROL].to_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn only_its_own_version_may_be_kept_for_good() {
        let own = address().strip_prefix("..").unwrap();
        assert_eq!(caching(own).await, "public, max-age=31536000, immutable");
        assert_eq!(caching("/tap.js?v=0123456789abcdef").await, "no-cache");
        assert_eq!(caching("/tap.js").await, "no-cache");
    }

    #[test]
    fn text_never_becomes_markup_and_nothing_comes_from_outside() {
        for word in ["innerHTML", "insertAdjacentHTML", "eval(", "http://", "https://"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
