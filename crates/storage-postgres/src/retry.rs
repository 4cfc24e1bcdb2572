//! Backoff before a conflicted transaction is retried.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

const FIRST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(250);

/// Exponential backoff with jitter, so that writers who collided do not collide again.
pub(crate) fn pause(tries: u32) -> Duration {
    let most = FIRST.saturating_mul(1_u32.checked_shl(tries).unwrap_or(u32::MAX)).min(LONGEST);
    // The keys of a new hasher are as random as this needs to be.
    let random = RandomState::new().hash_one(tries) % 1024;
    most / 2 + most * u32::try_from(random).expect("it is below 1024") / 2048
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_differ() {
        for _ in 0..100 {
            assert!((FIRST / 2..=FIRST).contains(&pause(0)));
            assert!((LONGEST / 2..=LONGEST).contains(&pause(31)));
            assert!((LONGEST / 2..=LONGEST).contains(&pause(u32::MAX)));
        }
        let pauses: std::collections::HashSet<_> = (0..100).map(|_| pause(31)).collect();
        assert!(pauses.len() > 10, "{pauses:?}");
    }
}
