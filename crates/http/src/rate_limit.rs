//! Rate limits per key, by the generic cell rate algorithm: one number per key, no background work.
//!
//! Limits are per server; with several servers, clients get the sum of their limits.

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex},
    time::Duration,
};

use larder_storage::MonotonicClock;

/// How much is allowed: `burst` at once, then one more each `interval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The burst size. At least 1.
    pub burst: u32,
    /// The time to earn one more request.
    pub interval: Duration,
}

impl Quota {
    /// `count` at once and `count` each minute.
    pub const fn per_minute(count: u32) -> Self {
        let count = if count == 0 { 1 } else { count };
        Self { burst: count, interval: Duration::from_micros(60_000_000 / count as u64) }
    }
}

/// Too many, and how long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many requests; try again in {retry_after:?}")]
pub struct RateLimited {
    /// The time until one more is allowed.
    pub retry_after: Duration,
}

/// A limiter over a bounded number of keys.
pub struct RateLimiter<K> {
    interval_us: i64,
    /// How far ahead of now a key may be: the burst.
    window_us: i64,
    max_keys: usize,
    /// Monotonic: if the time of day were set back, everyone would be locked out until it catches
    /// up.
    clock: Arc<dyn MonotonicClock>,
    /// For each key the time at which it will have its whole burst again.
    recovered_at_us: Mutex<HashMap<K, i64>>,
}

impl<K: Clone + Eq + Hash> RateLimiter<K> {
    /// A limiter that remembers at most `max_keys` keys.
    pub fn new(quota: Quota, max_keys: usize, clock: Arc<dyn MonotonicClock>) -> Self {
        let interval_us = microseconds(quota.interval).max(1);
        Self {
            interval_us,
            window_us: interval_us.saturating_mul(i64::from(quota.burst.max(1))),
            max_keys: max_keys.max(1),
            clock,
            recovered_at_us: Mutex::default(),
        }
    }

    /// Whether one more request of this key would be allowed, without counting it; otherwise the
    /// time to wait.
    pub fn allows(&self, key: &K) -> Result<(), RateLimited> {
        let now = microseconds(self.clock.elapsed());
        let keys = self.recovered_at_us.lock().expect("no holder of this lock panics");
        self.next(&keys, key, now).map(|_| ())
    }

    /// Counts one request of this key, or returns the time to wait. A refused request is not
    /// counted.
    pub fn check(&self, key: &K) -> Result<(), RateLimited> {
        let now = microseconds(self.clock.elapsed());
        let mut keys = self.recovered_at_us.lock().expect("no holder of this lock panics");
        let next = self.next(&keys, key, now)?;
        if keys.len() >= self.max_keys && !keys.contains_key(key) {
            make_room(&mut keys, now);
        }
        keys.insert(key.clone(), next);
        Ok(())
    }

    /// Takes back one request of this key that was counted before: it turned out not to matter.
    pub fn uncount(&self, key: &K) {
        let mut keys = self.recovered_at_us.lock().expect("no holder of this lock panics");
        if let Some(recovered_at) = keys.get_mut(key) {
            *recovered_at = recovered_at.saturating_sub(self.interval_us);
        }
    }

    /// When this key will have its whole burst again after one more request, if that is allowed.
    fn next(&self, keys: &HashMap<K, i64>, key: &K, now: i64) -> Result<i64, RateLimited> {
        let latest = now.saturating_add(self.window_us);
        let recovered_at = keys.get(key).map_or(now, |at| (*at).max(now));
        let next = recovered_at.saturating_add(self.interval_us);
        if next > latest {
            let wait_us = u64::try_from(next - latest).unwrap_or(u64::MAX);
            return Err(RateLimited { retry_after: Duration::from_micros(wait_us) });
        }
        Ok(next)
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Evicts recovered keys, which loses nothing; failing that, the eighth closest to recovery and all
/// ties, so that a flood of new keys rarely pays for an eviction.
fn make_room<K: Eq + Hash>(keys: &mut HashMap<K, i64>, now: i64) {
    let before = keys.len();
    keys.retain(|_, recovered_at| *recovered_at > now);
    if keys.len() == before {
        let mut times: Vec<i64> = keys.values().copied().collect();
        let (_, threshold, _) = times.select_nth_unstable(before / 8);
        let threshold = *threshold;
        keys.retain(|_, recovered_at| *recovered_at > threshold);
    }
}

impl<K> fmt::Debug for RateLimiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimiter")
            .field("interval_us", &self.interval_us)
            .field("window_us", &self.window_us)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use larder_storage::ManualMonotonic;

    use super::*;

    const QUOTA: Quota = Quota { burst: 3, interval: Duration::from_secs(10) };

    fn limiter(max_keys: usize) -> (Arc<ManualMonotonic>, RateLimiter<u32>) {
        let clock = Arc::new(ManualMonotonic::default());
        (clock.clone(), RateLimiter::new(QUOTA, max_keys, clock))
    }

    fn wait(limiter: &RateLimiter<u32>, key: u32) -> Option<u64> {
        limiter.check(&key).err().map(|limited| limited.retry_after.as_secs())
    }

    fn use_up(limiter: &RateLimiter<u32>, key: u32) {
        for _ in 0..3 {
            assert_eq!(wait(limiter, key), None);
        }
    }

    #[test]
    fn a_burst_passes_and_the_next_waits_one_interval() {
        let (clock, limiter) = limiter(10);
        use_up(&limiter, 1);
        assert_eq!(wait(&limiter, 1), Some(10));
        clock.advance(Duration::from_secs(4));
        assert_eq!(wait(&limiter, 1), Some(6));
        clock.advance(Duration::from_secs(6));
        assert_eq!(wait(&limiter, 1), None);
        assert_eq!(wait(&limiter, 1), Some(10));
    }

    #[test]
    fn asking_does_not_count() {
        let (_, limiter) = limiter(10);
        for _ in 0..10 {
            assert_eq!(limiter.allows(&1), Ok(()));
        }
        use_up(&limiter, 1);
        assert_eq!(limiter.allows(&1).unwrap_err().retry_after, Duration::from_secs(10));
    }

    #[test]
    fn a_rested_key_has_its_burst_again_and_no_more() {
        let (clock, limiter) = limiter(10);
        use_up(&limiter, 1);
        clock.advance(Duration::from_hours(1));
        use_up(&limiter, 1);
        assert_eq!(wait(&limiter, 1), Some(10));
    }

    #[test]
    fn what_was_taken_back_does_not_count_and_earns_nothing() {
        let (clock, limiter) = limiter(10);
        for _ in 0..10 {
            assert_eq!(wait(&limiter, 1), None);
            limiter.uncount(&1);
        }
        use_up(&limiter, 1);
        limiter.uncount(&1);
        assert_eq!((wait(&limiter, 1), wait(&limiter, 1)), (None, Some(10)));
        // Recovered since it was counted: the burst does not grow.
        clock.advance(Duration::from_hours(1));
        limiter.uncount(&1);
        limiter.uncount(&2);
        use_up(&limiter, 1);
        assert_eq!(wait(&limiter, 1), Some(10));
    }

    #[test]
    fn keys_do_not_share() {
        let (_, limiter) = limiter(10);
        use_up(&limiter, 1);
        use_up(&limiter, 2);
    }

    #[test]
    fn the_number_of_keys_is_bounded_and_the_busiest_stay() {
        let (_, limiter) = limiter(16);
        use_up(&limiter, 1);
        for key in 100..1000 {
            assert_eq!(wait(&limiter, key), None);
            assert!(limiter.recovered_at_us.lock().unwrap().len() <= 16);
        }
        assert_eq!(wait(&limiter, 1), Some(10));
    }

    #[test]
    fn rested_keys_are_forgotten_first() {
        let (clock, limiter) = limiter(2);
        limiter.check(&1).unwrap();
        clock.advance(Duration::from_mins(1));
        use_up(&limiter, 2);
        limiter.check(&3).unwrap();
        assert_eq!(wait(&limiter, 2), Some(10));
    }

    #[test]
    fn per_minute_spreads_evenly() {
        assert_eq!(Quota::per_minute(30), Quota { burst: 30, interval: Duration::from_secs(2) });
    }
}
