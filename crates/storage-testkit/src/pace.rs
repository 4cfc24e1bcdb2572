//! Waiting for indexes that lag, without sleeping.

use std::fmt::Debug;

use async_trait::async_trait;

/// Advances an engine whose indexes lag. The binding implements it: a local engine commits
/// something unrelated, a remote one waits for a moment.
#[async_trait]
pub trait Pace: Send + Sync {
    /// Advances the engine a little.
    async fn step(&self);
}

/// For engines whose indexes don't lag.
#[derive(Debug, Clone, Copy)]
pub struct Exact;

#[async_trait]
impl Pace for Exact {
    async fn step(&self) {}
}

/// How often a lagging read is repeated before it counts as wrong.
const PATIENCE: usize = 200;

/// Reads until the answer is the expected one, advancing the engine between reads, and fails with
/// the last answer if it never is. Engines that don't lag answer rightly at the first read.
pub(crate) async fn eventually<T: PartialEq + Debug>(
    pace: &dyn Pace,
    expected: &T,
    mut read: impl AsyncFnMut() -> T,
) {
    let mut answer = read().await;
    for _ in 0..PATIENCE {
        if answer == *expected {
            return;
        }
        pace.step().await;
        answer = read().await;
    }
    assert_eq!(answer, *expected, "the index did not catch up");
}
