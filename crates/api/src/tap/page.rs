//! `GET /t/{urlId}`.

use axum::{
    extract::State,
    http::{HeaderMap, Method},
    response::{IntoResponse, Response},
};

use larder_http::{ClientAddress, Problem};

use super::{
    address::AddressText,
    language::Language,
    refusal::{Refusal, problem_of_tap},
    script,
    view::TapView,
    words::Words,
};
use crate::state::{Api, ApiState};

/// Open the page of a tag
///
/// Needs no token: the address is the right. Changes no quantity; the page's script posts the tap, or its buttons
/// do. In English or Japanese, by `Accept-Language`.
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
    State(api): State<ApiState>,
    AddressText(text): AddressText,
    client: ClientAddress,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&headers);
    let is_visit = is_visit(&method, &headers);
    let page = open(&api, &text, client, is_visit, language).await;
    page.unwrap_or_else(|problem| Refusal { problem, language, is_page: true }.into_response())
}

async fn open(
    api: &Api,
    text: &str,
    client: ClientAddress,
    is_visit: bool,
    language: Language,
) -> Result<Response, Problem> {
    let address = api.app.tag_address(text);
    if let Some(limits) = &api.rate_limits {
        limits.check_tap_page(client, &address)?;
    }
    let open = api.app.open_tag(&address, is_visit).await.map_err(problem_of_tap)?;
    let words = Words::of(language);
    let view = TapView {
        words,
        item: &open.item,
        step: open.tag.step,
        message: words.hint,
        action: &format!("{}/adjust", open.tag.id.reveal()),
        nonces: [&api.app.tap_nonce(), &api.app.tap_nonce()],
        script: Some(script::address()),
    };
    Ok(view.into_response())
}

/// Whether somebody looks at the page: not whoever asks for its headers, and not a browser that looks ahead.
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
