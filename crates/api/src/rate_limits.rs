//! Rate limits of guessable secrets and of expensive work. Per server process: several servers allow a multiple of this.

use std::sync::Arc;

use larder_domain::{ApiKeyId, UserId};
use larder_http::{AccountLimits, ClientAddress, Problem, Quota, RateLimiter};
use larder_storage::MonotonicClock;

/// The maximum number of tracked addresses, emails and users.
const MAX_KEYS: usize = 50_000;

/// The default limit of device requests per API key and minute: 100 per second are thirty thousand
/// devices that report every five minutes.
pub const DEFAULT_DEVICE_REQUESTS_PER_MINUTE: u32 = 6_000;

/// Frames per user and minute: four per second while a camera is on.
const SCANS_PER_MINUTE: u32 = 240;

/// The limiters of routes with guessable secrets, and of those that take much of a core.
pub(crate) struct RateLimits {
    /// Shared with the pages, so that they do not double the number of attempts.
    accounts: Arc<AccountLimits>,
    unknown_keys_by_address: RateLimiter<ClientAddress>,
    device_requests_by_key: RateLimiter<ApiKeyId>,
    scans_by_user: RateLimiter<UserId>,
}

/// A burst of `count`, and as many each minute.
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
            // 256 bits cannot be guessed; this protects the store from lookups of unknown keys. A
            // device with a revoked key that retries each second must not lock out its neighbours.
            unknown_keys_by_address: limiter(600, clock),
            device_requests_by_key: limiter(device_requests_per_minute, clock),
            scans_by_user: limiter(SCANS_PER_MINUTE, clock),
        }
    }

    pub(crate) fn check_registration(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.accounts.check_registration(address)?)
    }

    pub(crate) fn accounts(&self) -> &AccountLimits {
        &self.accounts
    }

    pub(crate) fn check_password_of(&self, user: UserId) -> Result<(), Problem> {
        Ok(self.accounts.check_password_of(user)?)
    }

    pub(crate) fn check_invitation(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.accounts.check_invitation(address)?)
    }

    pub(crate) fn check_join(&self, address: ClientAddress, user: UserId) -> Result<(), Problem> {
        Ok(self.accounts.check_join(address, user)?)
    }

    /// Whether the store may be asked for an unknown key from this address.
    pub(crate) fn may_show_unknown_key(&self, client: ClientAddress) -> Result<(), Problem> {
        Ok(self.unknown_keys_by_address.allows(&client)?)
    }

    /// Counts an unknown key.
    pub(crate) fn has_shown_unknown_key(&self, client: ClientAddress) {
        // Of many concurrent requests the last may come too late to count: the next is refused
        // anyway.
        let _ = self.unknown_keys_by_address.check(&client);
    }

    pub(crate) fn check_scan(&self, user: UserId) -> Result<(), Problem> {
        Ok(self.scans_by_user.check(&user)?)
    }

    pub(crate) fn check_device(&self, key: ApiKeyId) -> Result<(), Problem> {
        Ok(self.device_requests_by_key.check(&key)?)
    }
}
