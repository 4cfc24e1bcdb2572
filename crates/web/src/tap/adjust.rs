//! `POST /t/{urlId}/adjust`: one tap.

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use larder_app::TagAddress;
use larder_domain::{TapDirection, TapNonce};
use larder_http::{
    ClientAddress, Fields, Hundredths, Json, JsonOrForm, Params, Problem, ProblemDocument, read,
    request_body,
};
use larder_storage::TapDone;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    address::AddressText,
    error::TapError,
    member::MemberView,
    view::{self, TapView, VARY},
};
use crate::{Web, WebState, Words, language};

request_body! {
    /// One tap.
    struct NewTap {
        /// -1 takes one step of the tag, 1 puts one back.
        required delta: TapDirection as i8 = read::number(TapDirection::parse),
        /// Identifies this tap: 8–64 characters of `A-Z a-z 0-9 _ -`. A retry with the same nonce
        /// changes nothing.
        #[schema(min_length = 8, max_length = 64)]
        required nonce: TapNonce as String = read::text(TapNonce::parse),
    }
}

/// The result of a tap.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Tap)]
struct TapAnswer<'a> {
    item_name: &'a str,
    /// The applied change; 0 if there was nothing to take.
    #[schema(value_type = f64)]
    applied: Hundredths,
    /// The quantity after the tap.
    #[schema(value_type = f64)]
    quantity: Hundredths,
    unit: &'a str,
    /// The result in words, in the reader's language.
    message: &'a str,
    /// Whether the quantity is below the low-stock threshold.
    low_stock: bool,
}

/// Tap
///
/// Needs no token: the URL is the credential. Atomic; the quantity stops at 0. The same nonce again
/// within a day gets the first result with `Idempotent-Replayed: true` and changes nothing. A form
/// may send the same two fields and gets a page.
#[utoipa::path(
    post,
    path = "/t/{urlId}/adjust",
    tag = "Tags",
    security(()),
    params(
        ("urlId" = String, Path, description = "22 letters and digits"),
        ("Accept-Language" = Option<String>, Header),
    ),
    request_body(content((NewTap = "application/json"), (NewTap = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, content((TapAnswer = "application/json"), (String = "text/html"))),
        (status = 400, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`", content((ProblemDocument = "application/json"), (String = "text/html"))),
        (status = 404, description = "`TAG_NOT_FOUND`", content((ProblemDocument = "application/json"), (String = "text/html"))),
        (status = 410, description = "`TAG_ROTATED`, `ITEM_DELETED`", content((ProblemDocument = "application/json"), (String = "text/html"))),
        (status = 422, description = "`QUANTITY_OVERFLOW`", content((ProblemDocument = "application/json"), (String = "text/html"))),
        (status = 429, description = "`RATE_LIMITED`; see `Retry-After`", content((ProblemDocument = "application/json"), (String = "text/html"))),
    ),
)]
pub(super) async fn tap(
    web: WebState,
    AddressText(text): AddressText,
    client: ClientAddress,
    headers: HeaderMap,
    body: JsonOrForm,
) -> Response {
    let words = Words::of(language::of_request(web.cookies, &headers));
    let answer = tap_once(&web, &text, client, &headers, &body, words).await;
    answer.unwrap_or_else(|error| match body {
        JsonOrForm::Json(_) => error.into_json(words),
        JsonOrForm::Form(_) => error.into_page(words, None),
    })
}

async fn tap_once(
    web: &Web,
    text: &str,
    client: ClientAddress,
    headers: &HeaderMap,
    body: &JsonOrForm,
    words: &'static Words,
) -> Result<Response, TapError> {
    let address = web.app.tag_address(text);
    if let Some(limits) = &web.tap_limits {
        limits.check_tap(client, &address)?;
    }
    let tap = async |tap: NewTap| web.app.tap(&address, tap.delta, tap.nonce).await;
    match body {
        JsonOrForm::Json(json) => {
            let done = tap(Fields::parse(json)?.into_body()?).await?;
            Ok(answer(&done, web.app.is_low(&done.item).await?, words))
        }
        JsonOrForm::Form(form) => {
            page(web, headers, &address, &tap(read_form(form)?).await?, words).await
        }
    }
}

fn read_form(body: &[u8]) -> Result<NewTap, Problem> {
    let text = str::from_utf8(body)
        .map_err(|_| Problem::bad_request("INVALID_UTF8", "The body is not UTF-8"))?;
    let mut params = Params::parse(Some(text))?;
    let delta = params.required("delta", TapDirection::parse);
    let nonce = params.required("nonce", TapNonce::parse);
    params.finish(|| Some(NewTap { delta: delta?, nonce: nonce? }))
}

fn answer(done: &TapDone, is_low: bool, words: &Words) -> Response {
    let details = &done.item.details;
    let answer = TapAnswer {
        item_name: details.name.as_str(),
        applied: Hundredths(done.applied_hundredths),
        quantity: details.quantity.into(),
        unit: details.unit.as_str(),
        message: &view::done(words, done),
        low_stock: is_low,
    };
    // A header, so that the body is identical to the first one.
    let replayed = done.is_repeated.then_some([("idempotent-replayed", "true")]);
    ([(header::VARY, VARY)], replayed, Json::of(&answer)).into_response()
}

/// The same for a browser without JavaScript, with the current item. Reloading it sends the same
/// nonce.
async fn page(
    web: &Web,
    headers: &HeaderMap,
    address: &TagAddress,
    done: &TapDone,
    words: &'static Words,
) -> Result<Response, TapError> {
    let open = web.app.open_tag(address, false).await?;
    let view = TapView {
        words,
        member: MemberView::of(web, headers, &open, "../../", words).await,
        item: &open.item,
        is_low: web.app.is_low(&open.item).await?,
        step: open.tag.step,
        message: &view::done(words, done),
        action: "adjust",
        nonces: [&web.app.tap_nonce(), &web.app.tap_nonce()],
        script: None,
    };
    Ok(view.into_response())
}
