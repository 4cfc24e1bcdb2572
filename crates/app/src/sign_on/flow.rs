//! The way to the identity provider and back.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use larder_domain::{SessionId, SessionLabel};
use larder_storage::ExternalIdentity;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    SignOnFailure,
    linking::{Connection, FreshSignOn, PROOF_LIFETIME},
    token_endpoint::CodeExchange,
};
use crate::{
    App, AppError, BrowserCaller, BrowserLogin, Result,
    accounts::is_same,
    tokens::{IdToken, IdTokenQuestion, VouchedFor},
};

/// How long somebody may take to log in at the provider.
const ATTEMPT_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// Longer addresses are forgotten: the cookie has to fit.
const MAX_NEXT_BYTES: usize = 1024;

/// What somebody wants to reach by logging in at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignOnPurpose {
    /// To be logged in here.
    LogIn,
    /// To connect their account here, whose login this is, with the one there.
    Connect(SessionId),
    /// To prove that it is them whose session this is.
    Prove(SessionId),
}

/// What is to be remembered until the browser is back.
#[derive(Serialize, Deserialize)]
struct Attempt {
    purpose: Purpose,
    session: Option<String>,
    state: String,
    nonce: String,
    verifier: String,
    redirect_uri: String,
    next: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Purpose {
    LogIn,
    Connect,
    Prove,
}

/// Where to send the browser, and what it has to keep.
#[derive(Debug)]
pub struct BegunSignOn {
    /// The provider's address for this attempt.
    pub address: String,
    /// The value of the cookie.
    pub cookie: String,
    /// Until when it is kept.
    pub expires_at: Timestamp,
}

/// What the browser brings back.
#[derive(Debug, Default, Deserialize)]
pub struct ProviderAnswer {
    /// What was sent along.
    pub state: Option<String>,
    /// What a token can be had for.
    pub code: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
    /// Who answers.
    pub iss: Option<String>,
}

/// What a browser keeps to show that it has been at the provider.
#[derive(Debug)]
pub struct SignOnProof {
    /// The value of the cookie.
    pub cookie: String,
    /// Until when it is good.
    pub expires_at: Timestamp,
}

/// The outcome of a sign-on.
#[derive(Debug)]
pub enum SignedOn {
    /// Somebody is logged in.
    LoggedIn {
        /// Who, and their cookie.
        login: BrowserLogin,
        /// The page that they came for.
        next: String,
    },
    /// The account is connected to this identity already.
    Connected,
    /// The account can be connected once its owner confirms it.
    ToConnect(SignOnProof),
    /// The owner of the account has just logged in.
    Proved(SignOnProof),
}

impl App {
    /// Begins a sign-on that comes back to `redirect_uri`, and then leads to the page `next`.
    pub async fn begin_sign_on(
        &self,
        purpose: SignOnPurpose,
        redirect_uri: String,
        next: &str,
    ) -> Result<BegunSignOn, SignOnFailure> {
        let sign_on = self.configured_sign_on()?;
        let now = self.now();
        let endpoints = sign_on.provider.endpoints(now).await.ok_or(SignOnFailure::Unavailable)?;
        let random = || URL_SAFE_NO_PAD.encode(self.entropy.bytes::<32>());
        let (purpose, session) = match purpose {
            SignOnPurpose::LogIn => (Purpose::LogIn, None),
            SignOnPurpose::Connect(session) => (Purpose::Connect, Some(session.to_string())),
            SignOnPurpose::Prove(session) => (Purpose::Prove, Some(session.to_string())),
        };
        let attempt = Attempt {
            purpose,
            session,
            state: random(),
            nonce: random(),
            verifier: random(),
            redirect_uri,
            next: Some(next).filter(|next| next.len() <= MAX_NEXT_BYTES).unwrap_or("/").to_owned(),
        };
        let mut address = endpoints.authorization.clone();
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &sign_on.settings.client_id)
            .append_pair("redirect_uri", &attempt.redirect_uri)
            .append_pair("scope", "openid email profile")
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &challenge(&attempt.verifier))
            .append_pair("code_challenge_method", "S256");
        if purpose == Purpose::Prove {
            // The provider asks again, however long ago they logged in there.
            address.query_pairs_mut().append_pair("prompt", "login").append_pair("max_age", "0");
        }
        let expires_at = now + ATTEMPT_LIFETIME;
        let cookie =
            sign_on.attempts.seal(attempt, expires_at).map_err(|error| unsealable(&error))?;
        Ok(BegunSignOn { address: address.into(), cookie, expires_at })
    }

    /// Ends the sign-on that this cookie remembers. `browser` is who is logged in here now.
    pub async fn finish_sign_on(
        &self,
        cookie: &str,
        answer: ProviderAnswer,
        browser: Option<&BrowserCaller>,
        label: SessionLabel,
    ) -> Result<SignedOn, SignOnFailure> {
        let sign_on = self.configured_sign_on()?;
        let now = self.now();
        let attempt: Attempt = sign_on.attempts.open(cookie, now).ok_or(SignOnFailure::Outdated)?;
        let is_same_attempt = answer.state.is_some_and(|state| is_same(&state, &attempt.state));
        let session = browser.map(|browser| browser.session.to_string());
        let is_same_session = attempt.session.is_none() || attempt.session == session;
        if !is_same_attempt || !is_same_session {
            return Err(SignOnFailure::Outdated);
        }
        // Another issuer's answer must not be taken to this one (RFC 9207).
        if answer.iss.is_some_and(|issuer| issuer != sign_on.provider.issuer()) {
            return Err(refused("its answer names another issuer"));
        }
        if let Some(error) = answer.error {
            return Err(denied(&error));
        }
        let code = answer.code.ok_or_else(|| refused("its answer has no code"))?;
        let exchange = CodeExchange {
            code: &code,
            redirect_uri: &attempt.redirect_uri,
            verifier: &attempt.verifier,
        };
        let tokens = sign_on.exchange(exchange, now).await?;
        let question =
            IdTokenQuestion { client_id: &sign_on.settings.client_id, nonce: &attempt.nonce };
        let id_token = IdToken::verify(&sign_on.provider, &tokens.id_token, question, now).await;
        let IdToken { person, authenticated_at } = id_token.map_err(|error| refused(&error))?;
        match (attempt.purpose, browser) {
            (Purpose::LogIn, _) => {
                let person = sign_on.describe(person, &tokens).await;
                let login = self.log_in_as(person, label).await?;
                Ok(SignedOn::LoggedIn { login, next: attempt.next })
            }
            (Purpose::Connect, Some(browser)) => {
                let person = sign_on.describe(person, &tokens).await;
                self.offer_connection(person, browser).await
            }
            (Purpose::Prove, Some(browser)) => {
                self.prove_by_sign_on(&person.identity, authenticated_at, browser).await
            }
            (Purpose::Connect | Purpose::Prove, None) => Err(SignOnFailure::Outdated),
        }
    }

    /// Logs a browser in to the account of this person, which is created if there is none.
    async fn log_in_as(
        &self,
        person: VouchedFor,
        label: SessionLabel,
    ) -> Result<BrowserLogin, SignOnFailure> {
        let email = person.email.clone();
        let user = self.user_of(person).await.map_err(|error| match error {
            AppError::IdentityWithoutEmail => SignOnFailure::NoAddress,
            AppError::IdentityConflict => SignOnFailure::AddressTaken(email),
            other => SignOnFailure::App(other),
        })?;
        let user = self.storage.find_user(user).await?.ok_or(AppError::Unauthenticated)?;
        Ok(self.log_browser_in(user, label).await?)
    }

    async fn offer_connection(
        &self,
        person: VouchedFor,
        browser: &BrowserCaller,
    ) -> Result<SignedOn, SignOnFailure> {
        let (sign_on, user) = (self.configured_sign_on()?, browser.caller.user_id());
        match self.storage.find_user_by_identity(&person.identity).await? {
            Some(owner) if owner == user => return Ok(SignedOn::Connected),
            Some(_) => return Err(SignOnFailure::IdentityTaken),
            None => {}
        }
        if self.storage.find_identity(user).await?.is_some() {
            return Err(SignOnFailure::HasAnother);
        }
        let who = person.email.as_ref().map(|email| email.as_str().to_owned());
        let who = who.or_else(|| person.name().map(|name| name.as_str().to_owned()));
        let ExternalIdentity { issuer, subject } = person.identity;
        let who = who.unwrap_or_else(|| subject.clone());
        let connection = Connection { session: browser.session.to_string(), issuer, subject, who };
        let expires_at = self.now() + PROOF_LIFETIME;
        let cookie = sign_on.connections.seal(connection, expires_at);
        let cookie = cookie.map_err(|error| unsealable(&error))?;
        Ok(SignedOn::ToConnect(SignOnProof { cookie, expires_at }))
    }

    async fn prove_by_sign_on(
        &self,
        identity: &ExternalIdentity,
        authenticated_at: Option<Timestamp>,
        browser: &BrowserCaller,
    ) -> Result<SignedOn, SignOnFailure> {
        let (sign_on, now) = (self.configured_sign_on()?, self.now());
        if self.storage.find_user_by_identity(identity).await? != Some(browser.caller.user_id()) {
            return Err(SignOnFailure::IdentityTaken);
        }
        // The provider has to say that it asked: it may have ignored that it was to.
        let at = authenticated_at.ok_or_else(|| refused("it does not say when they logged in"))?;
        if now.duration_since(at) > PROOF_LIFETIME {
            return Err(refused("it did not ask them to log in again"));
        }
        let fresh = FreshSignOn { session: browser.session.to_string() };
        let expires_at = now + PROOF_LIFETIME;
        let cookie = sign_on.proofs.seal(fresh, expires_at).map_err(|error| unsealable(&error))?;
        Ok(SignedOn::Proved(SignOnProof { cookie, expires_at }))
    }
}

/// The digest of a verifier (RFC 7636, section 4.2): only who has the cookie can exchange the code.
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// The provider's own words are for the log, as are ours.
pub(super) fn refused(reason: &(impl std::fmt::Display + ?Sized)) -> SignOnFailure {
    tracing::warn!(%reason, "answer of the identity provider refused");
    SignOnFailure::Refused
}

fn denied(error: &str) -> SignOnFailure {
    match error {
        "access_denied"
        | "login_required"
        | "interaction_required"
        | "consent_required"
        | "account_selection_required" => SignOnFailure::Denied,
        "temporarily_unavailable" | "server_error" => SignOnFailure::Unavailable,
        // Anybody can send a browser here with any text.
        other => refused(&format_args!("it is an error: {}", other.escape_debug())),
    }
}

fn unsealable(error: &serde_json::Error) -> SignOnFailure {
    AppError::Defect(format!("a sign-on could not be written: {error}")).into()
}
