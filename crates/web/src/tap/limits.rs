//! How often tags may be opened and tapped. Per server process: several servers allow several times this.

use std::{hash::Hash, sync::Arc};

use larder_app::TagAddress;
use larder_domain::UrlId;
use larder_http::{ClientAddress, Quota, RateLimited, RateLimiter};
use larder_storage::MonotonicClock;

/// How many addresses and tags are remembered at once.
const MAX_KEYS: usize = 50_000;

/// A family that puts its shopping away taps many tags from one address, and one tag many times. Nobody guesses 122
/// bits; this keeps a tag from being emptied by whoever got hold of it.
pub(crate) struct TapLimits {
    pages_by_address: RateLimiter<ClientAddress>,
    pages_by_tag: RateLimiter<UrlId>,
    taps_by_address: RateLimiter<ClientAddress>,
    taps_by_tag: RateLimiter<UrlId>,
}

/// So many at once, and so many each minute.
fn limiter<K: Clone + Eq + Hash>(count: u32, clock: &Arc<dyn MonotonicClock>) -> RateLimiter<K> {
    RateLimiter::new(Quota::per_minute(count), MAX_KEYS, Arc::clone(clock))
}

impl TapLimits {
    pub(crate) fn new(clock: &Arc<dyn MonotonicClock>) -> Self {
        Self {
            pages_by_address: limiter(240, clock),
            pages_by_tag: limiter(60, clock),
            taps_by_address: limiter(240, clock),
            taps_by_tag: limiter(60, clock),
        }
    }

    pub(super) fn check_page(
        &self,
        client: ClientAddress,
        tag: &TagAddress,
    ) -> Result<(), RateLimited> {
        self.pages_by_address.check(&client)?;
        self.pages_by_tag.check(&tag.id())
    }

    pub(super) fn check_tap(
        &self,
        client: ClientAddress,
        tag: &TagAddress,
    ) -> Result<(), RateLimited> {
        self.taps_by_address.check(&client)?;
        self.taps_by_tag.check(&tag.id())
    }
}
