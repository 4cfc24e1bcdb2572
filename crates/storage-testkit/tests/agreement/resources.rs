//! Random sequences of commands to the relational store, with interruptions between transactions,
//! match the model; after each of them, so do the records below.

use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_item::MAX_ACTIONS;
use larder_storage_testkit::{ReferenceEngine, START};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::household::Verdict;
use super::resource_commands::{Step, step};
use super::resource_world::World;
use super::stores::{self, Stores};
use super::tested::Tested;
use super::{Sequences, runtime, try_sequences};

/// The fewest actions that an engine may allow, so that small trees take several transactions.
const FEW: usize = 10;

/// Whether the records are checked after each step, or only at the end.
#[derive(Clone, Copy, PartialEq)]
enum Beneath {
    EachStep,
    AtTheEnd,
}

async fn obey(mut world: World<'_>, steps: &[Step], beneath: Beneath) -> Verdict {
    world.populate().await?;
    for step in steps {
        world.obey(step).await?;
        if beneath == Beneath::EachStep {
            world.check_beneath().await?;
        }
    }
    world.compare_everything().await
}

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START))
}

/// Each sequence on an engine of its own.
fn try_on_the_reference_engine(sequences: Sequences, most_actions: usize) {
    let runtime = runtime();
    try_sequences(sequences, step(), |number, steps| {
        let clock = clock();
        let engine = Arc::new(ReferenceEngine::new(Arc::clone(&clock) as _));
        let tested = [Tested::over("reference", engine, &clock, most_actions)];
        let world = World::new(&tested, &clock, number);
        runtime.block_on(obey(world, &steps, Beneath::EachStep))
    });
}

/// All sequences on the same store.
fn try_on(runtime: &Runtime, sequences: Sequences, tested: &[Tested], clock: &ManualClock) {
    try_sequences(sequences, step(), |number, steps| {
        let world = World::new(tested, clock, number);
        runtime.block_on(obey(world, &steps, Beneath::AtTheEnd))
    });
}

#[test]
fn p63_interrupted_sequences_agree_with_the_rules_on_the_reference_engine() {
    try_on_the_reference_engine(Sequences { full: 1000, everyday: 250 }, MAX_ACTIONS);
}

#[test]
fn p63_interrupted_sequences_agree_with_the_rules_in_small_transactions() {
    try_on_the_reference_engine(Sequences { full: 1500, everyday: 500 }, FEW);
}

#[test]
fn p63_interrupted_sequences_agree_with_the_rules_on_the_embedded_engine() {
    let runtime = runtime();
    let (few, many) =
        (Sequences { full: 300, everyday: 75 }, Sequences { full: 200, everyday: 50 });
    for (sequences, most_actions) in [(few, FEW), (many, MAX_ACTIONS)] {
        let (directory, clock) = (TempDir::new().unwrap(), clock());
        let engine = Arc::new(stores::embedded(&directory, &clock));
        let tested = [Tested::over("embedded", engine, &clock, most_actions)];
        try_on(&runtime, sequences, &tested, &clock);
    }
}

#[test]
fn p63_interrupted_sequences_agree_with_the_rules_on_dynamodb() {
    let (runtime, clock) = (runtime(), clock());
    let engine = Arc::new(runtime.block_on(stores::dynamodb("resourcesequences", &clock)));
    let tested = [Tested::over("DynamoDB", engine, &clock, MAX_ACTIONS)];
    try_on(&runtime, Sequences { full: 100, everyday: 15 }, &tested, &clock);
}

#[test]
fn p63_sequences_agree_with_the_rules_on_postgresql() {
    let runtime = runtime();
    let stores = runtime.block_on(Stores::open("resourcesonpostgresql"));
    let (name, store) = stores.all.iter().find(|(name, _)| *name == "PostgreSQL").unwrap();
    try_on(
        &runtime,
        Sequences { full: 200, everyday: 50 },
        &[Tested::as_is(name, store)],
        &stores.clock,
    );
}

#[test]
fn p63_all_engines_and_the_rules_answer_every_command_to_resources_alike() {
    let runtime = runtime();
    let stores = runtime.block_on(Stores::open("resources"));
    let tested: Vec<_> =
        stores.all.iter().map(|(name, store)| Tested::as_is(name, store)).collect();
    try_on(&runtime, Sequences { full: 100, everyday: 15 }, &tested, &stores.clock);
}
