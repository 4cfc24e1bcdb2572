//! Simulated devices: they measure realistic days, lose their connection, reboot, and resend
//! readings that were not acknowledged. For trying out and load-testing a server.
//!
//! The behaviour of a device depends only on the seed, so that a run can be repeated; the server's
//! latency varies.

mod chance;
mod client;
mod device;
mod latency;
mod report;
mod room;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use self::client::ApiKey;
use self::client::{Client, ClientError};
use self::device::Habits;
use self::report::Tally;
pub use self::report::{Progress, Summary};
use self::worker::{Pace, Worker};

/// How many devices send at the same time at most.
const WORKERS: usize = 32;
/// How often a real sensor measures.
const USUAL_INTERVAL_MS: i64 = 5 * 60 * 1000;
/// How far back a run may begin, so that its readings have not expired on arrival.
const LONGEST_SPAN_MS: i64 = 80 * 24 * 60 * 60 * 1000;
/// The interval of progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The parameters of a simulation.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The server's URL, such as `http://127.0.0.1:7070`.
    pub url: String,
    /// The key that the devices use.
    pub api_key: ApiKey,
    /// The number of devices.
    pub devices: usize,
    /// How many readings all of them measure in a second.
    pub rate: f64,
    /// For how long.
    pub duration: Duration,
    /// How many readings a device gathers before it sends them.
    pub batch: usize,
    /// The seed of all randomness.
    pub seed: u64,
    /// The time of the last readings, in milliseconds since 1970: now. The first ones are as much older as devices
    /// that measure every five minutes need.
    pub ends_at_ms: i64,
}

/// Why a simulation failed.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// No client could be created.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No device could register.
    #[error("no device could register: {0}")]
    Refused(String),
    /// A worker panicked.
    #[error("a worker of the simulation failed: {0}")]
    Broken(String),
}

/// Runs a plan and reports progress.
pub async fn run(plan: &Plan, progress: &mut dyn Progress) -> Result<Summary, SimulationError> {
    let client = Arc::new(Client::new(&plan.url, &plan.api_key)?);
    let tally = Arc::new(Tally::default());
    let habits = plan.habits();
    let workers = WORKERS.min(plan.devices.max(1));
    let started = Instant::now();
    let mut running = JoinSet::new();
    for share in 0..workers {
        let numbers = (share..plan.devices).step_by(workers);
        let devices: Vec<_> = numbers.map(|number| habits.device(plan.seed, number)).collect();
        // In proportion to its devices, so that all advance equally.
        let rate = plan.rate * usize_to_f64(devices.len()) / usize_to_f64(plan.devices);
        let pace = Pace { started, rate, until: plan.duration };
        let (client, tally) = (Arc::clone(&client), Arc::clone(&tally));
        running.spawn(Worker { client, tally, devices, pace }.run());
    }
    let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
    loop {
        tokio::select! {
            _ = ticks.tick() => progress.tell(started.elapsed(), plan.duration, &tally.summary(started.elapsed())),
            ended = running.join_next() => match ended {
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(refusal))) => return Err(SimulationError::Refused(refusal)),
                Some(Err(panic)) => return Err(SimulationError::Broken(panic.to_string())),
                None => break,
            }
        }
    }
    let summary = tally.summary(started.elapsed());
    progress.tell(plan.duration, plan.duration, &summary);
    Ok(summary)
}

impl Plan {
    /// The devices' behaviour: at the rate of real ones, unless that would reach back too far.
    fn habits(&self) -> Habits {
        let per_device =
            self.rate * self.duration.as_secs_f64() / usize_to_f64(self.devices.max(1));
        let readings = f64_to_i64(per_device.ceil()).max(1);
        let interval_ms = USUAL_INTERVAL_MS.min(LONGEST_SPAN_MS / readings).max(1);
        let starts_at_ms = self.ends_at_ms - interval_ms * readings;
        Habits { interval_ms, starts_at_ms, batch: self.batch.clamp(1, 100) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of devices are small")]
fn usize_to_f64(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, reason = "counts of readings are small; more saturate")]
fn f64_to_i64(value: f64) -> i64 {
    value as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(devices: usize, rate: f64, seconds: u64) -> Plan {
        Plan {
            url: "http://127.0.0.1:1".into(),
            api_key: ApiKey::new("k".into()),
            devices,
            rate,
            duration: Duration::from_secs(seconds),
            batch: 10,
            seed: 1,
            ends_at_ms: 1_700_000_000_000,
        }
    }

    #[test]
    fn devices_measure_every_five_minutes_and_end_now() {
        let habits = plan(100, 10.0, 60).habits();
        assert_eq!(habits.interval_ms, 300_000);
        assert_eq!(habits.starts_at_ms, 1_700_000_000_000 - 6 * 300_000);
    }

    #[test]
    fn a_long_run_of_few_devices_does_not_reach_back_beyond_what_is_kept() {
        let habits = plan(1, 1000.0, 600).habits();
        assert!(habits.interval_ms < USUAL_INTERVAL_MS);
        assert!(1_700_000_000_000 - habits.starts_at_ms <= LONGEST_SPAN_MS);
    }
}
