//! Forms with a file.

use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use bytes::Bytes;
use futures_util::stream;
use multer::{Multipart, parse_boundary};

use crate::Failure;

/// The maximum size of a form with a file: the largest photo, and the other fields.
pub(crate) const MAX_UPLOAD_BYTES: usize = 12 * 1024 * 1024 + 16 * 1024;

/// The fields of a form with a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Upload {
    /// The CSRF token, which the guard checks.
    pub(crate) csrf: String,
    /// The file; empty if none was chosen.
    pub(crate) file: Bytes,
}

impl Upload {
    /// Whether a form with a file may be sent to this path: everything else takes small forms only.
    pub(crate) fn is_taken_at(path: &str) -> bool {
        let has_photo = path.starts_with("/products/") || path.starts_with("/things/");
        has_photo && path.ends_with("/photo")
    }

    /// Whether a request says that it is a form with a file.
    pub(crate) fn is_sent(headers: &HeaderMap) -> bool {
        boundary(headers).is_some()
    }

    /// The fields; `None` if this is no such form.
    pub(crate) async fn read(headers: &HeaderMap, body: Bytes) -> Option<Self> {
        let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
        let mut form = Multipart::new(body, boundary(headers)?);
        let mut upload = Self::default();
        while let Some(field) = form.next_field().await.ok()? {
            match field.name() {
                Some("csrf") => upload.csrf = field.text().await.ok()?,
                Some("photo") => upload.file = field.bytes().await.ok()?,
                _ => {}
            }
        }
        Some(upload)
    }
}

fn boundary(headers: &HeaderMap) -> Option<String> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    parse_boundary(content_type).ok()
}

impl<S: Sync> FromRequest<S> for Upload {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_UPLOAD_BYTES).await.map_err(|_| Failure::TooLarge)?;
        Self::read(&parts.headers, body).await.ok_or(Failure::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(content_type: &'static str, body: &'static str) -> Option<Upload> {
        let headers = HeaderMap::from_iter([(
            header::CONTENT_TYPE,
            axum::http::HeaderValue::from_static(content_type),
        )]);
        Upload::read(&headers, Bytes::from_static(body.as_bytes())).await
    }

    const FORM: &str = "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n\
        --x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\
        Content-Type: image/jpeg\r\n\r\n\u{0}\r\n--y\r\n--x--\r\n";

    #[tokio::test]
    async fn the_token_and_the_file_are_read_as_they_were_sent() {
        let upload = read("multipart/form-data; boundary=x", FORM).await.unwrap();
        assert_eq!((&*upload.csrf, &*upload.file), ("abc", &b"\0\r\n--y"[..]));
    }

    #[test]
    fn only_photos_are_sent_as_files() {
        for path in ["/products/1/photo", "/things/urn:pp:Box::1/photo"] {
            assert!(Upload::is_taken_at(path), "{path}");
        }
        for path in ["/things/urn:pp:Box::1/edit", "/stock/1/photo", "/things/1/photo/remove"] {
            assert!(!Upload::is_taken_at(path), "{path}");
        }
    }

    #[tokio::test]
    async fn nothing_else_is_such_a_form() {
        for (content_type, body) in [
            ("application/x-www-form-urlencoded", "csrf=abc"),
            ("multipart/form-data", FORM),
            ("multipart/form-data; boundary=z", FORM),
            ("multipart/form-data; boundary=x", &FORM[..FORM.len() - 8]),
        ] {
            assert_eq!(read(content_type, body).await, None, "{content_type} {body}");
        }
    }
}
