//! What an issuer publishes about itself: its endpoints, and the keys that it signs with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, de::DeserializeOwned};
use thiserror::Error;
use url::{Host, Url};

use super::key_set::{KeySet, UnusableKeys, VerificationKey};
use crate::{IssuerCall, IssuerHttp};

/// How long what was fetched is used without asking again: a key that the issuer has withdrawn is
/// refused after that.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(1);
/// Tokens with made-up key names must not make us ask the issuer all the time.
const MIN_TIME_BETWEEN_FETCHES: SignedDuration = SignedDuration::from_secs(10);
/// An issuer that does not answer costs one request this often its time-out.
const RETRY_STALE_AFTER: SignedDuration = SignedDuration::from_secs(60);
/// Only that nobody else has fetched since.
const AT_ONCE: SignedDuration = SignedDuration::from_millis(1);

/// Where the issuer takes requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoints {
    /// Where browsers are sent.
    pub(crate) authorization: Url,
    /// Where codes are exchanged.
    pub(crate) token: String,
    /// Where more is said of a person, if anywhere.
    pub(crate) user_info: Option<String>,
}

/// Fetches what an issuer publishes, and keeps it while it cannot be fetched again.
pub(crate) struct Discovery {
    issuer: String,
    http: Arc<dyn IssuerHttp>,
    state: Mutex<State>,
    /// Held while fetching, so that concurrent requests wait for one fetch.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    found: Option<Found>,
    tried_at: Option<Timestamp>,
    is_failing: bool,
}

struct Found {
    endpoints: Arc<Endpoints>,
    keys: KeySet,
    fetched_at: Timestamp,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    userinfo_endpoint: Option<String>,
    jwks_uri: String,
}

/// Why the issuer cannot be used now.
#[derive(Debug, Error)]
enum DiscoveryError {
    #[error("{what} cannot be fetched: {reason}")]
    Call { what: &'static str, reason: String },
    #[error("{what} was answered with status {status}")]
    Status { what: &'static str, status: u16 },
    #[error("its configuration is not one of OpenID Connect")]
    Format,
    #[error("its configuration is of the issuer {0:?}, which is not exactly the setting")]
    OtherIssuer(String),
    #[error("its {0} is not an https URL")]
    Endpoint(&'static str),
    #[error("its key set cannot be used: {0}")]
    Keys(#[from] UnusableKeys),
}

impl Discovery {
    pub(crate) fn new(issuer: String, http: Arc<dyn IssuerHttp>) -> Self {
        Self { issuer, http, state: Mutex::default(), fetching: tokio::sync::Mutex::default() }
    }

    /// The issuer, as its tokens name it.
    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// For calls to its endpoints.
    pub(crate) fn http(&self) -> &dyn IssuerHttp {
        &*self.http
    }

    /// Whether the last attempt to fetch something failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.lock().is_failing
    }

    /// Its endpoints; `None` if it has never been reached.
    pub(crate) async fn endpoints(&self, now: Timestamp) -> Option<Arc<Endpoints>> {
        self.fetch_if_stale(now).await;
        self.lock().found.as_ref().map(|found| Arc::clone(&found.endpoints))
    }

    /// The key with this `kid`, which a token names that anybody may have made up.
    pub(super) async fn find_key(&self, kid: &str, now: Timestamp) -> Option<Arc<VerificationKey>> {
        self.find_after(kid, now, MIN_TIME_BETWEEN_FETCHES).await
    }

    /// The key of a token that the issuer itself has just sent: an unknown one is new.
    pub(super) async fn find_new_key(
        &self,
        kid: &str,
        now: Timestamp,
    ) -> Option<Arc<VerificationKey>> {
        self.find_after(kid, now, AT_ONCE).await
    }

    /// Fetches everything again, unless that was just tried. Returns whether it is up to date.
    pub(crate) async fn refresh(&self, now: Timestamp) -> bool {
        self.fetch(now, AT_ONCE).await;
        !self.is_failing()
    }

    async fn find_after(
        &self,
        kid: &str,
        now: Timestamp,
        interval: SignedDuration,
    ) -> Option<Arc<VerificationKey>> {
        self.fetch_if_stale(now).await;
        if let Some(key) = self.known(kid) {
            return Some(key);
        }
        self.fetch(now, interval).await;
        self.known(kid)
    }

    fn known(&self, kid: &str) -> Option<Arc<VerificationKey>> {
        self.lock().found.as_ref()?.keys.find(kid)
    }

    async fn fetch_if_stale(&self, now: Timestamp) {
        let found_at = self.lock().found.as_ref().map(|found| found.fetched_at);
        match found_at {
            Some(at) if now.duration_since(at).abs() < MAX_AGE => {}
            // Others go on with what there is while one request fetches.
            Some(_) if self.fetching.try_lock().is_err() => {}
            Some(_) => self.fetch(now, RETRY_STALE_AFTER).await,
            None => self.fetch(now, MIN_TIME_BETWEEN_FETCHES).await,
        }
    }

    async fn fetch(&self, now: Timestamp, interval: SignedDuration) {
        // A request that waits finds that the one before it has fetched.
        let _one_at_a_time = self.fetching.lock().await;
        {
            let mut state = self.lock();
            // A clock that was set back is no reason to never fetch again.
            let was_tried =
                state.tried_at.is_some_and(|at| now.duration_since(at).abs() < interval);
            if was_tried {
                return;
            }
            state.tried_at = Some(now);
        }
        let fetched = self.fetch_all(now).await;
        let mut state = self.lock();
        let was_failing = std::mem::replace(&mut state.is_failing, fetched.is_err());
        match fetched {
            Ok(found) => {
                if was_failing || state.found.is_none() {
                    tracing::info!(issuer = self.issuer, "identity provider found");
                }
                state.found = Some(found);
            }
            // Once, not for each attempt. The keys that we have stay good.
            Err(error) if !was_failing => {
                let issuer = &self.issuer;
                tracing::warn!(issuer, %error, "identity provider not reached, will retry");
            }
            Err(_) => {}
        }
    }

    async fn fetch_all(&self, now: Timestamp) -> Result<Found, DiscoveryError> {
        let address = format!(
            "{}/.well-known/openid-configuration",
            self.issuer.strip_suffix('/').unwrap_or(&self.issuer)
        );
        let document: Document = json(&self.get("its configuration", address).await?)?;
        if document.issuer != self.issuer {
            return Err(DiscoveryError::OtherIssuer(document.issuer));
        }
        let checked = |name, address: &str| safe_url(address).ok_or(DiscoveryError::Endpoint(name));
        let token = checked("token_endpoint", &document.token_endpoint)?;
        let user_info = document.userinfo_endpoint.as_deref();
        let user_info =
            user_info.map(|address| checked("userinfo_endpoint", address)).transpose()?;
        let endpoints = Endpoints {
            authorization: checked("authorization_endpoint", &document.authorization_endpoint)?,
            token: token.into(),
            user_info: user_info.map(Into::into),
        };
        let jwks = checked("jwks_uri", &document.jwks_uri)?;
        let keys = KeySet::parse(&self.get("its key set", jwks.into()).await?)?;
        Ok(Found { endpoints: Arc::new(endpoints), keys, fetched_at: now })
    }

    async fn get(&self, what: &'static str, url: String) -> Result<Vec<u8>, DiscoveryError> {
        let answer = self.http.call(IssuerCall { url, authorization: None, form: None }).await;
        let answer =
            answer.map_err(|error| DiscoveryError::Call { what, reason: error.to_string() })?;
        match answer.status {
            200 => Ok(answer.body),
            status => Err(DiscoveryError::Status { what, status }),
        }
    }

    /// No change of the state can stop halfway, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DiscoveryError> {
    serde_json::from_slice(bytes).map_err(|_| DiscoveryError::Format)
}

/// A URL that passwords and tokens may be sent to: https, or plain HTTP on this machine.
fn safe_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_local = match url.host()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_local);
    (is_safe && url.fragment().is_none()).then_some(url)
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod tests;
