//! OIDC: an external issuer whose tokens are accepted in place of our own.

use std::path::PathBuf;

use super::layers::Layers;
use larder_http::PublicUrl;

use super::SettingError;

const ACCEPTED_ISSUER: &str =
    "an http or https URL with a host and without a query, such as https://id.example";

/// An issuer, and how its tokens are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// The `iss` of its tokens, compared as it is.
    pub issuer: String,
    /// The `aud` that its tokens must name.
    pub audience: String,
    /// The file with its public keys (JWKS).
    pub jwks_path: PathBuf,
}

impl OidcSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Option<Self>, SettingError> {
        // The issuer is checked as a URL but kept verbatim: tokens must repeat it exactly.
        let issuer = layers.parse("oidc_issuer", ACCEPTED_ISSUER, |text| {
            PublicUrl::parse(text).map(|_| text.to_owned())
        })?;
        let audience = layers.parse("oidc_audience", "a name that is not empty", |text| {
            Some(text.to_owned()).filter(|name| !name.is_empty())
        })?;
        let jwks = layers.find("oidc_jwks")?.map(|given| given.readable_path()).transpose()?;
        let missing = |missing| Err(SettingError::OidcIncomplete { missing });
        match (issuer, audience, jwks) {
            (None, None, None) => Ok(None),
            (Some(issuer), Some(audience), Some(jwks_path)) => {
                Ok(Some(Self { issuer, audience, jwks_path }))
            }
            (None, _, _) => missing("oidc_issuer"),
            (_, None, _) => missing("oidc_audience"),
            (_, _, None) => missing("oidc_jwks"),
        }
    }
}
