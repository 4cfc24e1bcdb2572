//! ID tokens, with which the identity provider says who has just logged in.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use thiserror::Error;

use super::{
    Discovery, VouchedFor,
    external::{Claims, at, key_name, validation_of, vouched_for},
};

/// How far the provider's clock may be from ours.
const LEEWAY: SignedDuration = SignedDuration::from_secs(60);

/// What an ID token is expected to answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdTokenQuestion<'a> {
    /// We, as the provider knows us.
    pub(crate) client_id: &'a str,
    /// What was sent with the question.
    pub(crate) nonce: &'a str,
}

/// A valid ID token.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IdToken {
    /// Who logged in.
    pub(crate) person: VouchedFor,
    /// When they last proved who they are, if the provider says so.
    pub(crate) authenticated_at: Option<Timestamp>,
}

/// Why an ID token is refused. For the log only: its sender is the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidIdToken {
    #[error("it names no key that the provider publishes")]
    Key,
    #[error("its signature, its issuer or its form is wrong")]
    Signature,
    #[error("it is for another client")]
    Audience,
    #[error("it answers another request")]
    Nonce,
    #[error("it has expired, has not begun, or names nobody")]
    Time,
}

#[derive(Deserialize)]
struct IdClaims {
    #[serde(flatten)]
    claims: Claims,
    aud: Audience,
    /// The client that it was issued to, if that is not the only audience.
    azp: Option<String>,
    nonce: Option<String>,
    auth_time: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl IdToken {
    /// Verifies a token that came from the provider's token endpoint.
    pub(crate) async fn verify(
        provider: &Discovery,
        token: &str,
        question: IdTokenQuestion<'_>,
        now: Timestamp,
    ) -> Result<Self, InvalidIdToken> {
        let kid = key_name(token).ok_or(InvalidIdToken::Key)?;
        let key = provider.find_new_key(&kid, now).await.ok_or(InvalidIdToken::Key)?;
        let validation = validation_of(key.algorithm, provider.issuer());
        let claims = jsonwebtoken::decode::<IdClaims>(token, &key.key, &validation)
            .map_err(|_| InvalidIdToken::Signature)?
            .claims;
        claims.answer(question, now)
    }
}

impl IdClaims {
    fn answer(
        self,
        question: IdTokenQuestion<'_>,
        now: Timestamp,
    ) -> Result<IdToken, InvalidIdToken> {
        let (is_for_us, is_for_others) = match &self.aud {
            Audience::One(one) => (one == question.client_id, false),
            Audience::Several(several) => {
                (several.iter().any(|one| one == question.client_id), several.len() > 1)
            }
        };
        let was_issued_to_us = match self.azp.as_deref() {
            Some(client) => client == question.client_id,
            None => !is_for_others,
        };
        if !is_for_us || !was_issued_to_us {
            return Err(InvalidIdToken::Audience);
        }
        if self.nonce.as_deref() != Some(question.nonce) {
            return Err(InvalidIdToken::Nonce);
        }
        let authenticated_at = self.auth_time.and_then(at);
        let person = vouched_for(self.claims, now, LEEWAY).ok_or(InvalidIdToken::Time)?;
        Ok(IdToken { person, authenticated_at })
    }
}

#[cfg(test)]
#[path = "id_token_tests.rs"]
mod tests;
