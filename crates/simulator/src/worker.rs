//! A share of the devices, one after the other, at its share of the rate.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::client::{Answer, Client, Failure};
use crate::device::{Device, Readings};
use crate::report::Tally;
use crate::usize_to_f64;

/// How often a request is repeated before it counts as failed, and how long the first pause is; each next one is twice
/// as long.
const ATTEMPTS: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// When the next reading is due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) started: Instant,
    /// Readings per second.
    pub(crate) rate: f64,
    pub(crate) until: Duration,
}

impl Pace {
    /// When the reading of this number is due; `None` after the end.
    fn due(self, number: usize) -> Option<Instant> {
        let after = Duration::try_from_secs_f64(usize_to_f64(number) / self.rate).ok()?;
        (after < self.until).then(|| self.started + after)
    }

    fn is_over(self) -> bool {
        self.started.elapsed() >= self.until
    }
}

/// A share of the devices.
pub(crate) struct Worker {
    pub(crate) client: Arc<Client>,
    pub(crate) tally: Arc<Tally>,
    pub(crate) devices: Vec<Device>,
    pub(crate) pace: Pace,
}

impl Worker {
    /// Measures and sends until the time is over, and then sends the rest. Fails if the first
    /// registration is refused permanently: the others would be too.
    pub(crate) async fn run(mut self) -> Result<(), String> {
        let mut devices = std::mem::take(&mut self.devices);
        if devices.is_empty() {
            return Ok(());
        }
        self.register(&mut devices[0]).await?;
        let mut number = 0;
        while let Some(due) = self.pace.due(number)
            && !self.pace.is_over()
        {
            sleep_until(due).await;
            let turn = number % devices.len();
            let device = &mut devices[turn];
            device.measure();
            let count = device.ready().len();
            if count > 0 {
                self.deliver(device, count).await;
            }
            number += 1;
        }
        for device in &mut devices {
            while !device.rest().is_empty() {
                let count = device.rest().len();
                self.deliver(device, count).await;
            }
        }
        Ok(())
    }

    /// Sends the oldest readings of a device, and registers it first if it has rebooted.
    async fn deliver(&self, device: &mut Device, count: usize) {
        if !device.is_registered
            && let Err(reason) = self.register(device).await
        {
            return self.give_up(device, count, &reason);
        }
        let mut backoff = Backoff::default();
        loop {
            let begun = Instant::now();
            let answer = self.client.send(&Readings { readings: &device.rest()[..count] }).await;
            self.tally.latencies.add(begun.elapsed());
            match answer {
                Ok(Answer { acknowledged_batch_ids, duplicate_batch_ids }) => {
                    Tally::add(&self.tally.acknowledged, acknowledged_batch_ids.len());
                    Tally::add(&self.tally.duplicate, duplicate_batch_ids.len());
                    return device.acknowledged(count);
                }
                Err(failure) => {
                    if let Err(reason) = backoff.wait_after(failure, &self.tally).await {
                        return self.give_up(device, count, &reason);
                    }
                }
            }
        }
    }

    async fn register(&self, device: &mut Device) -> Result<(), String> {
        let mut backoff = Backoff::default();
        while !device.is_registered {
            match self.client.register(&device.registration()).await {
                Ok(()) => {
                    device.is_registered = true;
                    Tally::add(&self.tally.registered, 1);
                }
                Err(failure) => backoff.wait_after(failure, &self.tally).await?,
            }
        }
        Ok(())
    }

    fn give_up(&self, device: &mut Device, count: usize, reason: &str) {
        self.tally.note_failure(reason);
        Tally::add(&self.tally.failed, count);
        device.forget(count);
    }
}

/// The retries of a device.
struct Backoff {
    attempts_left: u32,
    pause: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { attempts_left: ATTEMPTS - 1, pause: FIRST_PAUSE }
    }
}

impl Backoff {
    /// Waits before the next attempt; an error if the failure is permanent or no attempts are left.
    async fn wait_after(&mut self, failure: Failure, tally: &Tally) -> Result<(), String> {
        match failure {
            Failure::Transient(_) if self.attempts_left > 0 => {
                Tally::add(&tally.retried, 1);
                sleep(self.pause).await;
                self.attempts_left -= 1;
                self.pause *= 2;
                Ok(())
            }
            Failure::Transient(reason) | Failure::Permanent(reason) => Err(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn readings_are_due_at_their_rate_until_the_end() {
        let pace = Pace { started: Instant::now(), rate: 10.0, until: Duration::from_secs(1) };
        assert_eq!(pace.due(0), Some(pace.started));
        assert_eq!(pace.due(5), Some(pace.started + Duration::from_millis(500)));
        assert_eq!(pace.due(10), None);
    }

    #[tokio::test(start_paused = true)]
    async fn transient_failures_are_retried_seven_times_and_permanent_ones_never() {
        let (tally, began) = (Tally::default(), Instant::now());
        let mut backoff = Backoff::default();
        for _ in 1..ATTEMPTS {
            assert_eq!(backoff.wait_after(Failure::Transient("503".into()), &tally).await, Ok(()));
        }
        let last = backoff.wait_after(Failure::Transient("503".into()), &tally).await;
        assert_eq!(last, Err("503".to_owned()));
        assert_eq!(began.elapsed(), FIRST_PAUSE * 127);
        let refused = Backoff::default().wait_after(Failure::Permanent("403".into()), &tally).await;
        assert_eq!(refused, Err("403".to_owned()));
        assert_eq!(tally.summary(Duration::from_secs(1)).retried, 7);
    }
}
