//! How much of the stock wants looking after.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::civil::Date;
use larder_domain::{Glance, ItemFilter, ItemSort, Owner};
use larder_storage::Scope;

use crate::{App, Caller, Result, authorize};

/// How many items are read at once: most households have fewer.
const CHUNK: usize = 1000;
/// How many inventories are known, in a megabyte.
const MOST_KNOWN: usize = 10_000;

/// What was counted before, until anything in the inventory changes or a day begins. The store says whether anything
/// has: nothing depends on what is known here.
#[derive(Debug, Default)]
pub(crate) struct Glances(Mutex<HashMap<Owner, Counted>>);

#[derive(Debug, Clone, Copy)]
struct Counted {
    list: u64,
    today: Date,
    glance: Glance,
}

impl Glances {
    fn find(&self, owner: Owner, list: u64, today: Date) -> Option<Glance> {
        let counted = *self.lock().get(&owner)?;
        ((counted.list, counted.today) == (list, today)).then_some(counted.glance)
    }

    fn keep(&self, owner: Owner, counted: Counted) {
        let mut known = self.lock();
        // Counting all of them again now and then is cheaper than keeping an order of use.
        if known.len() >= MOST_KNOWN && !known.contains_key(&owner) {
            known.clear();
        }
        known.insert(owner, counted);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Owner, Counted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// How many items are in each view of the caller's stock today.
    pub async fn glance(&self, caller: &Caller) -> Result<Glance> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        // Before the items: what changes while they are counted makes the count that of an older list.
        let Some(list) = self.storage.list_version(scope).await? else {
            return self.count(scope, today).await;
        };
        if let Some(glance) = self.glances.find(scope.owner(), list, today) {
            return Ok(glance);
        }
        let glance = self.count(scope, today).await?;
        self.glances.keep(scope.owner(), Counted { list, today, glance });
        Ok(glance)
    }

    /// Goes through the whole stock once.
    async fn count(&self, scope: Scope, today: Date) -> Result<Glance> {
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (sort, mut glance, mut after) = (ItemSort::Created, Glance::default(), None);
        loop {
            let read =
                self.storage.list_items(scope, &everything, today, sort, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in &page.items {
                glance.count(item, today);
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(glance),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use larder_domain::UserId;

    use super::*;

    const TODAY: Date = date(2026, 2, 28);

    #[test]
    fn what_was_counted_holds_until_the_list_or_the_day_is_another() {
        let glances = Glances::default();
        let (anna, ben) = (Owner::User(UserId::fixed(1)), Owner::User(UserId::fixed(2)));
        glances.keep(anna, Counted { list: 7, today: TODAY, glance: Glance::default() });
        assert_eq!(glances.find(anna, 7, TODAY), Some(Glance::default()));
        assert_eq!(glances.find(anna, 8, TODAY), None);
        assert_eq!(glances.find(anna, 7, date(2026, 3, 1)), None);
        assert_eq!(glances.find(ben, 7, TODAY), None);
    }

    #[test]
    fn the_memory_is_bounded() {
        let glances = Glances::default();
        for number in 0..MOST_KNOWN as u128 + 10 {
            let owner = Owner::User(UserId::from_random(number.to_be_bytes()));
            glances.keep(owner, Counted { list: 1, today: TODAY, glance: Glance::default() });
        }
        assert!(glances.lock().len() <= MOST_KNOWN);
    }
}
