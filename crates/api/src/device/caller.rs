//! Who shows an API key.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};
use larder_app::{AppError, DeviceCaller};
use larder_domain::{ApiKeyHash, ApiKeySecret};
use larder_http::ClientAddress;

use crate::{
    problems::ApiError,
    state::{Api, ApiState},
};

const HEADER: &str = "x-api-key";

/// Whoever the API key is for. Comes before the body, so that nobody without a key makes us read or unpack one.
pub(super) struct Device(pub(super) DeviceCaller);

impl FromRequestParts<ApiState> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let secret = secret(parts).ok_or(AppError::InvalidApiKey)?;
        let hash = api.app.api_key_hash(&secret);
        let caller = match api.app.known_device(&hash) {
            Some(caller) => caller,
            None => look_up(parts, api, &hash).await?,
        };
        if let Some(limits) = &api.rate_limits {
            limits.check_device(caller.key_id())?;
        }
        Ok(Self(caller))
    }
}

/// The key of the one header, if it has the form of a key. Two headers are none: which of them counts would be
/// anybody's guess.
fn secret(parts: &Parts) -> Option<ApiKeySecret> {
    let mut values = parts.headers.get_all(HEADER).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    ApiKeySecret::parse(value.to_str().ok()?).ok()
}

/// Asks the store, which nobody may make busy with keys that do not exist. Only those count, and a key that has worked
/// here is let through: behind one address may stand many devices whose keys are good.
async fn look_up(
    parts: &mut Parts,
    api: &Api,
    hash: &ApiKeyHash,
) -> Result<DeviceCaller, ApiError> {
    let Ok::<_, Infallible>(address) = ClientAddress::from_request_parts(parts, &()).await;
    if let Some(limits) = &api.rate_limits
        && !api.app.has_known_device(hash)
    {
        limits.may_show_unknown_key(address)?;
    }
    let found = api.app.authenticate_device(hash).await;
    if let (Err(AppError::InvalidApiKey), Some(limits)) = (&found, &api.rate_limits) {
        limits.has_shown_unknown_key(address);
    }
    Ok(found?)
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
