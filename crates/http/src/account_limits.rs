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
    failed_logins_by_address: RateLimiter<ClientAddress>,
    failed_logins_by_address_and_email: RateLimiter<(ClientAddress, String)>,
    passwords_by_user: RateLimiter<UserId>,
    joins_by_address: RateLimiter<ClientAddress>,
    joins_by_user: RateLimiter<UserId>,
    confirmations_by_address: RateLimiter<ClientAddress>,
    confirmations_by_user: RateLimiter<UserId>,
    resets_by_address: RateLimiter<ClientAddress>,
    resets_by_email: RateLimiter<String>,
    sign_ons_by_address: RateLimiter<ClientAddress>,
}

impl AccountLimits {
    /// The usual limits.
    pub fn new(clock: &Arc<dyn MonotonicClock>) -> Self {
        // Guessing one person's password or one household's code must be slow. A whole school or
        // office may share one address, so that limit is wide; password hashing is slow anyway.
        // There is no limit per email: with one, anybody could keep its owner from logging in.
        Self {
            registrations_by_address: limiter(300, clock),
            failed_logins_by_address: limiter(120, clock),
            failed_logins_by_address_and_email: limiter(15, clock),
            passwords_by_user: limiter(15, clock),
            joins_by_address: limiter(120, clock),
            joins_by_user: limiter(10, clock),
            confirmations_by_address: limiter(30, clock),
            confirmations_by_user: limiter(2, clock),
            resets_by_address: limiter(30, clock),
            resets_by_email: limiter(2, clock),
            sign_ons_by_address: limiter(120, clock),
        }
    }

    /// Limits registrations.
    pub fn check_registration(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.registrations_by_address.check(&address)
    }

    /// Counts a login as failed before its password is tried, so that attempts at the same time
    /// count as well. `email` is `None` if nobody can have it.
    pub(crate) fn count_login(
        &self,
        address: ClientAddress,
        email: Option<&Email>,
    ) -> Result<(), RateLimited> {
        self.failed_logins_by_address.check(&address)?;
        let Some(email) = email else { return Ok(()) };
        let counted = self.failed_logins_by_address_and_email.check(&(address, email.folded()));
        if counted.is_err() {
            // No password was tried. An address that insists on one account may try others.
            self.failed_logins_by_address.uncount(&address);
        }
        counted
    }

    /// Takes back what was counted for a login that has not failed.
    pub(crate) fn uncount_login(&self, address: ClientAddress, email: Option<&Email>) {
        self.failed_logins_by_address.uncount(&address);
        if let Some(email) = email {
            self.failed_logins_by_address_and_email.uncount(&(address, email.folded()));
        }
    }

    /// Limits how often a user may state their password once more.
    pub fn check_password_of(&self, user: UserId) -> Result<(), RateLimited> {
        self.passwords_by_user.check(&user)
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

    /// Limits requests for links that reset passwords.
    pub fn check_reset_request(
        &self,
        address: ClientAddress,
        email: &Email,
    ) -> Result<(), RateLimited> {
        self.resets_by_address.check(&address)?;
        self.resets_by_email.check(&email.folded())
    }

    /// Limits attempts at the links.
    pub fn check_reset(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.resets_by_address.check(&address)
    }

    /// Limits answers of the identity provider, each of which makes us ask it something.
    pub fn check_sign_on(&self, address: ClientAddress) -> Result<(), RateLimited> {
        self.sign_ons_by_address.check(&address)
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

#[cfg(test)]
mod tests {
    use larder_storage::ManualMonotonic;

    use super::*;

    fn limits() -> AccountLimits {
        let clock: Arc<dyn MonotonicClock> = Arc::new(ManualMonotonic::default());
        AccountLimits::new(&clock)
    }

    fn address(last: u8) -> ClientAddress {
        ClientAddress::of([192, 0, 2, last].into())
    }

    fn email(name: &str) -> Email {
        Email::parse(&format!("{name}@example.org")).unwrap()
    }

    fn let_through(limits: &AccountLimits, from: ClientAddress, email: &Email) -> usize {
        (0..1000).take_while(|_| limits.count_login(from, Some(email)).is_ok()).count()
    }

    #[test]
    fn a_stranger_who_guesses_keeps_nobody_else_out() {
        let limits = limits();
        assert_eq!(let_through(&limits, address(1), &email("mia")), 15);
        assert_eq!(let_through(&limits, address(1), &email("MIA")), 0, "the same account");
        assert_eq!(let_through(&limits, address(2), &email("mia")), 15, "its owner elsewhere");
        assert_eq!(let_through(&limits, address(1), &email("ben")), 15);
    }

    #[test]
    fn an_address_guesses_120_times_at_whatever_account() {
        let limits = limits();
        let guesses = (0..1000).map(|n| email(&n.to_string()));
        let passed = guesses.take_while(|one| limits.count_login(address(1), Some(one)).is_ok());
        assert_eq!(passed.count(), 120);
        assert!(limits.count_login(address(1), None).is_err());
        assert!(limits.count_login(address(2), None).is_ok());
    }

    #[test]
    fn a_login_that_succeeds_does_not_count() {
        let limits = limits();
        let mia = email("mia");
        for _ in 0..1000 {
            limits.count_login(address(1), Some(&mia)).unwrap();
            limits.uncount_login(address(1), Some(&mia));
        }
        assert_eq!(let_through(&limits, address(1), &mia), 15);
    }
}
