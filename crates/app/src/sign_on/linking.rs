//! Connecting an account with an identity at the provider, after its owner has confirmed it.

use jiff::SignedDuration;
use larder_domain::SessionId;
use larder_storage::{ExternalIdentity, LinkIdentity};
use serde::{Deserialize, Serialize};

use super::SignOnFailure;
use crate::{App, AppError, Caller, Result};

/// How long the owner of an account may take to confirm something.
pub(super) const PROOF_LIFETIME: SignedDuration = SignedDuration::from_mins(5);

/// An identity that was shown in a session.
#[derive(Serialize, Deserialize)]
pub(super) struct Connection {
    pub(super) session: String,
    pub(super) issuer: String,
    pub(super) subject: String,
    /// What they are called at the provider.
    pub(super) who: String,
}

/// That the owner of a session has just logged in.
#[derive(Serialize, Deserialize)]
pub(super) struct FreshSignOn {
    pub(super) session: String,
}

impl App {
    /// Whom this browser is asked whether to connect its account with: what they are called at the
    /// provider.
    pub fn offered_identity(&self, session: SessionId, proof: &str) -> Option<String> {
        self.offered(session, proof).map(|connection| connection.who)
    }

    fn offered(&self, session: SessionId, proof: &str) -> Option<Connection> {
        let connection: Connection = self.sign_on.as_ref()?.connections.open(proof, self.now())?;
        (connection.session == session.to_string()).then_some(connection)
    }

    /// Connects the caller's account with the identity that was offered in their session.
    pub async fn connect_identity(
        &self,
        caller: &Caller,
        session: SessionId,
        proof: &str,
    ) -> Result<(), SignOnFailure> {
        let connection = self.offered(session, proof).ok_or(SignOnFailure::Outdated)?;
        let (user, now) = (caller.user_id(), self.now());
        let Connection { issuer, subject, .. } = connection;
        let identity = ExternalIdentity { issuer, subject };
        match self.storage.link_identity(user, &identity, now).await? {
            LinkIdentity::Linked => Ok(()),
            LinkIdentity::Taken => Err(SignOnFailure::IdentityTaken),
            LinkIdentity::HasAnother => Err(SignOnFailure::HasAnother),
            LinkIdentity::NotFound => Err(AppError::Unauthenticated.into()),
        }
    }

    /// Disconnects the caller's account from its identity. `false` if it has none, or if it is the
    /// only way to log in.
    pub async fn disconnect_identity(&self, caller: &Caller) -> Result<bool> {
        Ok(self.storage.unlink_identity(caller.user_id(), self.now()).await?)
    }

    /// The issuer of the identity that the caller's account is connected with.
    pub async fn identity_issuer(&self, caller: &Caller) -> Result<Option<String>> {
        let identity = self.storage.find_identity(caller.user_id()).await?;
        Ok(identity.map(|identity| identity.issuer))
    }

    /// Whether the caller can prove who they are by logging in at the provider.
    pub async fn can_prove_by_sign_on(&self, caller: &Caller) -> Result<bool> {
        let Some(sign_on) = &self.sign_on else { return Ok(false) };
        Ok(self.identity_issuer(caller).await?.as_deref() == Some(sign_on.provider.issuer()))
    }

    /// Whether this shows that the owner of a session has just logged in at the provider.
    pub fn is_fresh_sign_on(&self, session: SessionId, proof: &str) -> bool {
        let Some(sign_on) = &self.sign_on else { return false };
        let fresh: Option<FreshSignOn> = sign_on.proofs.open(proof, self.now());
        fresh.is_some_and(|fresh| fresh.session == session.to_string())
    }
}
