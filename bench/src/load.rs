//! Load: a number of connections that send prepared requests for a while.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::{
    Error,
    connection::{Connection, Response},
    tags::{nonce_position, renew_nonce},
};

/// The part of a window that is not counted: connections open, caches fill.
const WARM_UP: Duration = Duration::from_millis(300);

/// The result of one window of load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) requests_per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// Every answer, also outside the counted window: the server's promises.
    pub(crate) acknowledged: u64,
}

/// Requests for `connections` connections. Each walks its own share, so no two connections send the
/// same request unless there are fewer requests than connections.
pub(crate) async fn run(
    address: SocketAddr,
    connections: usize,
    requests: &Arc<Vec<Vec<u8>>>,
    window: Duration,
) -> Result<Outcome, Error> {
    let begin = Instant::now() + WARM_UP;
    let mut workers = JoinSet::new();
    for first in 0..connections {
        let requests = Arc::clone(requests);
        let walk = Walk { first, step: connections };
        workers.spawn(work(address, requests, walk, begin, begin + window));
    }
    let mut latencies = Vec::new();
    let mut acknowledged = 0;
    while let Some(worker) = workers.join_next().await {
        let (mut counted, all) = worker??;
        latencies.append(&mut counted);
        acknowledged += all;
    }
    Outcome::of(latencies, window, acknowledged)
}

impl Outcome {
    /// Summarises these latencies (in nanoseconds) within this time.
    fn of(mut latencies: Vec<u64>, time: Duration, acknowledged: u64) -> Result<Self, Error> {
        let median = percentile(&mut latencies, 50).ok_or("no request was answered in time")?;
        let slow = percentile(&mut latencies, 99).ok_or("no request was answered in time")?;
        let count = u32::try_from(latencies.len())?;
        Ok(Self {
            requests_per_second: f64::from(count) / time.as_secs_f64(),
            p50: Duration::from_nanos(median),
            p99: Duration::from_nanos(slow),
            acknowledged,
        })
    }
}

/// Sends each request once, over this many connections, and times the whole.
pub(crate) async fn send_all(
    address: SocketAddr,
    connections: usize,
    requests: Vec<Vec<u8>>,
) -> Result<Outcome, Error> {
    let requests = Arc::new(requests);
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Connection::open(address).await?);
    }
    let next = Arc::new(AtomicUsize::new(0));
    let begin = Instant::now();
    let mut workers = JoinSet::new();
    for mut connection in open {
        let (requests, next) = (Arc::clone(&requests), Arc::clone(&next));
        workers.spawn(async move {
            let mut latencies = Vec::new();
            while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                let sent = Instant::now();
                expect_success(&connection.send(request).await?)?;
                latencies.push(u64::try_from(sent.elapsed().as_nanos())?);
            }
            Ok::<_, Error>(latencies)
        });
    }
    let mut latencies = Vec::with_capacity(requests.len());
    while let Some(worker) = workers.join_next().await {
        latencies.append(&mut worker??);
    }
    Outcome::of(latencies, begin.elapsed(), u64::try_from(requests.len())?)
}

fn expect_success(response: &Response<'_>) -> Result<(), Error> {
    if (200..300).contains(&response.status) {
        return Ok(());
    }
    let body = String::from_utf8_lossy(response.body);
    Err(format!("the server answered {}: {body}", response.status).into())
}

/// Which of the shared requests a connection sends.
#[derive(Clone, Copy)]
struct Walk {
    first: usize,
    step: usize,
}

/// Answers the latencies inside the window in nanoseconds, and the count of all answers.
async fn work(
    address: SocketAddr,
    requests: Arc<Vec<Vec<u8>>>,
    walk: Walk,
    begin: Instant,
    end: Instant,
) -> Result<(Vec<u64>, u64), Error> {
    let mut connection = Connection::open(address).await?;
    let mut latencies = Vec::new();
    let mut acknowledged = 0;
    // A whole number of steps, so that the walk stays on its own share when it wraps around.
    let length = requests.len() - requests.len() % walk.step;
    let length = if length == 0 { requests.len() } else { length };
    let mut position = walk.first % length;
    let nonce = requests.first().and_then(|request| nonce_position(request));
    let mut tap = Vec::new();
    loop {
        let request = if let Some(nonce) = nonce {
            tap.clone_from(&requests[position]);
            renew_nonce(&mut tap, nonce);
            &tap
        } else {
            &requests[position]
        };
        let sent = Instant::now();
        let response = connection.send(request).await?;
        expect_success(&response)?;
        let now = Instant::now();
        acknowledged += 1;
        if now >= end {
            return Ok((latencies, acknowledged));
        }
        if now >= begin {
            latencies.push(u64::try_from((now - sent).as_nanos())?);
        }
        position = (position + walk.step) % length;
    }
}

fn percentile(values: &mut [u64], percent: usize) -> Option<u64> {
    let last = values.len().checked_sub(1)?;
    let (_, value, _) = values.select_nth_unstable(last * percent / 100);
    Some(*value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut values: Vec<u64> = (1..=101).rev().collect();
        assert_eq!(percentile(&mut values, 50), Some(51));
        assert_eq!(percentile(&mut values, 99), Some(100));
        assert_eq!(percentile(&mut [], 50), None);
    }
}
