//! The one way to read a request body.

use std::{marker::PhantomData, sync::Arc};

use axum::{
    body::Body,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
};
use bytes::Bytes;
use http_body_util::BodyExt;

use crate::{HttpSettings, Limits, Problem};

/// An oversized body is read up to this multiple of the limit and discarded: a client that is still
/// sending when the connection closes would never see the answer.
const DRAIN_FACTOR: usize = 8;

/// The bytes of a JSON request, or none: pass them to [`Fields`](crate::Fields).
///
/// An empty body needs no content type, because a POST without one is fine in places.
#[derive(Clone, Debug)]
pub struct JsonBody(pub Bytes);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        refuse_packed(request.headers())?;
        let limits = limits_of(&request);
        read_json(request, &limits).await.map(Self)
    }
}

/// The same for a body that may contain a client's own document: up to so many bytes, if that is
/// above the usual limit. Pass them to [`Fields::parse_document`](crate::Fields::parse_document).
#[derive(Clone, Debug)]
pub struct DocumentBody<const MAX_BYTES: usize>(pub Bytes);

impl<S: Sync, const MAX_BYTES: usize> FromRequest<S> for DocumentBody<MAX_BYTES> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        refuse_packed(request.headers())?;
        let usual = limits_of(&request);
        let limits = Limits { body_bytes: usual.body_bytes.max(MAX_BYTES), ..usual };
        read_json(request, &limits).await.map(Self)
    }
}

pub(crate) async fn read_json(request: Request, limits: &Limits) -> Result<Bytes, Problem> {
    let (headers, bytes) = read_whole(request, limits).await?;
    if bytes.is_empty() || is_json(&headers) {
        Ok(bytes)
    } else {
        Err(Problem::for_status(StatusCode::UNSUPPORTED_MEDIA_TYPE))
    }
}

/// Which bodies a route takes that are not JSON.
pub trait MediaKind {
    /// The accepted types.
    const TYPES: &'static [&'static str];
    /// The limit, whatever it is for other bodies.
    const MAX_BYTES: usize;
}

/// A body of one of the types of `K`. The declared type is only a first filter: what the bytes are
/// is for the use case to find out.
#[derive(Clone, Debug)]
pub struct MediaBody<K> {
    /// All of it.
    pub bytes: Bytes,
    kind: PhantomData<K>,
}

impl<S: Sync, K: MediaKind> FromRequest<S> for MediaBody<K> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        refuse_packed(request.headers())?;
        let limits = Limits { body_bytes: K::MAX_BYTES, ..limits_of(&request) };
        let (headers, bytes) = read_whole(request, &limits).await?;
        if !K::TYPES.iter().any(|media_type| is_utf8_of_type(&headers, media_type)) {
            let detail = format!("send {}", K::TYPES.join(" or "));
            return Err(Problem::for_status(StatusCode::UNSUPPORTED_MEDIA_TYPE).detail(detail));
        }
        Ok(Self { bytes, kind: PhantomData })
    }
}

/// The bytes of a request that a script sends as JSON, and a form of a page without script as a form does:
/// hand them to [`Fields`](crate::Fields) or to [`Params`](crate::Params).
#[derive(Clone, Debug)]
pub enum JsonOrForm {
    /// A JSON request, or an empty body.
    Json(Bytes),
    /// `application/x-www-form-urlencoded`.
    Form(Bytes),
}

impl<S: Sync> FromRequest<S> for JsonOrForm {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        refuse_packed(request.headers())?;
        let limits = limits_of(&request);
        let (headers, bytes) = read_whole(request, &limits).await?;
        if is_utf8_of_type(&headers, "application/x-www-form-urlencoded") {
            Ok(Self::Form(bytes))
        } else if bytes.is_empty() || is_json(&headers) {
            Ok(Self::Json(bytes))
        } else {
            Err(Problem::for_status(StatusCode::UNSUPPORTED_MEDIA_TYPE))
        }
    }
}

/// Refuses a body with a `Content-Encoding`, which its reader would take for broken text.
fn refuse_packed(headers: &HeaderMap) -> Result<(), Problem> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    if codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        Ok(())
    } else {
        Err(unsupported_encoding("send the body as it is"))
    }
}

/// 415 for an encoding of the body.
pub(crate) fn unsupported_encoding(detail: &'static str) -> Problem {
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    Problem::new(status, "UNSUPPORTED_ENCODING", "The body's encoding is not known here")
        .detail(detail)
}

/// The bounds of this request.
pub(crate) fn limits_of(request: &Request) -> Limits {
    let settings = request.extensions().get::<Arc<HttpSettings>>();
    settings.map(|settings| settings.limits).unwrap_or_default()
}

/// 413, with the limit.
pub(crate) fn too_large(limits: &Limits) -> Problem {
    Problem::for_status(StatusCode::PAYLOAD_TOO_LARGE)
        .detail(format!("at most {} bytes are allowed", limits.body_bytes))
}

async fn read_whole(request: Request, limits: &Limits) -> Result<(HeaderMap, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    let bytes = tokio::time::timeout(limits.body_time, read(&parts.headers, body, limits))
        .await
        .unwrap_or_else(|_| Err(Problem::for_status(StatusCode::REQUEST_TIMEOUT)))?;
    Ok((parts.headers, bytes))
}

async fn read(headers: &HeaderMap, mut body: Body, limits: &Limits) -> Result<Bytes, Problem> {
    let drain_limit = limits.body_bytes.saturating_mul(DRAIN_FACTOR);
    if announced_length(headers).is_some_and(|length| length > drain_limit) {
        return Err(too_large(limits));
    }
    let mut chunks: Vec<Bytes> = Vec::new();
    let mut total = 0_usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| {
            Problem::bad_request("BODY_INCOMPLETE", "The body ended before it was complete")
        })?;
        let Ok(chunk) = frame.into_data() else { continue };
        total = total.saturating_add(chunk.len());
        if total > drain_limit {
            break;
        }
        if total > limits.body_bytes {
            chunks.clear();
        } else {
            chunks.push(chunk);
        }
    }
    if total > limits.body_bytes {
        return Err(too_large(limits));
    }
    Ok(match chunks.len() {
        // Nearly every body is one chunk, which costs no copy.
        0 | 1 => chunks.pop().unwrap_or_default(),
        _ => Bytes::from(chunks.concat()),
    })
}

fn announced_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    is_utf8_of_type(headers, "application/json")
}

/// Whether the body is of this type, with no character set or UTF-8.
fn is_utf8_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    let Some(Ok(value)) = headers.get(header::CONTENT_TYPE).map(|value| value.to_str()) else {
        return false;
    };
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset_is_utf8 = parts.filter_map(|part| part.split_once('=')).all(|(name, value)| {
        !name.eq_ignore_ascii_case("charset")
            || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    });
    essence.eq_ignore_ascii_case(media_type) && charset_is_utf8
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, time::Duration};

    use futures_util::{FutureExt, stream};

    use super::*;
    use crate::testing::settings;

    async fn extract(content_type: Option<&str>, body: Body) -> Result<Bytes, &'static str> {
        let limits =
            Limits { body_bytes: 10, body_time: Duration::from_secs(1), ..Limits::default() };
        let mut request = Request::builder().method("POST").extension(settings(limits));
        if let Some(value) = content_type {
            request = request.header(header::CONTENT_TYPE, value);
        }
        let body = JsonBody::from_request(request.body(body).unwrap(), &()).await;
        body.map(|JsonBody(bytes)| bytes).map_err(|problem| problem.code())
    }

    fn chunks(chunks: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(chunks.iter().copied().map(Ok::<_, Infallible>)))
    }

    #[tokio::test]
    async fn json_is_taken_with_or_without_utf8_named() {
        for kind in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
        ] {
            assert_eq!(
                extract(Some(kind), Body::from("{}")).await,
                Ok(Bytes::from("{}")),
                "{kind}"
            );
        }
    }

    #[tokio::test]
    async fn anything_else_is_415() {
        for kind in [
            None,
            Some("text/json"),
            Some("application/json; charset=shift_jis"),
            Some("application/jsonx"),
        ] {
            assert_eq!(
                extract(kind, Body::from("{}")).await,
                Err("UNSUPPORTED_MEDIA_TYPE"),
                "{kind:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_packed_body_is_415_whatever_it_is_for() {
        struct Picture;
        impl MediaKind for Picture {
            const TYPES: &'static [&'static str] = &["image/png"];
            const MAX_BYTES: usize = 4;
        }
        for (codings, is_taken) in [
            (&["identity"][..], true),
            (&["Identity", "identity"], true),
            (&["gzip"], false),
            (&["deflate"], false),
            (&["br"], false),
            (&["zstd"], false),
            (&["identity", "gzip"], false),
            (&["identity, gzip"], false),
            (&[""], false),
        ] {
            let request = |kind| {
                let request = Request::builder().method("POST").header(header::CONTENT_TYPE, kind);
                let request = codings.iter().fold(request, |request, coding| {
                    request.header(header::CONTENT_ENCODING, *coding)
                });
                request.body(Body::from("1234")).unwrap()
            };
            let json = || request("application/json");
            let form = JsonOrForm::from_request(request("application/x-www-form-urlencoded"), &());
            let refusals = [
                JsonBody::from_request(json(), &()).await.err(),
                DocumentBody::<10>::from_request(json(), &()).await.err(),
                MediaBody::<Picture>::from_request(request("image/png"), &()).await.err(),
                form.await.err(),
            ];
            let expected = (!is_taken).then_some((415, "UNSUPPORTED_ENCODING"));
            for refusal in refusals {
                let told = refusal.map(|problem| (problem.status().as_u16(), problem.code()));
                assert_eq!(told, expected, "{codings:?}");
            }
        }
    }

    #[tokio::test]
    async fn a_form_is_taken_where_one_may_come() {
        let extract = async |kind: &str| {
            let request = Request::builder().method("POST").header(header::CONTENT_TYPE, kind);
            JsonOrForm::from_request(request.body(Body::from("a=1")).unwrap(), &()).await
        };
        let form = extract("application/x-www-form-urlencoded;charset=UTF-8").await;
        assert!(matches!(form, Ok(JsonOrForm::Form(bytes)) if bytes == "a=1"));
        let json = extract("application/json").await;
        assert!(matches!(json, Ok(JsonOrForm::Json(bytes)) if bytes == "a=1"));
        let other = extract("multipart/form-data; boundary=x").await;
        assert_eq!(other.unwrap_err().code(), "UNSUPPORTED_MEDIA_TYPE");
    }

    #[tokio::test]
    async fn an_empty_body_needs_no_content_type() {
        assert_eq!(extract(None, Body::empty()).await, Ok(Bytes::new()));
    }

    #[tokio::test]
    async fn chunks_are_joined() {
        let body = extract(Some("application/json"), chunks(&["{\"a\"", ":", "1}"])).await;
        assert_eq!(body, Ok(Bytes::from("{\"a\":1}")));
    }

    #[tokio::test]
    async fn the_limit_is_exact() {
        let json = Some("application/json");
        assert_eq!(extract(json, Body::from("0123456789")).await, Ok(Bytes::from("0123456789")));
        assert_eq!(extract(json, Body::from("0123456789a")).await, Err("BODY_TOO_LARGE"));
        assert_eq!(extract(json, chunks(&["012345", "678901", "{}"])).await, Err("BODY_TOO_LARGE"));
    }

    #[tokio::test]
    async fn a_document_may_be_larger_than_other_bodies() {
        let limits = Limits { body_bytes: 10, ..Limits::default() };
        let extract = async |body: &'static str| {
            let request = Request::builder().method("POST").extension(settings(limits));
            let request = request.header(header::CONTENT_TYPE, "application/json");
            let body = request.body(Body::from(body)).unwrap();
            let body = DocumentBody::<12>::from_request(body, &()).await;
            body.map(|DocumentBody(bytes)| bytes).map_err(|problem| problem.code())
        };
        assert_eq!(extract("0123456789ab").await, Ok(Bytes::from("0123456789ab")));
        assert_eq!(extract("0123456789abc").await, Err("BODY_TOO_LARGE"));
    }

    #[tokio::test]
    async fn a_picture_has_its_own_types_and_its_own_limit() {
        struct Small;
        impl MediaKind for Small {
            const TYPES: &'static [&'static str] = &["image/jpeg", "image/png"];
            const MAX_BYTES: usize = 4;
        }
        let extract = async |kind: &str, body: &'static str| {
            let request = Request::builder().method("POST").extension(settings(Limits::default()));
            let request = request.header(header::CONTENT_TYPE, kind);
            let request = request.body(Body::from(body)).unwrap();
            let body = MediaBody::<Small>::from_request(request, &()).await;
            body.map(|body| body.bytes).map_err(|problem| problem.code())
        };
        assert_eq!(extract("image/jpeg", "1234").await, Ok(Bytes::from("1234")));
        assert_eq!(extract("Image/PNG", "").await, Ok(Bytes::new()));
        assert_eq!(extract("image/png", "12345").await, Err("BODY_TOO_LARGE"));
        for kind in ["image/webp", "application/json", "", "image/jpegx", "text/plain"] {
            assert_eq!(extract(kind, "1234").await, Err("UNSUPPORTED_MEDIA_TYPE"), "{kind}");
        }
    }

    #[tokio::test]
    async fn a_body_without_end_is_given_up() {
        let endless = stream::repeat(Ok::<_, Infallible>(Bytes::from("0123456789")));
        let body = extract(Some("application/json"), Body::from_stream(endless)).await;
        assert_eq!(body, Err("BODY_TOO_LARGE"));
    }

    #[tokio::test]
    async fn a_length_far_beyond_the_limit_is_refused_unread() {
        let unread = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
        let request = Request::builder().header(header::CONTENT_LENGTH, "10737418240");
        let refused = JsonBody::from_request(request.body(unread).unwrap(), &()).now_or_never();
        assert_eq!(refused.unwrap().unwrap_err().code(), "BODY_TOO_LARGE");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_stops_sending_is_408() {
        let stalled = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
        assert_eq!(extract(Some("application/json"), stalled).await, Err("REQUEST_TIMEOUT"));
    }

    #[tokio::test]
    async fn a_broken_body_is_400() {
        let broken = stream::iter([Ok(Bytes::from("{")), Err(std::io::Error::other("reset"))]);
        let body = extract(Some("application/json"), Body::from_stream(broken)).await;
        assert_eq!(body, Err("BODY_INCOMPLETE"));
    }
}
