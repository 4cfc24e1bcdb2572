//! Stores with flipped bits in their file.

use std::path::Path;
use std::sync::Arc;

use larder_storage::{ManualClock, StorageError};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};

use super::{Bed, Dice};

/// The size of a page of the file.
pub(crate) const PAGE: usize = 2048;

/// A query, with its answer as text, so that all answers are comparable.
pub(crate) trait Question {
    async fn ask(&self, engine: &EmbeddedEngine) -> Result<String, StorageError>;
}

/// Questions and their right answers, and the file that they are about.
pub(crate) struct Sound<Q> {
    pub(crate) file: Vec<u8>,
    clock: Arc<ManualClock>,
    answers: Vec<(Q, String)>,
}

impl<Q: Question> Sound<Q> {
    /// The answers of the store with this file, or a later one with the same answers.
    pub(crate) async fn of(bed: &Bed, questions: Vec<Q>, file: Vec<u8>) -> Self {
        let mut answers = Vec::new();
        for question in questions {
            let answer = question.ask(&bed.engine).await.unwrap();
            answers.push((question, answer));
        }
        assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
        Self { file, clock: bed.clock.clone(), answers }
    }

    /// Runs all queries on a store with a changed file; returns whether any detected it.
    pub(crate) async fn survives(&self, file: &[u8], place: &str) -> bool {
        let directory = tempfile::TempDir::new().unwrap();
        std::fs::write(directory.path().join("larder.db"), file).unwrap();
        let Some(engine) = open(directory.path(), &self.clock) else { return true };
        let mut noticed = false;
        for (question, right) in &self.answers {
            match question.ask(&engine).await {
                Ok(answer) => assert_eq!(&answer, right, "a wrong answer after {place}"),
                Err(_) => noticed = true,
            }
        }
        noticed
    }

    /// Flips this many bits, each in a separate copy of the file, in the bytes that `byte` chooses;
    /// returns how many were detected.
    pub(crate) async fn flip_many(
        &self,
        seed: u64,
        flips: usize,
        mut byte: impl FnMut(&mut Dice, usize) -> usize,
    ) -> usize {
        println!("seed {seed}");
        let mut dice = Dice(seed);
        let mut noticed = 0;
        for _ in 0..flips {
            let (at, bit) = (byte(&mut dice, self.file.len()), dice.below(8));
            let mut damaged = self.file.clone();
            damaged[at] ^= 1 << bit;
            let (byte, page) = (at % PAGE, at / PAGE + 1);
            let place =
                format!("the flip of bit {bit} of byte {byte} of page {page} (seed {seed})");
            noticed += usize::from(self.survives(&damaged, &place).await);
        }
        noticed
    }
}

/// The file of a store, which is closed.
pub(crate) async fn closed(bed: &Bed) -> Vec<u8> {
    bed.engine.close().await;
    std::fs::read(bed.directory.path().join("larder.db")).unwrap()
}

/// Opens a store, unless it is damaged too badly.
pub(crate) fn open(directory: &Path, clock: &Arc<ManualClock>) -> Option<EmbeddedEngine> {
    EmbeddedEngine::open(directory, clock.clone(), EmbeddedOptions::default()).ok()
}
