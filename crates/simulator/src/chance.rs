//! Deterministic random numbers: the same seed gives the same numbers.

/// A generator of numbers (`SplitMix64`): small, fast, and good enough for weather.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The numbers of a seed and a stream.
    pub(crate) fn new(seed: u64, who: u64) -> Self {
        let mut chance = Self(seed ^ who.wrapping_mul(0xd6e8_feb8_6659_fd93));
        chance.next();
        chance
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap_or_default()) / 4_294_967_296.0
    }

    /// A number around 0, mostly within 1, never beyond 3.
    pub(crate) fn noise(&mut self) -> f64 {
        (self.unit() + self.unit() + self.unit() - 1.5) * 2.0
    }

    /// True so often on average.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A whole number within these bounds, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    /// A UUID of version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let bytes = (u128::from(self.next()) << 64 | u128::from(self.next())).to_be_bytes();
        uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_one_others() {
        let numbers = |seed, who| {
            let mut chance = Chance::new(seed, who);
            [chance.next(), chance.next(), chance.next()]
        };
        assert_eq!(numbers(1, 2), numbers(1, 2));
        assert_ne!(numbers(1, 2), numbers(1, 3));
        assert_ne!(numbers(1, 2), numbers(2, 2));
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut chance = Chance::new(7, 7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&chance.unit()));
            assert!((-3.0..=3.0).contains(&chance.noise()));
            assert!((3..=5).contains(&chance.between(3, 5)));
        }
    }
}
