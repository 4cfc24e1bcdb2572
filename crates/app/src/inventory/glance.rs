//! How much of the stock wants looking after.

use larder_domain::{Glance, ItemFilter, ItemSort};

use crate::{App, Caller, Result, authorize};

/// How many items are read at once: most households have fewer.
const CHUNK: usize = 1000;

impl App {
    /// How many items are in each view of the caller's stock today, counted in one pass.
    pub async fn glance(&self, caller: &Caller) -> Result<Glance> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (mut glance, mut after) = (Glance::default(), None);
        loop {
            let read = self.storage.list_items(
                scope,
                &everything,
                today,
                ItemSort::Created,
                after.as_ref(),
                CHUNK,
            );
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
