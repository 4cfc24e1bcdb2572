//! When to try again.

use jiff::SignedDuration;

/// The backoff after each failed attempt. A receiver that restarts misses nothing for long, one
/// that is down over a weekend gets it afterwards, and after some 45 hours the message is stale.
const PAUSES: [SignedDuration; 8] = [
    SignedDuration::from_secs(10),
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(6),
    SignedDuration::from_hours(12),
    SignedDuration::from_hours(24),
];

/// The maximal jitter, so that deliveries which failed together are not retried together.
const MOST_JITTER: i32 = 5;

/// The pause after a failed attempt, given the number of earlier ones; `None` to fail permanently.
pub(super) fn pause_after(attempts_before: u32, random: u16) -> Option<SignedDuration> {
    let pause = *PAUSES.get(usize::try_from(attempts_before).ok()?)?;
    let jitter = pause / MOST_JITTER * i32::from(random) / i32::from(u16::MAX);
    Some(pause + jitter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_ten_seconds_to_a_day_and_end() {
        let seconds = |attempts| pause_after(attempts, 0).map(|pause| pause.as_secs());
        let pauses: Vec<_> = (0..10).map_while(seconds).collect();
        assert_eq!(pauses, [10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]);
        assert_eq!(seconds(8), None);
        assert_eq!(seconds(u32::MAX), None);
    }

    #[test]
    fn jitter_makes_a_pause_longer_by_a_fifth_at_most() {
        assert_eq!(pause_after(1, u16::MAX), Some(SignedDuration::from_secs(72)));
        let half = pause_after(7, u16::MAX / 2).unwrap();
        assert!((95_000..95_100).contains(&half.as_secs()), "{half}");
    }
}
