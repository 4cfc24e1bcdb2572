//! Tokens, with which users authenticate.

use std::{fmt::Write as _, sync::Arc};

use jiff::Timestamp;
use larder_domain::{SessionId, User, UserId};
use serde::Deserialize;
use thiserror::Error;

use crate::{AppError, ExternalIssuer, Result, SettingsError};

mod access;
mod discovery;
mod external;
mod id_token;
mod issuer_keys;
mod key_file;
mod key_set;
mod program_token;
mod session_token;
#[cfg(test)]
pub(crate) mod testing;
mod verified;

use access::AccessTokens;
pub(crate) use access::LIFETIME_SECONDS as ACCESS_SECONDS;
pub(crate) use discovery::Discovery;
use external::ExternalTokens;
pub(crate) use external::{Profile, VouchedFor};
pub(crate) use id_token::{IdToken, IdTokenQuestion};
use issuer_keys::IssuerKeys;
pub(crate) use program_token::ProgramTokenText;
pub(crate) use session_token::SessionToken;

/// The `iss` of our own tokens.
const OWN_ISSUER: &str = "larder";
/// Far above our own tokens, and above those of identity providers that list groups.
const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// The token is invalid. The reason would only help a forger, so it is not reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the token is not valid")]
pub(crate) struct InvalidToken;

/// Whom one of our access tokens names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenOwner {
    /// The user.
    pub(crate) user: UserId,
    /// The session in which it was issued.
    pub(crate) session: SessionId,
}

/// The result of verification.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// One of our users, if the session lasts.
    Own(TokenOwner),
    /// A user of the external issuer.
    External(VouchedFor),
}

/// Issues our tokens, and verifies ours and those of the external issuer.
pub(crate) struct Tokens {
    own: AccessTokens,
    external: Option<ExternalTokens>,
    discovery: Option<Arc<Discovery>>,
}

impl Tokens {
    /// Tokens signed with this secret. Reads the external issuer's keys if they are in a file.
    pub(crate) fn new(
        secret: &[u8],
        external: Option<ExternalIssuer>,
        now: Timestamp,
    ) -> Result<Self, SettingsError> {
        let own = AccessTokens::new(secret)?;
        let Some(ExternalIssuer { issuer, audience, keys }) = external else {
            return Ok(Self { own, external: None, discovery: None });
        };
        if issuer.is_empty() || issuer == OWN_ISSUER {
            return Err(SettingsError::ReservedIssuer);
        }
        let keys = IssuerKeys::open(&issuer, keys, now)?;
        let discovery = keys.discovery();
        let external = audience.map(|audience| ExternalTokens::new(issuer, audience, keys));
        Ok(Self { own, external, discovery })
    }

    /// What the external issuer publishes, if its keys are found that way.
    pub(crate) fn discovery(&self) -> Option<&Arc<Discovery>> {
        self.discovery.as_ref()
    }

    /// An access token for this user, as long as the session lasts.
    pub(crate) fn issue(
        &self,
        user: &User,
        session: SessionId,
        now: Timestamp,
        id: [u8; 16],
    ) -> Result<String> {
        let token = self.own.issue(user, session, now, id);
        token.map_err(|error| AppError::Defect(format!("a token could not be signed: {error}")))
    }

    /// Verifies this token now.
    pub(crate) async fn verify(&self, token: &str, now: Timestamp) -> Result<Proof, InvalidToken> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(InvalidToken);
        }
        match &self.external {
            Some(external) if claims_issuer(token, external.issuer()) => {
                external.verify(token, now).await.map(Proof::External)
            }
            _ => self.own.verify(token, now).map(Proof::Own),
        }
    }
}

/// Bytes in hexadecimal, as digests are stored.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing into a string never fails");
        text
    })
}

/// Whether the token claims this issuer. Unverified: this only chooses the verifier.
fn claims_issuer(token: &str, issuer: &str) -> bool {
    #[derive(Deserialize)]
    struct Unverified {
        iss: String,
    }
    jsonwebtoken::dangerous::insecure_decode_claims::<Unverified>(token)
        .is_ok_and(|claims| claims.iss == issuer)
}
