//! The stock of entries on the shopping list.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use larder_domain::{ItemDetails, ItemFilter, ItemId, ItemName, ItemSort, ShoppingItem, text};

use crate::{App, AppError, Caller, Result};

/// So much of the stock is read at once.
const CHUNK: usize = 1000;

/// The stock of shopping entries, including used-up items.
#[derive(Debug, Default)]
pub struct EntryStock {
    linked: BTreeMap<ItemId, ItemDetails>,
    /// By the folded name.
    named: BTreeMap<String, ItemDetails>,
}

impl EntryStock {
    /// The item that the entry restocks, or the newest of the same name, or what is known of it.
    pub fn find(&self, entry: &ShoppingItem) -> Option<&ItemDetails> {
        match entry.item {
            Some(item) => self.linked.get(&item),
            None => self.named.get(&text::fold(entry.details.name.as_str())),
        }
    }
}

impl App {
    /// The stock of these entries. Reads the stock once for all names, because they may be many.
    pub async fn stock_of_entries<'a>(
        &self,
        caller: &Caller,
        entries: impl Iterator<Item = &'a ShoppingItem>,
    ) -> Result<EntryStock> {
        let (mut ids, mut names) = (BTreeSet::new(), BTreeSet::new());
        for entry in entries {
            match entry.item {
                Some(item) => ids.insert(item),
                None => names.insert(text::fold(entry.details.name.as_str())),
            };
        }
        let find = async |id: ItemId| match self.item(caller, id).await {
            Ok(item) => Ok(Some((id, item.details))),
            Err(AppError::ItemNotFound) => Ok(None),
            Err(error) => Err(error),
        };
        let linked = try_join_all(ids.into_iter().map(find)).await?;
        let linked = linked.into_iter().flatten().collect();
        let mut stock = EntryStock { linked, named: BTreeMap::new() };
        let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let mut after = None;
        while !names.is_empty() {
            let read = self.list_items(caller, &filter, ItemSort::Created, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in page.items {
                let name = item.details.merge_key().name;
                if names.remove(&name) {
                    stock.named.insert(name, item.details);
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        // What is not in stock at the moment, a product may still know.
        let known = names.into_iter().map(async |name| -> Result<_> {
            let Ok(item_name) = ItemName::parse_stored(&name) else { return Ok(None) };
            let product = self.product_named(caller, &item_name).await?;
            Ok(product.map(|product| (name, product.details.empty_lot())))
        });
        stock.named.extend(try_join_all(known).await?.into_iter().flatten());
        Ok(stock)
    }
}
