//! The end of a tag's address, as it came.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};

/// What stands after `/t/`. Not decoded: an id has nothing to decode, and what cannot be decoded must look like any
/// other address that no tag has.
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
