//! Randomness that repeats: the same seed, the same test.

/// The seed of every random test, unless `LARDER_TEST_SEED` is set.
const DEFAULT_SEED: u64 = 0x1a4d_e400;

/// The seed of this run. Random tests name it when they fail.
pub fn seed() -> u64 {
    match std::env::var("LARDER_TEST_SEED") {
        Ok(text) => text.parse().expect("LARDER_TEST_SEED is a whole number"),
        Err(_) => DEFAULT_SEED,
    }
}

/// `SplitMix64`: small, fast, and the same everywhere.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a usize fits in 64 bits");
        usize::try_from(self.bits() % end).expect("the remainder is below a usize")
    }

    /// Whether something that happens `percent` times in a hundred happens now.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Bytes, for ids and codes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.bits().to_le_bytes()[0])
    }
}
