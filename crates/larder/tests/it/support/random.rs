//! Seeded randomness: a failing run can be repeated.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// `SplitMix64`: small, and good enough to choose moments and quantities.
pub(crate) struct Random(u64);

/// With this seed, for a test whose assertions depend on it.
impl From<u64> for Random {
    fn from(seed: u64) -> Self {
        Self(seed)
    }
}

impl Random {
    /// Seeded from `LARDER_TEST_SEED`, or freshly; either way the seed is printed.
    pub(crate) fn seeded(test: &str) -> Self {
        let seed = match std::env::var("LARDER_TEST_SEED") {
            Ok(number) => number.parse().expect("LARDER_TEST_SEED is a whole number"),
            Err(_) => RandomState::new().build_hasher().finish(),
        };
        eprintln!("{test}: repeat this run with LARDER_TEST_SEED={seed}");
        Self(seed)
    }

    /// A separate generator for one worker, independent of scheduling.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    /// A number in `0..bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
