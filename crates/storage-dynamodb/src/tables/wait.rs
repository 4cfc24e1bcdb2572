//! Waiting for a table: with growing pauses, and not for ever.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::TablesError;

/// How long to wait, and how often to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    first_pause: Duration,
    longest_pause: Duration,
    deadline: Duration,
}

impl Default for Patience {
    /// A new table takes seconds, a new index of a large one many minutes.
    fn default() -> Self {
        Self {
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(5),
            deadline: Duration::from_mins(30),
        }
    }
}

impl Patience {
    /// Begins to wait for one thing.
    pub(super) fn begin(self) -> Waiting {
        Waiting { patience: self, since: Instant::now(), next_pause: self.first_pause }
    }
}

/// One wait that has begun.
pub(super) struct Waiting {
    patience: Patience,
    since: Instant,
    next_pause: Duration,
}

impl Waiting {
    /// How long it has been.
    pub(super) fn seconds(&self) -> u64 {
        self.since.elapsed().as_secs()
    }

    /// Pauses before the next look, each time longer, or gives up.
    pub(super) async fn pause(&mut self, table: &str, state: &str) -> Result<(), TablesError> {
        if self.since.elapsed() >= self.patience.deadline {
            return Err(TablesError::Deadline {
                table: table.to_owned(),
                waiting_for: state.to_owned(),
                seconds: self.seconds(),
            });
        }
        sleep(self.next_pause).await;
        self.next_pause = (self.next_pause * 2).min(self.patience.longest_pause);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_to_their_bound_and_end_at_the_deadline() {
        let patience = Patience {
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(4),
            deadline: Duration::from_secs(12),
        };
        let mut waiting = patience.begin();
        let mut looks = vec![waiting.seconds()];
        let given_up = loop {
            match waiting.pause("Changes", "CREATING").await {
                Ok(()) => looks.push(waiting.seconds()),
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
