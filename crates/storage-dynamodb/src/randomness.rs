//! Randomness for tokens and pauses: a seed from the system, and a counter.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Numbers that no other process draws.
#[derive(Debug)]
pub(crate) struct Randomness {
    seed: u128,
    drawn: AtomicU64,
}

impl Randomness {
    pub(crate) const fn new(seed: u128) -> Self {
        Self { seed, drawn: AtomicU64::new(0) }
    }

    /// Seeded by the system.
    pub(crate) fn from_system() -> Result<Self, String> {
        let mut seed = [0; 16];
        // Not the application's `Entropy`: these numbers affect nothing visible, and no test needs
        // to control them.
        #[expect(
            clippy::disallowed_methods,
            reason = "request tokens and jitter are this crate's own"
        )]
        getrandom::fill(&mut seed).map_err(|error| error.to_string())?;
        Ok(Self::new(u128::from_le_bytes(seed)))
    }

    /// A token for one request, within DynamoDB's 36 characters: 80 bits that are this process's own, and a number
    /// that is the request's own.
    pub(crate) fn token(&self) -> String {
        format!("{:020x}{:016x}", self.seed >> 48, self.drawn.fetch_add(1, Relaxed))
    }

    /// A random duration up to this one.
    pub(crate) fn up_to(&self, longest: Duration) -> Duration {
        let bits = mix(self.drawn.fetch_add(1, Relaxed) ^ self.low_seed());
        let nanos = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
        let drawn = (u128::from(bits) * u128::from(nanos)) >> 64;
        Duration::from_nanos(u64::try_from(drawn).unwrap_or(nanos))
    }

    fn low_seed(&self) -> u64 {
        u64::try_from(self.seed & u128::from(u64::MAX)).unwrap_or(0)
    }
}

/// `SplitMix64`: neighbouring numbers in, unrelated numbers out.
const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn tokens_differ_and_fit() {
        let (one, other) = (Randomness::new(1 << 100), Randomness::new(2 << 100));
        let mut tokens = HashSet::new();
        for _ in 0..100 {
            for token in [one.token(), other.token()] {
                assert_eq!(token.len(), 36);
                assert!(tokens.insert(token));
            }
        }
    }

    #[test]
    fn pauses_spread_over_the_whole_range() {
        let random = Randomness::new(7);
        let longest = Duration::from_millis(100);
        let drawn: Vec<_> = (0..1000).map(|_| random.up_to(longest)).collect();
        assert!(drawn.iter().all(|one| *one <= longest));
        let mean = drawn.iter().sum::<Duration>() / 1000;
        assert!((40..60).contains(&mean.as_millis()), "{mean:?}");
        assert_eq!(random.up_to(Duration::ZERO), Duration::ZERO);
    }
}
