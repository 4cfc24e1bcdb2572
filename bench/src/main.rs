//! Starts the server, loads it, and prints one table of ratios.
//!
//! See `README.md` beside this for the method.

mod args;
mod connection;
mod household;
mod load;
mod measure;
mod pages;
mod postgres;
mod relational;
mod report;
mod server;
mod tags;
mod telemetry;

use std::{process::ExitCode, time::Duration};

use args::{Args, Engine, Workload};
use household::{Household, INITIAL_QUANTITY};
use measure::{Rounds, Start};
use server::{DataDirectory, Server};
use tags::Tags;

/// Any failure ends the run: an incomplete table would mislead.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// How many items have a tag: several for each connection.
const TAGGED_ITEMS: usize = 256;

/// How many times the server is restarted to time its start.
const RESTARTS: usize = 5;

/// How long a server rests before its memory counts as idle.
const REST: Duration = Duration::from_secs(2);

/// One thread generates all the load, which leaves the server as much of the machine as possible.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(table) => {
            report::print(&table);
            ExitCode::SUCCESS
        }
        Err(error) => {
            report::note(&format!("the benchmark stopped: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<String, Error> {
    let args = Args::parse(std::env::args().skip(1))?;
    match (args.workload, args.engine) {
        (Workload::Household, Engine::Embedded) => run_embedded(&args).await,
        (Workload::Household, Engine::Postgres) => postgres::run(&args).await,
        (Workload::Telemetry, Engine::Embedded) => telemetry::run(&args).await,
        (Workload::Relational, Engine::Embedded) => relational::run(&args).await,
        (Workload::Pages, Engine::Embedded) => pages::run(&args).await,
        (Workload::Telemetry | Workload::Relational | Workload::Pages, Engine::Postgres) => {
            Err("only the household is measured on PostgreSQL".into())
        }
    }
}

async fn run_embedded(args: &Args) -> Result<String, Error> {
    let binary = args.binary()?;
    let data = DataDirectory::create(&args.data)?;
    report::note(&format!("{} with data in {}", binary.display(), data.path().display()));

    let server = Server::start(&binary, &data).await?;
    report::note(&format!("adding {} items", args.items));
    let mut household = Household::create(server.address(), "bench", args.items).await?;
    let tagged = household.set_aside(TAGGED_ITEMS.min(args.items / 2));
    let tags = Tags::create(server.address(), &household.token, tagged, INITIAL_QUANTITY).await?;

    let mut rounds = Rounds::default();
    for round in 1..=args.rounds {
        report::note(&format!("round {round} of {}", args.rounds));
        rounds.measure(server.address(), &household, &tags, args.window).await?;
    }
    tokio::time::sleep(REST).await;
    let rss_after_load = server.resident_bytes()?;
    server.stop().await?;

    report::note("timing the start");
    let start = Start::measure(&binary, &data, RESTARTS, REST).await?;
    let server = Server::start(&binary, &data).await?;
    household.check_nothing_lost(server.address(), rounds.hot_acknowledged()).await?;
    let tapped = (rounds.taps_acknowledged(), rounds.pages_shown());
    tags.check_nothing_lost(server.address(), tapped).await?;
    server.stop().await?;
    Ok(report::table(&rounds, &start, rss_after_load, args.items))
}
