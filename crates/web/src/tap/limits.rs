//! Rate limits of opening and tapping tags. Per server process: several servers allow a multiple of
//! this.

use std::{hash::Hash, sync::Arc};

use larder_app::TagAddress;
use larder_domain::UrlId;
use larder_http::{ClientAddress, Quota, RateLimited, RateLimiter};
use larder_storage::MonotonicClock;

/// The maximum number of tracked addresses and tags.
const MAX_KEYS: usize = 50_000;

/// A family that puts its shopping away taps many tags from one address, and one tag many times.
/// 122 bits cannot be guessed; this prevents anyone who has a URL from emptying the stock.
pub(crate) struct TapLimits {
    pages_by_address: RateLimiter<ClientAddress>,
    pages_by_tag: RateLimiter<UrlId>,
    taps_by_address: RateLimiter<ClientAddress>,
    taps_by_tag: RateLimiter<UrlId>,
}

/// A burst of `count`, and as many each minute.
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
