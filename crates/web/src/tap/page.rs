//! `GET /t/{urlId}`.

use axum::{
    http::{HeaderMap, Method},
    response::Response,
};

use larder_http::ClientAddress;

use super::{
    address::AddressText,
    error::TapError,
    member::{self, MemberView},
    view::TapView,
};
use crate::{Web, WebState, Words, assets, language};

/// The way from the page to the root.
const UP: &str = "../";

/// Open the page of a tag
///
/// Needs no token: the URL is the credential. Changes no quantity; the page's script posts the tap,
/// or its buttons do. In English or Japanese, by `Accept-Language`. A browser in which a member of
/// the household is logged in gets a link to the item, the tag's label and the item's date, too.
#[utoipa::path(
    get,
    path = "/t/{urlId}",
    tag = "Tags",
    security(()),
    params(
        ("urlId" = String, Path, description = "22 letters and digits"),
        ("Accept-Language" = Option<String>, Header),
    ),
    responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 404, body = String, content_type = "text/html", description = "No tag has this address"),
        (status = 410, body = String, content_type = "text/html", description = "The tag was replaced, or its item deleted"),
        (status = 429, body = String, content_type = "text/html", description = "Too often; see `Retry-After`"),
    ),
)]
pub(super) async fn tap_page(
    web: WebState,
    AddressText(text): AddressText,
    client: ClientAddress,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let words = Words::of(language::of_request(web.cookies, &headers));
    match open(&web, &text, client, &method, &headers, words).await {
        Ok(page) => page,
        Err(error) if error.is_gone() => {
            let address = web.app.tag_address(&text);
            let link = member::way_on(&web, &headers, &address, UP).await;
            error.into_page(words, link)
        }
        Err(error) => error.into_page(words, None),
    }
}

async fn open(
    web: &Web,
    text: &str,
    client: ClientAddress,
    method: &Method,
    headers: &HeaderMap,
    words: &'static Words,
) -> Result<Response, TapError> {
    let address = web.app.tag_address(text);
    if let Some(limits) = &web.tap_limits {
        limits.check_page(client, &address)?;
    }
    let open = web.app.open_tag(&address, is_visit(method, headers)).await?;
    let view = TapView {
        words,
        member: MemberView::of(web, headers, &open, UP, words).await,
        item: &open.item,
        is_low: web.app.is_low(&open.item).await?,
        step: open.tag.step,
        message: &words.get("tap-hint"),
        action: &format!("{}/adjust", open.tag.id.reveal()),
        nonces: [&web.app.tap_nonce(), &web.app.tap_nonce()],
        script: Some(&assets::relative_address("tap.js")),
    };
    Ok(view.into_response())
}

/// Whether a person opens the page: not a HEAD request, and not prefetching.
fn is_visit(method: &Method, headers: &HeaderMap) -> bool {
    let looks_ahead = ["sec-purpose", "purpose", "x-purpose", "x-moz"].iter().any(|name| {
        let values = headers.get_all(*name).iter();
        let mut purposes =
            values.flat_map(|value| value.to_str().unwrap_or_default().split([';', ',']));
        purposes.any(|purpose| {
            let purpose = purpose.trim();
            ["prefetch", "prerender", "preview"]
                .iter()
                .any(|known| purpose.eq_ignore_ascii_case(known))
        })
    });
    method == Method::GET && !looks_ahead
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn counts(method: &Method, header: Option<(&'static str, &'static str)>) -> bool {
        let header = header
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        is_visit(method, &HeaderMap::from_iter(header))
    }

    #[test]
    fn only_somebody_who_looks_is_a_visit() {
        assert!(counts(&Method::GET, None));
        assert!(counts(&Method::GET, Some(("sec-fetch-mode", "navigate"))));
        assert!(!counts(&Method::HEAD, None));
        for header in [
            ("sec-purpose", "prefetch"),
            ("sec-purpose", "prefetch;prerender"),
            ("sec-purpose", "prefetch; anonymous-client-ip"),
            ("purpose", "Prefetch"),
            ("x-moz", "prefetch"),
            ("x-purpose", "preview"),
        ] {
            assert!(!counts(&Method::GET, Some(header)), "{header:?}");
        }
    }
}
