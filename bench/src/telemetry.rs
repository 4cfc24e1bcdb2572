//! Readings: ingest rate, size on disk, and query latency.

mod fleet;
mod report;

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use fleet::{Fleet, INTERVAL_MS, PER_REQUEST};
use report::Measured;

use crate::{
    Error, REST,
    args::Args,
    connection::request,
    household::Household,
    load,
    measure::CONNECTIONS,
    report::note,
    server::{DataDirectory, Server},
};

/// The number of readings between two measurements of time.
const SLICE: usize = 100_000;
/// How many connections send in batches; each has one request of 41 KB in flight.
const SENDERS: usize = 16;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(crate) async fn run(args: &Args) -> Result<String, Error> {
    let binary = args.binary()?;
    let data = DataDirectory::create(&args.data)?;
    note(&format!("{} with data in {}", binary.display(), data.path().display()));

    let server = Server::start(&binary, &data).await?;
    let household = Household::create(server.address(), "bench", 1).await?;
    let singles = args.rounds * SLICE;
    let now_ms = now_ms()?;
    let (address, token) = (server.address(), household.token.as_str());
    let mut fleet = Fleet::create(address, token, (1, args.readings), now_ms).await?;
    let mut lone = Fleet::create(address, token, (2, singles), now_ms).await?;
    server.stop().await?;
    let empty = bytes_on_disk(data.path())?;

    let server = Server::start(&binary, &data).await?;
    let mut slices = Vec::new();
    while slices.len() * SLICE < args.readings {
        let requests = fleet.requests(SLICE, PER_REQUEST);
        if requests.is_empty() {
            break;
        }
        let outcome = load::send_all(server.address(), SENDERS, requests).await?;
        let rate = outcome.requests_per_second * 100.0;
        note(&format!("{} readings in, {rate:.0}/s", (slices.len() + 1) * SLICE));
        slices.push(outcome);
    }
    server.stop().await?;
    let full = bytes_on_disk(data.path())?;

    let server = Server::start(&binary, &data).await?;
    fleet.check_counts(server.address()).await?;
    let mut measured = Measured::new(slices, full - empty, args.readings);
    for round in 1..=args.rounds {
        note(&format!("round {round} of {}", args.rounds));
        measure_round(&mut measured, &server, &fleet, args.window, now_ms).await?;
        let requests = lone.requests(SLICE, 1);
        measured.singles.push(load::send_all(server.address(), CONNECTIONS, requests).await?);
    }
    tokio::time::sleep(REST).await;
    measured.resident_bytes = server.resident_bytes()?;
    server.stop().await?;
    let server = Server::start(&binary, &data).await?;
    fleet.check_counts(server.address()).await?;
    lone.check_counts(server.address()).await?;
    server.stop().await?;
    Ok(measured.table())
}

async fn measure_round(
    measured: &mut Measured,
    server: &Server,
    fleet: &Fleet,
    window: Duration,
    now_ms: i64,
) -> Result<(), Error> {
    let address = server.address();
    let health = Arc::new(vec![request("GET", "/healthz", "", "")]);
    let latest = Arc::new(fleet.look_ups("latest"));
    let (day, quarter) = (now_ms - DAY_MS + INTERVAL_MS, now_ms - 90 * DAY_MS);
    let range =
        Arc::new(fleet.long_look_ups(&format!("readings?from={day}&to={now_ms}&limit=288")));
    let series = format!("series?from={quarter}&to={now_ms}&sensor=bme280_temp_c&buckets=500");
    let series = Arc::new(fleet.long_look_ups(&series));
    measured.health.push(load::run(address, CONNECTIONS, &health, window).await?);
    measured.latest.push(load::run(address, CONNECTIONS, &latest, window).await?);
    measured.health_alone.push(load::run(address, 1, &health, window / 2).await?);
    measured.day.push(load::run(address, 1, &range, window / 2).await?);
    measured.quarter.push(load::run(address, 1, &series, window / 2).await?);
    Ok(())
}

fn now_ms() -> Result<i64, Error> {
    #[expect(clippy::disallowed_methods, reason = "readings must be recent for a real server")]
    let now = SystemTime::now();
    Ok(i64::try_from(now.duration_since(UNIX_EPOCH)?.as_millis())?)
}

/// The size of the store, including its log.
fn bytes_on_disk(directory: &Path) -> Result<u64, Error> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        bytes += if kind.is_dir() { bytes_on_disk(&entry.path())? } else { kind.len() };
    }
    Ok(bytes)
}
