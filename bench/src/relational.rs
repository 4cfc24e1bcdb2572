//! Resources: the cost of the relational store's operations against a plain read of one record,
//! without HTTP.

mod report;
mod things;

use std::time::{Duration, Instant};

use report::Measured;
use things::{CASCADE, Things};

use crate::{Error, args::Args, report::note, server::DataDirectory};

/// The part of a measurement that is not counted.
const WARM_UP: u32 = 20;

/// The result of one measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

pub(crate) async fn run(args: &Args) -> Result<String, Error> {
    let data = DataDirectory::create(&args.data)?;
    note(&format!("a store in {}", data.path().display()));
    let mut things = Things::open(data.path())?;
    note("making some ten thousand things");
    things.furnish().await?;

    let mut measured = Measured::default();
    for round in 1..=args.rounds {
        note(&format!("round {round} of {}", args.rounds));
        measure_round(&mut measured, &mut things, args.window / 2).await?;
    }
    things.check_counts().await?;
    things.close().await;
    Ok(measured.table())
}

async fn measure_round(
    measured: &mut Measured,
    things: &mut Things,
    window: Duration,
) -> Result<(), Error> {
    measured.point_read.push(timed(window, async |turn| things.read_record(turn).await).await?);
    measured.get.push(timed(window, async |turn| things.get(turn).await).await?);
    measured.children.push(timed(window, async |_| things.list_children().await).await?);
    measured.ancestors.push(timed(window, async |_| things.list_ancestors().await).await?);
    measured.authorize.push(timed(window, async |_| things.authorize().await).await?);
    measured.create.push(timed(window, async |_| things.create().await).await?);
    measured.create_at_once.push(things.create_at_once(window).await?);

    note(&format!("a tree of {CASCADE}"));
    let root = things.grow_tree().await?;
    let begin = Instant::now();
    things.delete_tree(&root).await?;
    measured.cascade.push(begin.elapsed());
    Ok(())
}

/// Runs an operation sequentially for this long, and returns the time per run.
async fn timed(
    window: Duration,
    mut once: impl AsyncFnMut(usize) -> Result<(), Error>,
) -> Result<Sample, Error> {
    for turn in 0..WARM_UP {
        once(usize::try_from(turn)?).await?;
    }
    let end = Instant::now() + window;
    let mut times = Vec::new();
    while Instant::now() < end {
        let begin = Instant::now();
        once(times.len()).await?;
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    let at =
        |hundredths: usize| times.get(times.len().saturating_sub(1) * hundredths / 100).copied();
    let (p50, p99) = at(50).zip(at(99)).ok_or("nothing was done in time")?;
    Ok(Sample { p50, p99 })
}
