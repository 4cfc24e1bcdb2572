//! OIDC: an external issuer, whose tokens programs may send, and with which people log in on the
//! pages.

use std::path::PathBuf;

use larder_outbound::OutboundUrl;

use super::SettingError;
use super::layers::Layers;
use crate::secrets::Secret;

const ACCEPTED_ISSUER: &str =
    "an http or https URL with a host and without a query, such as https://id.example";
const ACCEPTED_DISCOVERED: &str = "an https URL, or an http URL of this machine, because its keys \
    are fetched from there, such as https://id.example";
const ACCEPTED_NAME: &str = "a name of at most 60 characters that is not empty";
const MAX_NAME_CHARS: usize = 60;

/// An issuer, how its tokens are checked, and how people log in there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// The `iss` of its tokens, compared as it is.
    pub issuer: String,
    /// The `aud` of tokens that programs send; `None`: they cannot use its tokens.
    pub audience: Option<String>,
    /// Where its public keys are.
    pub keys: OidcKeys,
    /// Larder's account at the issuer, if people log in there.
    pub client: Option<OidcClient>,
}

/// Where the public keys of an issuer are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OidcKeys {
    /// In this file (JWKS).
    File(PathBuf),
    /// Where the configuration says that the issuer publishes below this URL.
    Discovery(OutboundUrl),
}

/// Larder as a client of the issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcClient {
    /// Its name there.
    pub id: String,
    /// Its secret there; may be in a file instead of the environment, or absent for a public client.
    pub secret: Option<Secret>,
    /// What people call the issuer.
    pub name: String,
}

impl OidcSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Option<Self>, SettingError> {
        // The issuer is checked as a URL but kept verbatim: tokens must repeat it exactly.
        let given = layers.find("oidc_issuer")?;
        let issuer = given.as_ref().map(|given| {
            let url = OutboundUrl::parse(&given.text).filter(|url| !url.has_query());
            url.ok_or_else(|| given.refuse(ACCEPTED_ISSUER))
        });
        let issuer = issuer.transpose()?.zip(given);
        let named = |name| {
            layers.parse(name, "a name that is not empty", |text| {
                Some(text.to_owned()).filter(|name| !name.is_empty())
            })
        };
        let (audience, client_id) = (named("oidc_audience")?, named("oidc_client_id")?);
        let jwks = layers.find("oidc_jwks")?.map(|given| given.readable_path()).transpose()?;
        let name = layers.parse("oidc_name", ACCEPTED_NAME, |text| {
            let name = text.trim();
            let is_short = (1..=MAX_NAME_CHARS).contains(&name.chars().count());
            (is_short && !name.chars().any(char::is_control)).then(|| name.to_owned())
        })?;
        let incomplete =
            |missing, needed_by| Err(SettingError::OidcIncomplete { missing, needed_by });
        let Some((url, given)) = issuer else {
            let others = [
                (audience.is_some(), "oidc_audience"),
                (jwks.is_some(), "oidc_jwks"),
                (client_id.is_some(), "oidc_client_id"),
                (name.is_some(), "oidc_name"),
            ];
            return match others.iter().find(|(is_given, _)| *is_given) {
                Some((_, other)) => incomplete("oidc_issuer", other),
                None => Ok(None),
            };
        };
        let client = match (client_id, &jwks) {
            (Some(_), Some(_)) => return Err(SettingError::OidcKeysInFile),
            (Some(id), None) => {
                let name = name.unwrap_or_else(|| url.host().to_owned());
                let secret = layers.variable("LARDER_OIDC_CLIENT_SECRET")?;
                let secret = secret.map(|text| Secret::new(text.into_bytes()));
                Some(OidcClient { id, secret, name })
            }
            (None, _) if name.is_some() => return incomplete("oidc_client_id", "oidc_name"),
            (None, Some(_)) if audience.is_none() => {
                return incomplete("oidc_audience", "oidc_jwks");
            }
            (None, None) if audience.is_none() => {
                return incomplete("oidc_client_id", "oidc_issuer");
            }
            (None, _) => None,
        };
        let keys = match jwks {
            Some(path) => OidcKeys::File(path),
            None if !url.is_private() => return Err(given.refuse(ACCEPTED_DISCOVERED)),
            None => OidcKeys::Discovery(url),
        };
        Ok(Some(Self { issuer: given.text, audience, keys, client }))
    }
}
