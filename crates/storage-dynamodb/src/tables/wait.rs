//! Polling for a table, with exponential backoff and a deadline.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::TablesError;

/// How often to poll, and for how long.
#[derive(Debug, Clone, Copy)]
pub(super) struct PollPolicy {
    first_pause: Duration,
    longest_pause: Duration,
    deadline: Duration,
}

impl Default for PollPolicy {
    /// A new table takes seconds, a new index of a large one many minutes.
    fn default() -> Self {
        Self {
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(5),
            deadline: Duration::from_mins(30),
        }
    }
}

impl PollPolicy {
    /// Starts to poll.
    pub(super) fn begin(self) -> Poll {
        Poll { policy: self, since: Instant::now(), next_pause: self.first_pause }
    }
}

/// A running poll.
pub(super) struct Poll {
    policy: PollPolicy,
    since: Instant,
    next_pause: Duration,
}

impl Poll {
    /// How long it has been running.
    pub(super) fn seconds(&self) -> u64 {
        self.since.elapsed().as_secs()
    }

    /// Waits before the next attempt, each time longer, or fails at the deadline.
    pub(super) async fn pause(&mut self, table: &str, state: &str) -> Result<(), TablesError> {
        if self.since.elapsed() >= self.policy.deadline {
            return Err(TablesError::Deadline {
                table: table.to_owned(),
                waiting_for: state.to_owned(),
                seconds: self.seconds(),
            });
        }
        sleep(self.next_pause).await;
        self.next_pause = (self.next_pause * 2).min(self.policy.longest_pause);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_to_their_bound_and_end_at_the_deadline() {
        let policy = PollPolicy {
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(4),
            deadline: Duration::from_secs(12),
        };
        let mut poll = policy.begin();
        let mut looks = vec![poll.seconds()];
        let given_up = loop {
            match poll.pause("Changes", "CREATING").await {
                Ok(()) => looks.push(poll.seconds()),
                Err(error) => break error,
            }
        };
        assert_eq!(looks, [0, 1, 3, 7, 11, 15]);
        assert_eq!(
            given_up.to_string(),
            "table Changes is still CREATING after 15 s: run the command again later"
        );
    }
}
