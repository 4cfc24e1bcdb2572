//! Bodies that may be compressed: a device with a weak signal saves nine tenths of the bytes.

use std::io::{self, Read};

use axum::{
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;

use crate::{
    Limits, Problem,
    body::{limits_of, read_json, too_large, unsupported_encoding},
};

/// The bytes of a JSON request, decompressed if it has `Content-Encoding: gzip`. The body limit
/// applies before and after.
#[derive(Clone, Debug)]
pub struct PackedJson(pub Bytes);

impl<S: Sync> FromRequest<S> for PackedJson {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let is_packed = is_gzip(request.headers())?;
        let limits = limits_of(&request);
        let body = read_json(request, &limits).await?;
        // On this thread: at most a megabyte, in a few milliseconds.
        if is_packed { unpack(&body, &limits).map(Self) } else { Ok(Self(body)) }
    }
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Problem> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let (first, more) = (codings.next(), codings.next());
    let Some(coding) = first else { return Ok(false) };
    let is = |name: &str| more.is_none() && coding.as_bytes().eq_ignore_ascii_case(name.as_bytes());
    if is("gzip") || is("x-gzip") {
        Ok(true)
    } else if is("identity") {
        Ok(false)
    } else {
        Err(unsupported_encoding("send the body as it is, or with gzip"))
    }
}

/// Stops one byte beyond the limit, to defuse decompression bombs.
fn unpack(packed: &[u8], limits: &Limits) -> Result<Bytes, Problem> {
    let most = u64::try_from(limits.body_bytes).unwrap_or(u64::MAX);
    let mut unpacked = Vec::new();
    let result = MultiGzDecoder::new(packed)
        .take(most.saturating_add(1))
        .read_to_end(&mut unpacked)
        .map_err(|error: io::Error| {
            Problem::bad_request("MALFORMED_GZIP", "The body is not gzip").detail(error.to_string())
        });
    result?;
    if unpacked.len() > limits.body_bytes { Err(too_large(limits)) } else { Ok(unpacked.into()) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use axum::body::Body;
    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::testing::settings;

    const LIMIT: usize = 1000;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    async fn extract(encodings: &[&str], body: Vec<u8>) -> Result<Bytes, (u16, &'static str)> {
        let limits = Limits { body_bytes: LIMIT, ..Limits::default() };
        let request = Request::builder().method("POST").extension(settings(limits));
        let mut request = request.header(header::CONTENT_TYPE, "application/json");
        for encoding in encodings {
            request = request.header(header::CONTENT_ENCODING, *encoding);
        }
        let body = PackedJson::from_request(request.body(Body::from(body)).unwrap(), &()).await;
        let PackedJson(bytes) =
            body.map_err(|problem| (problem.status().as_u16(), problem.code()))?;
        Ok(bytes)
    }

    #[tokio::test]
    async fn gzip_is_unpacked_and_plain_bodies_are_taken_as_they_are() {
        for name in ["gzip", "GZIP", "x-gzip"] {
            let body = extract(&[name], packed(b"{\"a\":1}")).await;
            assert_eq!(body, Ok(Bytes::from("{\"a\":1}")), "{name}");
        }
        for encodings in [&[][..], &["identity"]] {
            assert_eq!(extract(encodings, b"{}".to_vec()).await, Ok(Bytes::from("{}")));
        }
    }

    #[tokio::test]
    async fn the_parts_of_a_gzip_of_several_are_joined() {
        let body = [packed(b"{\"a\":"), packed(b"1}")].concat();
        assert_eq!(extract(&["gzip"], body).await, Ok(Bytes::from("{\"a\":1}")));
    }

    #[tokio::test]
    async fn other_encodings_are_415() {
        for encodings in [&["br"][..], &["gzip, gzip"], &["gzip", "gzip"], &["deflate"], &[""]] {
            let refused = extract(encodings, packed(b"{}")).await;
            assert_eq!(refused, Err((415, "UNSUPPORTED_ENCODING")), "{encodings:?}");
        }
    }

    #[tokio::test]
    async fn broken_gzip_is_400() {
        let good = packed(b"{\"a\":1}");
        let mut altered = good.clone();
        *altered.last_mut().unwrap() ^= 1;
        let cut_off = good[..good.len() - 3].to_vec();
        let trailing = [&good[..], b"rubbish"].concat();
        for body in [b"{}".to_vec(), cut_off, altered, trailing] {
            assert_eq!(extract(&["gzip"], body).await, Err((400, "MALFORMED_GZIP")));
        }
    }

    #[tokio::test]
    async fn the_limit_holds_before_and_after_unpacking() {
        let fits = extract(&["gzip"], packed(&[b' '; LIMIT])).await;
        assert_eq!(fits.map(|body| body.len()), Ok(LIMIT));
        let too_large = Err((413, "BODY_TOO_LARGE"));
        assert_eq!(extract(&["gzip"], packed(&[b' '; LIMIT + 1])).await, too_large);
        assert_eq!(extract(&["gzip"], vec![0; LIMIT + 1]).await, too_large);
    }

    #[test]
    fn a_bomb_is_unpacked_no_further_than_the_limit() {
        let bomb = packed(&vec![0; 8 * 1024 * 1024]);
        assert!(bomb.len() < Limits::default().body_bytes, "{} bytes", bomb.len());
        let problem = unpack(&bomb, &Limits::default()).unwrap_err();
        assert_eq!(problem.status().as_u16(), 413);
    }
}
