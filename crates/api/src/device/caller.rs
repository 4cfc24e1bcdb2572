//! Authentication of devices by API key.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};
use larder_app::{AppError, DeviceCaller, DeviceLimits};
use larder_domain::{ApiKeyId, ApiKeySecret};
use larder_http::ClientAddress;

use crate::{ApiError, ApiState, rate_limits::RateLimits};

const HEADER: &str = "x-api-key";

/// The caller of a valid API key. Extracted before the body, so that a request without a key cannot
/// make us read or decompress one.
pub(super) struct Device(pub(super) DeviceCaller);

impl FromRequestParts<ApiState> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let secret = secret(parts).ok_or(AppError::InvalidApiKey)?;
        let Ok::<_, Infallible>(client) = ClientAddress::from_request_parts(parts, &()).await;
        let limits = ClientLimits { client, limits: api.rate_limits.as_ref() };
        Ok(Self(api.app.authenticate_device(&secret, &limits).await?))
    }
}

/// The limits of one client address.
struct ClientLimits<'a> {
    client: ClientAddress,
    limits: Option<&'a RateLimits>,
}

impl DeviceLimits for ClientLimits<'_> {
    type Exceeded = ApiError;

    fn check_guess(&self) -> Result<(), ApiError> {
        Ok(self.limits.map_or(Ok(()), |limits| limits.may_show_unknown_key(self.client))?)
    }

    fn count_guess(&self) {
        if let Some(limits) = self.limits {
            limits.has_shown_unknown_key(self.client);
        }
    }

    fn check_request(&self, key: ApiKeyId) -> Result<(), ApiError> {
        Ok(self.limits.map_or(Ok(()), |limits| limits.check_device(key))?)
    }
}

/// The key of the only such header, if it is well-formed. Two headers are invalid, because they are
/// ambiguous.
fn secret(parts: &Parts) -> Option<ApiKeySecret> {
    let mut values = parts.headers.get_all(HEADER).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    ApiKeySecret::parse(value.to_str().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn read(values: &[&str]) -> Option<ApiKeySecret> {
        let request = values
            .iter()
            .fold(Request::builder(), |request, value| request.header("X-API-Key", *value));
        secret(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn exactly_one_key_of_64_lower_case_hex_digits_is_taken() {
        let key = "0123456789abcdef".repeat(4);
        assert_eq!(read(&[&key]).unwrap().reveal(), key);
        let upper = key.to_uppercase();
        let padded = format!("{key} ");
        for values in [&[][..], &[""], &[&upper], &[&key[1..]], &[&padded], &[&key, &key]] {
            assert!(read(values).is_none(), "{values:?}");
        }
    }
}
