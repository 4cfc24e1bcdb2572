//! Ids that sort by the time of their making.

use jiff::Timestamp;
use uuid::{Builder, Uuid};

/// The bits of version and variant, which counting on must not touch.
const FIXED: u128 = 0xf000_c000_0000_0000_0000;

/// Generates UUIDs of version 7, strictly increasing, also within one millisecond and when the
/// clock steps back.
#[derive(Debug, Default)]
pub struct UuidV7Sequence {
    last: Option<Uuid>,
}

impl UuidV7Sequence {
    /// The next id, from the time and ten random bytes.
    pub fn next(&mut self, at: Timestamp, random: [u8; 10]) -> Uuid {
        let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
        let fresh = Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        let next = match self.last {
            Some(last) if fresh <= last => successor(last),
            _ => fresh,
        };
        self.last = Some(next);
        next
    }
}

/// The next greater UUID of version 7: the random bits count on and carry over into the time.
fn successor(id: Uuid) -> Uuid {
    // With version and variant set to ones, a carry runs through them.
    let counted = (id.as_u128() | FIXED).wrapping_add(1) & !FIXED;
    Uuid::from_u128(counted | (id.as_u128() & FIXED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(millis).unwrap()
    }

    #[test]
    fn an_id_holds_the_time_and_the_random_bits() {
        let id = UuidV7Sequence::default().next(at(0x0195_5556_3cd2), [0xff; 10]);
        assert_eq!(id.to_string(), "01955556-3cd2-7fff-bfff-ffffffffffff");
    }

    #[test]
    fn when_the_random_bits_are_used_up_the_time_counts_on() {
        let mut ids = UuidV7Sequence::default();
        ids.next(at(5), [0xff; 10]);
        let next = ids.next(at(5), [0xff; 10]);
        assert_eq!(next.to_string(), "00000000-0006-7000-8000-000000000000");
    }

    proptest! {
        #[test]
        fn ids_increase_strictly_whatever_the_clock_does(
            steps in prop::collection::vec((0..3_i64, any::<[u8; 10]>()), 1..200),
        ) {
            let mut ids = UuidV7Sequence::default();
            let made: Vec<Uuid> =
                steps.into_iter().map(|(millis, random)| ids.next(at(millis), random)).collect();
            prop_assert!(made.is_sorted_by(|a, b| a < b));
            prop_assert!(made.iter().all(|id| id.get_version_num() == 7));
            prop_assert!(made.iter().all(|id| id.get_variant() == uuid::Variant::RFC4122));
        }
    }
}
