//! Histories as people read them: many adjustments in one line.

use larder_domain::{ItemId, Run, RunStep, Runs};
use larder_storage::{ItemChange, Page};

use crate::{App, Caller, Result};

/// How many changes are read at once.
pub(crate) const READ_AT_ONCE: usize = 50;
/// The most reads for a page. A run that is longer continues on the next one.
const MAX_READS: usize = 5;

/// A change in a history.
pub(crate) trait HistoryEntry {
    /// Its number.
    fn sequence(&self) -> u64;
    fn step(&self) -> RunStep;
}

impl HistoryEntry for ItemChange {
    fn sequence(&self) -> u64 {
        self.sequence
    }

    fn step(&self) -> RunStep {
        RunStep::of(Some(&self.versions), self.by, self.at)
    }
}

impl App {
    /// The history of an item as people read it: a page of up to this many lines before this change
    /// (`None`: from the newest), and the change before which the next page begins.
    pub async fn item_runs(
        &self,
        caller: &Caller,
        id: ItemId,
        before: Option<u64>,
        lines: usize,
    ) -> Result<Page<Run<ItemChange>, u64>> {
        let read = |before| self.item_history(caller, id, before, READ_AT_ONCE);
        self.read_runs(caller, before, lines, read).await
    }

    /// A page of lines, from as many pages of changes as they take.
    pub(crate) async fn read_runs<T: HistoryEntry, F: Future<Output = Result<Page<T, u64>>>>(
        &self,
        caller: &Caller,
        before: Option<u64>,
        lines: usize,
        read: impl Fn(Option<u64>) -> F,
    ) -> Result<Page<Run<T>, u64>> {
        let mut runs = Runs::new(lines, caller.today(self.now()), caller.zone().clone());
        let mut position = before;
        for _ in 0..MAX_READS {
            let page = read(position).await?;
            for change in page.items {
                let (sequence, step) = (change.sequence(), change.step());
                if !runs.add(change, step) {
                    return Ok(Page { items: runs.into_vec(), next: position });
                }
                position = Some(sequence);
            }
            position = page.next;
            if position.is_none() {
                break;
            }
        }
        Ok(Page { items: runs.into_vec(), next: position })
    }
}
