//! Rate limits of passwords and invite codes, shared by both faces.
//!
//! Per server process: several servers allow several times this.

use std::sync::Arc;

use larder_domain::{Email, UserId};
use larder_storage::MonotonicClock;

use crate::{ClientAddress, Quota, RateLimited, RateLimiter};

/// How many addresses, emails and users are remembered at once.
const MAX_KEYS: usize = 50_000;

/// Rate limiters of guessable secrets of accounts and households.
#[derive(Debug)]
pub struct AccountLimits {
    registrations_by_address: RateLimiter<ClientAddress>,
    logins_by_address: RateLimiter<ClientAddress>,
    logins_by_email: RateLimiter<String>,
    joins_by_address: RateLimiter<ClientAddress>,
    joins_by_user: RateLimiter<UserId>,
    confirmations_by_address: RateLimiter<ClientAddress>,
    confirmations_by_user: RateLimiter<UserId>,
}

impl AccountLimits {
    /// The usual limits.
    pub fn new(clock: &Arc<dyn MonotonicClock>) -> Self {
        // Guessing one person's password or one household's code must be slow. A whole school or
        // office may share one address, so that limit is wide; password hashing is slow anyway.
        Self {
            registrations_by_address: limiter(300, clock),
            logins_by_address: limiter(120, clock),
            logins_by_email: limiter(15, clock),
            joins_by_address: limiter(120, clock),
            joins_by_user: limiter(10, clock),
            confirmations_by_address: limiter(30, clock),
            confirmations_by_user: limiter(2, clock),
        }
    }

    /// Limits registrations.
    pub fn check_registration(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.registrations_by_address.check(&address)
    }

    /// Limits login attempts by address.
    pub fn check_login(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.logins_by_address.check(&address)
    }

    /// Limits login attempts by account.
    pub fn check_login_of(&self, email: &Email) -> Result<(), RateLimited> {
        self.logins_by_email.check(&email.folded())
    }

    /// Limits attempts at an invite code without an account.
    pub fn check_invitation(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.joins_by_address.check(&address)
    }

    /// Limits confirmation mails.
    pub fn check_confirmation(
        &self,
        address: ClientAddress,
        user: UserId,
    ) -> Result<(), RateLimited> {
        self.confirmations_by_address.check(&address)?;
        self.confirmations_by_user.check(&user)
    }

    /// Limits attempts at an invite code with an account.
    pub fn check_join(&self, address: ClientAddress, user: UserId) -> Result<(), RateLimited> {
        self.joins_by_address.check(&address)?;
        self.joins_by_user.check(&user)
    }
}

/// A limiter with this burst and this rate per minute.
fn limiter<K: Clone + Eq + std::hash::Hash>(
    count: u32,
    clock: &Arc<dyn MonotonicClock>,
) -> RateLimiter<K> {
    RateLimiter::new(Quota::per_minute(count), MAX_KEYS, Arc::clone(clock))
}
