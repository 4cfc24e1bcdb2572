//! The last segment of a tag's URL.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};

/// The text after `/t/`. Not decoded: ids need no decoding, and malformed escapes must look like
/// any other unknown URL.
pub(super) struct AddressText(pub(super) String);

impl<S: Sync> FromRequestParts<S> for AddressText {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let rest = parts.uri.path().strip_prefix("/t/").unwrap_or_default();
        Ok(Self(rest.split('/').next().unwrap_or_default().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[tokio::test]
    async fn it_is_taken_as_it_came() {
        for (path, text) in [
            ("/t/0123456789ABCDEFabcdef", "0123456789ABCDEFabcdef"),
            ("/t/0123456789ABCDEFabcdef/adjust?x=1", "0123456789ABCDEFabcdef"),
            ("/t/%ff%zz", "%ff%zz"),
            ("/t/", ""),
        ] {
            let mut parts = Request::builder().uri(path).body(()).unwrap().into_parts().0;
            let Ok(AddressText(read)) = AddressText::from_request_parts(&mut parts, &()).await;
            assert_eq!(read, text, "{path}");
        }
    }
}
