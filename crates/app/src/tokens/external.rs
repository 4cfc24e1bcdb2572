//! Tokens of the external issuer: RS256 or ES256, by the keys that it publishes.

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::Validation;
use larder_domain::{Email, PersonName};
use larder_storage::ExternalIdentity;
use serde::Deserialize;
use serde_json::Value;

use super::{InvalidToken, IssuerKeys};

/// The longest subject that an issuer may have (`OpenID` Connect Core, section 2).
const MAX_SUBJECT_BYTES: usize = 255;

/// Verifies the tokens of one external issuer.
pub(super) struct ExternalTokens {
    issuer: String,
    audience: String,
    keys: IssuerKeys,
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
    /// The same person, with what else the issuer says of them.
    pub(crate) fn described_by(self, profile: &Profile) -> Self {
        Self {
            email: self.email.or_else(|| profile.email()),
            name: self.name.or_else(|| profile.name()),
            ..self
        }
    }

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
pub(super) struct Claims {
    iss: String,
    sub: String,
    /// Seconds, with a fraction if the issuer likes (RFC 7519, section 2).
    exp: f64,
    nbf: Option<f64>,
    #[serde(flatten)]
    profile: Profile,
}

/// What an issuer says of a person.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Profile {
    email: Option<Value>,
    /// Some issuers send a text instead of the standard's boolean.
    email_verified: Option<Value>,
    name: Option<Value>,
}

impl Profile {
    /// Their address, if the issuer does not say that it is unverified.
    pub(crate) fn email(&self) -> Option<Email> {
        let unverified = self.email_verified.as_ref();
        let is_unverified = unverified.is_some_and(|claim| claim == false || claim == "false");
        let email = self.email.as_ref().filter(|_| !is_unverified)?.as_str()?;
        Email::parse(email).ok()
    }

    /// Their name.
    pub(crate) fn name(&self) -> Option<PersonName> {
        PersonName::parse(self.name.as_ref()?.as_str()?).ok()
    }
}

impl ExternalTokens {
    pub(super) fn new(issuer: String, audience: String, keys: IssuerKeys) -> Self {
        Self { issuer, audience, keys }
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
        let kid = key_name(token).ok_or(InvalidToken)?;
        let key = self.keys.find(&kid, now).await.ok_or(InvalidToken)?;
        let claims = jsonwebtoken::decode(token, &key.key, &self.validation(key.algorithm))
            .map_err(|_| InvalidToken)?
            .claims;
        vouched_for(claims, now, SignedDuration::ZERO).ok_or(InvalidToken)
    }

    fn validation(&self, algorithm: jsonwebtoken::Algorithm) -> Validation {
        let mut validation = validation_of(algorithm, &self.issuer);
        validation.set_audience(&[&self.audience]);
        validation.required_spec_claims.insert("aud".to_owned());
        validation.validate_aud = true;
        validation
    }
}

/// The name of the key that the token claims to be signed with.
pub(super) fn key_name(token: &str) -> Option<String> {
    let header = jsonwebtoken::decode_header(token).ok()?;
    // `crit` lists extensions that must be supported (RFC 7515, section 4.1.11); we support none.
    header.kid.filter(|_| header.crit.is_none())
}

/// What every token of this issuer must fulfil; its audience is checked apart from that.
pub(super) fn validation_of(algorithm: jsonwebtoken::Algorithm, issuer: &str) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.set_issuer(&[issuer]);
    validation.set_required_spec_claims(&["iss", "sub", "exp"]);
    validation.validate_aud = false;
    // The library uses the system's time; we use the clock.
    validation.validate_exp = false;
    validation
}

/// Whom these claims vouch for, if their time is now, give or take some leeway.
pub(super) fn vouched_for(
    claims: Claims,
    now: Timestamp,
    leeway: SignedDuration,
) -> Option<VouchedFor> {
    let has_begun = match claims.nbf {
        Some(begin) => at(begin)? <= now + leeway,
        None => true,
    };
    let is_timely = has_begun && now - leeway < at(claims.exp)?;
    let has_subject = (1..=MAX_SUBJECT_BYTES).contains(&claims.sub.len());
    (is_timely && has_subject).then(|| VouchedFor {
        identity: ExternalIdentity { issuer: claims.iss, subject: claims.sub },
        email: claims.profile.email(),
        name: claims.profile.name(),
    })
}

pub(super) fn at(seconds: f64) -> Option<Timestamp> {
    Timestamp::from_duration(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
