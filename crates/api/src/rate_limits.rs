//! How often what can be guessed may be tried. Per server process: several servers allow several times this.

use std::sync::Arc;

use larder_domain::{Email, UserId};
use larder_storage::Clock;

use crate::http::{ClientAddress, Problem, Quota, RateLimiter};

/// How many addresses, emails and users are remembered at once.
const MAX_KEYS: usize = 50_000;

/// The limiters of the routes that can be guessed at.
pub(crate) struct RateLimits {
    credentials_by_address: RateLimiter<ClientAddress>,
    credentials_by_email: RateLimiter<String>,
    joins_by_address: RateLimiter<ClientAddress>,
    joins_by_user: RateLimiter<UserId>,
}

impl RateLimits {
    pub(crate) fn new(clock: &Arc<dyn Clock>) -> Self {
        Self {
            // A family behind one address logs in together now and then; a guesser does it all day.
            credentials_by_address: RateLimiter::new(
                Quota::per_minute(30),
                MAX_KEYS,
                Arc::clone(clock),
            ),
            credentials_by_email: RateLimiter::new(
                Quota::per_minute(10),
                MAX_KEYS,
                Arc::clone(clock),
            ),
            joins_by_address: RateLimiter::new(Quota::per_minute(10), MAX_KEYS, Arc::clone(clock)),
            joins_by_user: RateLimiter::new(Quota::per_minute(10), MAX_KEYS, Arc::clone(clock)),
        }
    }

    pub(crate) fn check_email(&self, email: &Email) -> Result<(), Problem> {
        Ok(self.credentials_by_email.check(&email.folded())?)
    }

    pub(crate) fn check_address(&self, address: ClientAddress) -> Result<(), Problem> {
        Ok(self.credentials_by_address.check(&address)?)
    }

    pub(crate) fn check_join(&self, address: ClientAddress, user: UserId) -> Result<(), Problem> {
        self.joins_by_address.check(&address)?;
        Ok(self.joins_by_user.check(&user)?)
    }
}
