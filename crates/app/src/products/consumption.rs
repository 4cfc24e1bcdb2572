//! How much of a product was used.

use futures_util::future::try_join_all;
use larder_domain::{
    CONSUMPTION_WEEKS, Item, WeekConsumption, Zone, weekly_consumption, weeks_until,
};
use larder_storage::{ItemChange, StockedProduct};

use super::timeline::last_changed;
use crate::{App, Caller, Result};

/// How many changes are read at once.
const READ_AT_ONCE: usize = 100;

/// How many changes of a lot are read at most: several a day, for all weeks.
const MAX_CHANGES: usize = 500;

/// What was used of a product in the last weeks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumption {
    /// Each week, oldest first; the current one is the last.
    pub weeks: [WeekConsumption; CONSUMPTION_WEEKS],
    /// Whether there was too much to read all of it.
    pub is_partial: bool,
}

/// The changes of one lot, newest first.
struct LotChanges {
    changes: Vec<ItemChange>,
    is_partial: bool,
}

impl App {
    /// What was used of a product in each of the last weeks, according to the history of its lots.
    /// Reads a bounded part of it.
    pub async fn consumption(
        &self,
        caller: &Caller,
        stocked: &StockedProduct,
    ) -> Result<Consumption> {
        let (zone, today) = (caller.zone(), caller.today(self.now()));
        let first = weeks_until(today)[0];
        let is_recent = |lot: &&Item| zone.day_of(lot.updated_at) >= first;
        let recent: Vec<&Item> = stocked.lots.iter().filter(is_recent).collect();
        let count = recent.len();
        let read = last_changed(recent);
        let is_cut = read.len() < count;
        let read = read.into_iter().map(|lot| self.changes_since(caller, lot, zone, first));
        let lots = try_join_all(read).await?;
        let changes = lots.iter().flat_map(|lot| &lot.changes);
        let changes = changes.map(|change| (change.at, &change.versions));
        let unit = &stocked.product.details.unit;
        Ok(Consumption {
            weeks: weekly_consumption(changes, unit, zone, today),
            is_partial: is_cut || lots.iter().any(|lot| lot.is_partial),
        })
    }

    /// The changes of a lot from this day on.
    async fn changes_since(
        &self,
        caller: &Caller,
        lot: &Item,
        zone: &Zone,
        first: jiff::civil::Date,
    ) -> Result<LotChanges> {
        let (mut changes, mut before) = (Vec::new(), None);
        while changes.len() < MAX_CHANGES {
            let page = self.item_history(caller, lot.id, before, READ_AT_ONCE).await?;
            before = page.next;
            changes.extend(page.items);
            let is_older = |change: &ItemChange| zone.day_of(change.at) < first;
            if before.is_none() || changes.last().is_some_and(is_older) {
                return Ok(LotChanges { changes, is_partial: false });
            }
        }
        Ok(LotChanges { changes, is_partial: true })
    }
}
