//! Tokens of the external issuer: RS256 or ES256, by the keys that it publishes.

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::Validation;
use larder_domain::{Email, PersonName};
use larder_storage::ExternalIdentity;
use serde::Deserialize;
use serde_json::Value;

use super::{InvalidToken, OWN_ISSUER, key_file::KeyFile};
use crate::{ExternalIssuer, SettingsError};

/// The longest subject that an issuer may have (`OpenID` Connect Core, section 2).
const MAX_SUBJECT_BYTES: usize = 255;

/// Verifies the tokens of one external issuer.
pub(super) struct ExternalTokens {
    issuer: String,
    audience: Option<String>,
    keys: KeyFile,
}

/// A user of the external issuer, and its claims about them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct VouchedFor {
    pub(crate) identity: ExternalIdentity,
    /// Their address, if the issuer names one and does not say that it is unverified.
    pub(crate) email: Option<Email>,
    name: Option<PersonName>,
}

impl VouchedFor {
    /// The issuer's name for them; failing that, the part of their address before the `@`.
    pub(crate) fn name(&self) -> Option<PersonName> {
        self.name.clone().or_else(|| {
            let (local, _) = self.email.as_ref()?.as_str().rsplit_once('@')?;
            let short: String = local.chars().take(PersonName::MAX_CHARS).collect();
            PersonName::parse(&short).ok()
        })
    }
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// Seconds, with a fraction if the issuer likes (RFC 7519, section 2).
    exp: f64,
    nbf: Option<f64>,
    email: Option<Value>,
    /// Some issuers send a text instead of the standard's boolean.
    email_verified: Option<Value>,
    name: Option<Value>,
}

impl ExternalTokens {
    pub(super) fn new(settings: ExternalIssuer, now: Timestamp) -> Result<Self, SettingsError> {
        if settings.issuer.is_empty() || settings.issuer == OWN_ISSUER {
            return Err(SettingsError::ReservedIssuer);
        }
        let keys = KeyFile::open(settings.jwks_path, now)?;
        Ok(Self { issuer: settings.issuer, audience: settings.audience, keys })
    }

    pub(super) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Whom the token vouches for, if the issuer signed it for us and its time is now.
    pub(super) async fn verify(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<VouchedFor, InvalidToken> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| InvalidToken)?;
        // `crit` lists extensions that must be supported (RFC 7515, section 4.1.11); we support
        // none.
        let kid = header.kid.filter(|_| header.crit.is_none()).ok_or(InvalidToken)?;
        let key = self.keys.find(&kid, now).await.ok_or(InvalidToken)?;
        let claims = jsonwebtoken::decode(token, &key.key, &self.validation(key.algorithm))
            .map_err(|_| InvalidToken)?
            .claims;
        vouched_for(claims, now).ok_or(InvalidToken)
    }

    fn validation(&self, algorithm: jsonwebtoken::Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_issuer(&[&self.issuer]);
        validation.set_required_spec_claims(&["iss", "sub", "exp"]);
        validation.validate_aud = false;
        if let Some(audience) = &self.audience {
            validation.set_audience(&[audience]);
            validation.required_spec_claims.insert("aud".to_owned());
            validation.validate_aud = true;
        }
        // The library uses the system's time; we use the clock.
        validation.validate_exp = false;
        validation
    }
}

fn vouched_for(claims: Claims, now: Timestamp) -> Option<VouchedFor> {
    let has_begun = match claims.nbf {
        Some(begin) => at(begin)? <= now,
        None => true,
    };
    let is_timely = has_begun && now < at(claims.exp)?;
    let has_subject = (1..=MAX_SUBJECT_BYTES).contains(&claims.sub.len());
    if !is_timely || !has_subject {
        return None;
    }
    let is_unverified =
        claims.email_verified.is_some_and(|claim| claim == false || claim == "false");
    let text = |claim: Option<Value>| match claim {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let email = text(claims.email).filter(|_| !is_unverified);
    Some(VouchedFor {
        identity: ExternalIdentity { issuer: claims.iss, subject: claims.sub },
        email: email.and_then(|text| Email::parse(&text).ok()),
        name: text(claims.name).and_then(|text| PersonName::parse(&text).ok()),
    })
}

fn at(seconds: f64) -> Option<Timestamp> {
    Timestamp::from_duration(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
