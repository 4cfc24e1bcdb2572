//! How often what can be guessed may be tried. Per server process: several servers allow several times this.

use std::sync::Arc;

use larder_domain::{ApiKeyId, Email, UserId};
use larder_http::{AccountLimits, ClientAddress, Problem, Quota, RateLimiter};
use larder_storage::MonotonicClock;

/// How many addresses, emails and users are remembered at once.
const MAX_KEYS: usize = 50_000;

/// How many requests devices may send with one API key each minute, unless the operator says otherwise: 100 each
/// second are thirty thousand devices that report every five minutes.
pub const DEFAULT_DEVICE_REQUESTS_PER_MINUTE: u32 = 6_000;

/// The limiters of the routes that can be guessed at.
pub(crate) struct RateLimits {
    /// Shared with the pages: a password may not be tried twice as often because there are two doors.
    accounts: Arc<AccountLimits>,
    unknown_keys_by_address: RateLimiter<ClientAddress>,
    device_requests_by_key: RateLimiter<ApiKeyId>,
}

/// So many at once, and so many each minute.
fn limiter<K: Clone + Eq + std::hash::Hash>(
    count: u32,
    clock: &Arc<dyn MonotonicClock>,
) -> RateLimiter<K> {
    RateLimiter::new(Quota::per_minute(count), MAX_KEYS, Arc::clone(clock))
}

impl RateLimits {
    pub(crate) fn new(
        accounts: Arc<AccountLimits>,
        clock: &Arc<dyn MonotonicClock>,
        device_requests_per_minute: u32,
    ) -> Self {
        Self {
            accounts,
            // Nobody guesses 256 bits; this keeps the store from being asked for keys that do not exist. A
            // device with a revoked key that tries each second must not shut out its neighbours.
            unknown_keys_by_address: limiter(600, clock),
            device_requests_by_key: limiter(device_requests_per_minute, clock),
        }
    }

    pub(crate) fn check_registration(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.accounts.check_registration(address)?)
    }

    pub(crate) fn check_login(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.accounts.check_login(address)?)
    }

    pub(crate) fn check_login_of(&self, email: &Email) -> Result<(), Problem> {
        Ok(self.accounts.check_login_of(email)?)
    }

    pub(crate) fn check_invitation(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.accounts.check_invitation(address)?)
    }

    pub(crate) fn check_join(&self, address: ClientAddress, user: UserId) -> Result<(), Problem> {
        Ok(self.accounts.check_join(address, user)?)
    }

    /// Whether whoever comes from here may have the store asked for a key.
    pub(crate) fn may_show_unknown_key(&self, client: ClientAddress) -> Result<(), Problem> {
        Ok(self.unknown_keys_by_address.allows(&client)?)
    }

    /// The key did not exist.
    pub(crate) fn has_shown_unknown_key(&self, client: ClientAddress) {
        // Of many at once the last may come too late to count: the next is refused anyway.
        let _ = self.unknown_keys_by_address.check(&client);
    }

    pub(crate) fn check_device(&self, key: ApiKeyId) -> Result<(), Problem> {
        Ok(self.device_requests_by_key.check(&key)?)
    }
}
