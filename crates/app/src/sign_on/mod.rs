//! Single sign-on: logging in on the pages with an account at an identity provider (`OpenID`
//! Connect, authorization code with PKCE).
//!
//! Nothing of it is stored. What has to survive the way to the provider and back is in a cookie that
//! we sign, so that it is good on every server with the same secret.

mod flow;
mod http;
mod linking;
mod sealed;
#[cfg(test)]
mod tests;
mod token_endpoint;

use std::{fmt, sync::Arc};

use larder_domain::Email;
use larder_storage::StorageError;

pub use flow::{BegunSignOn, ProviderAnswer, SignOnProof, SignOnPurpose, SignedOn};
pub use http::{IssuerAnswer, IssuerCall, IssuerCallError, IssuerHttp};

use crate::{
    App, AppError,
    sign_on::sealed::Sealer,
    tokens::{Discovery, Tokens},
};

/// How Larder is known to the identity provider.
#[derive(Clone)]
pub struct SignOnSettings {
    /// Larder's name at the provider.
    pub client_id: String,
    /// Its secret there; `None` for a public client.
    pub client_secret: Option<String>,
    /// What people call the provider.
    pub name: String,
}

/// The secret stays out of logs.
impl fmt::Debug for SignOnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignOnSettings")
            .field("client_id", &self.client_id)
            .field("client_secret", &self.client_secret.as_ref().map(|_| "[redacted]"))
            .field("name", &self.name)
            .finish()
    }
}

/// The identity provider, as the pages show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderStatus<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Whether it answered when it was last asked.
    pub is_reachable: bool,
}

/// Why somebody is not logged in, or nothing is linked.
#[derive(Debug)]
pub enum SignOnFailure {
    /// The provider does not answer.
    Unavailable,
    /// The person, or the provider, said no.
    Denied,
    /// It took too long, or another attempt was begun since in the same browser.
    Outdated,
    /// The provider's answer is not one to believe. The log says why.
    Refused,
    /// The provider names no address that it has verified, so no account can be created.
    NoAddress,
    /// An account that this identity is not linked to has the address.
    AddressTaken(Option<Email>),
    /// The identity logs in to another account.
    IdentityTaken,
    /// The account is linked to another identity.
    HasAnother,
    /// Any other.
    App(AppError),
}

impl From<AppError> for SignOnFailure {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<StorageError> for SignOnFailure {
    fn from(error: StorageError) -> Self {
        Self::App(error.into())
    }
}

/// The configured provider, and the keys of what we sign.
pub(crate) struct SignOn {
    settings: SignOnSettings,
    provider: Arc<Discovery>,
    attempts: Sealer,
    connections: Sealer,
    proofs: Sealer,
}

impl SignOn {
    /// `None` if people do not log in elsewhere, or the issuer's endpoints are not looked up.
    pub(crate) fn new(
        settings: Option<SignOnSettings>,
        tokens: &Tokens,
        secret: &[u8],
    ) -> Option<Self> {
        Some(Self {
            settings: settings?,
            provider: Arc::clone(tokens.discovery()?),
            attempts: Sealer::derive(secret, b"larder: a sign-on in progress"),
            connections: Sealer::derive(secret, b"larder: an identity to connect"),
            proofs: Sealer::derive(secret, b"larder: a fresh sign-on"),
        })
    }
}

impl App {
    /// The identity provider that people can log in with, if there is one.
    pub fn identity_provider(&self) -> Option<ProviderStatus<'_>> {
        let sign_on = self.sign_on.as_ref()?;
        let is_reachable = !sign_on.provider.is_failing();
        Some(ProviderStatus { name: &sign_on.settings.name, is_reachable })
    }

    /// Fetches what the identity provider publishes, so that requests need not wait for it. `None`
    /// if nothing is fetched, otherwise whether the provider answered.
    pub async fn refresh_identity_provider(&self) -> Option<bool> {
        Some(self.tokens.discovery()?.refresh(self.now()).await)
    }

    pub(super) fn configured_sign_on(&self) -> Result<&SignOn, SignOnFailure> {
        self.sign_on.as_ref().ok_or(SignOnFailure::Unavailable)
    }
}
