//! The server on PostgreSQL against `pgbench`, which sends the same statements to the same tables
//! with no overhead.

mod pgbench;
mod scripts;

use std::{
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use larder_test_servers::PostgresServer;

use crate::{
    Error,
    args::Args,
    household::Household,
    load::{self, Outcome},
    measure::{CONNECTIONS, median},
    report::{self, Row, milliseconds, verdict},
    server::{DataDirectory, Server},
};
use pgbench::Pgbench;

/// Households under load. Changes of one household are serialized, so a single one would measure
/// the latency of a commit instead of the cost of a change.
const HOUSEHOLDS: usize = 32;

/// The share of the bare statements' throughput that the server should reach.
const TARGET: f64 = 0.5;

/// More pages than the server caches, so that each is read from the store.
const SPELLINGS: usize = 40;

/// A measurement, on both sides.
struct Pair {
    what: &'static str,
    ours: Vec<Outcome>,
    bare: Vec<f64>,
}

impl Pair {
    const fn new(what: &'static str) -> Self {
        Self { what, ours: Vec::new(), bare: Vec::new() }
    }
}

pub(crate) async fn run(args: &Args) -> Result<String, Error> {
    let binary = args.binary()?;
    let pgbench = Pgbench::find()?;
    let data = DataDirectory::create(&args.data)?;
    report::note("starting PostgreSQL");
    let postgres = PostgresServer::start();
    let url = migrate(&binary, &postgres.superuser_url("postgres"))?;
    let server = Server::start_on(&url, &binary, &data).await?;

    let items = args.items / HOUSEHOLDS;
    report::note(&format!("adding {HOUSEHOLDS} households with {items} items each"));
    let mut households = Vec::with_capacity(HOUSEHOLDS);
    for number in 0..HOUSEHOLDS {
        let name = format!("bench{number}");
        households.push(Household::create(server.address(), &name, items).await?);
    }
    let scripts = scripts::write(data.path(), &households)?;
    let every = |requests: &dyn Fn(&Household) -> Arc<Vec<Vec<u8>>>| {
        let each: Vec<_> = households.iter().map(requests).collect();
        Arc::new(interleaved(&each))
    };
    let adjust = every(&|household| Arc::clone(&household.adjust_distinct));
    let adjust_one = Arc::clone(&households[0].adjust_distinct);
    let list = every(&|household| household.page("items?limit=50&search=", SPELLINGS));
    let list_kept = every(&|household| household.page("items?limit=50&search=", 1));

    let mut pairs = [
        Pair::new("durable adjust, 32 households"),
        Pair::new("durable adjust, one household"),
        Pair::new("first page of 50, read anew"),
        Pair::new("first page of 50, nothing changed since"),
    ];
    for round in 1..=args.rounds {
        report::note(&format!("round {round} of {}", args.rounds));
        let bare = [&scripts.adjust, &scripts.adjust_one, &scripts.list, &scripts.list];
        let ours = [&adjust, &adjust_one, &list, &list_kept];
        for ((pair, requests), scripts) in pairs.iter_mut().zip(ours).zip(bare) {
            pair.ours.push(load::run(server.address(), CONNECTIONS, requests, args.window).await?);
            pair.bare.push(pgbench.run(&url, scripts, args.window)?);
        }
    }
    server.stop().await?;
    Ok(table(&pairs, args.window))
}

fn table(pairs: &[Pair], window: Duration) -> String {
    report::note(&format!("medians of windows of {} s", window.as_secs()));
    let rows: Vec<Row> = pairs.iter().flat_map(rows).collect();
    report::render(&rows)
}

fn rows(pair: &Pair) -> [Row; 2] {
    let rate = |outcome: &Outcome| outcome.requests_per_second;
    let ours = median(pair.ours.iter().map(rate).collect());
    let bare = median(pair.bare.clone());
    let p50 = median(pair.ours.iter().map(|outcome| outcome.p50).collect());
    let p99 = median(pair.ours.iter().map(|outcome| outcome.p99).collect());
    let share = ours / bare;
    let value = format!(
        "{ours:.0} requests/s (p50 {:.2} ms, p99 {:.2} ms)",
        milliseconds(p50),
        milliseconds(p99)
    );
    [
        Row::plain(format!("pgbench: {}", pair.what), format!("{bare:.0} transactions/s")),
        Row {
            ratio: format!("{:.0}% of pgbench", share * 100.0),
            target: "≥ 50%",
            verdict: verdict(share >= TARGET),
            ..Row::plain(format!("larder: {}", pair.what), value)
        },
    ]
}

/// Brings the schema up and answers the URL of the role that the server runs as.
fn migrate(binary: &Path, owner: &str) -> Result<String, Error> {
    let output = Command::new(binary)
        .args(["migrate", "up"])
        .env("LARDER_STORE", owner)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the schema could not be migrated".into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The first of each, the second of each, and so on: neighbours touch different households.
fn interleaved(each: &[Arc<Vec<Vec<u8>>>]) -> Vec<Vec<u8>> {
    let longest = each.iter().map(|requests| requests.len()).max().unwrap_or_default();
    (0..longest)
        .flat_map(|at| each.iter().filter_map(move |requests| requests.get(at).cloned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_alternate_between_households() {
        let each = [Arc::new(vec![vec![1], vec![2]]), Arc::new(vec![vec![3]])];
        assert_eq!(interleaved(&each), [vec![1], vec![3], vec![2]]);
    }
}
