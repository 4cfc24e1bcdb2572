//! Finding items by their names.

use larder_domain::{Item, ItemFilter, ItemSort, SearchTerm, text};

use crate::{App, Caller, Result};

/// How many items are read at once: one thing with many dates is many items.
const CHUNK: usize = 50;

impl App {
    /// The newest item of exactly this name as people read it, used-up goods included.
    pub async fn find_item_by_name(&self, caller: &Caller, name: &str) -> Result<Option<Item>> {
        let (folded, mut after) = (text::fold(name), None);
        let Some(filter) = named_like(name) else { return Ok(None) };
        loop {
            let read = self.list_items(caller, &filter, ItemSort::Created, after.as_ref(), CHUNK);
            let page = read.await?;
            let mut items = page.items.into_iter();
            let found = items.find(|item| item.details.merge_key().name == folded);
            after = page.next;
            if found.is_some() || after.is_none() {
                return Ok(found);
            }
        }
    }

    /// One item of each name that has a word which begins like this, the newest first, used-up goods included.
    pub async fn suggest_items(&self, caller: &Caller, text: &str) -> Result<Vec<Item>> {
        let Some(filter) = named_like(text) else { return Ok(Vec::new()) };
        let page = self.list_items(caller, &filter, ItemSort::Created, None, CHUNK).await?;
        let mut kinds: Vec<Item> = Vec::new();
        for item in page.items {
            let name = item.details.merge_key().name;
            if kinds.iter().all(|kind| kind.details.merge_key().name != name) {
                kinds.push(item);
            }
        }
        Ok(kinds)
    }
}

fn named_like(text: &str) -> Option<ItemFilter> {
    let search = Some(SearchTerm::parse(text)?);
    Some(ItemFilter { search, include_depleted: true, ..ItemFilter::default() })
}
