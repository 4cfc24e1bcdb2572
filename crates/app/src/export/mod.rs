//! Exports: everything that somebody may see, written piece by piece. docs/export.md says what is in them.

mod csv;
mod pieces;
mod rows;

pub use pieces::{Interrupted, Pieces};

use larder_domain::{
    HardwareId, ItemFilter, ItemSort, NotificationFilter, Owner, ProductFilter, ProductSort,
    ShoppingFilter,
};
use larder_storage::{ReadingRange, Scope};
use serde::Serialize;
use serde_json::json;

use crate::{App, AppError, Caller, FleetCaller, authorize, demo};

/// How many rows are read at once, which is all that is ever in memory.
const AT_ONCE: usize = 100;
/// The same for readings, which are small.
const READINGS_AT_ONCE: usize = 1000;

/// What a table can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportTable {
    /// Every item of the inventory, used-up goods included.
    Items,
    /// Every entry of the shopping list.
    ShoppingList,
}

/// Reads all pages of `$read`, which begins after `$after`, and does `$each` with every page.
macro_rules! each_page {
    ($after:ident => $read:expr, $page:ident => $each:expr) => {{
        let mut position = None;
        loop {
            let $after = position.as_ref();
            let $page = $read.await?;
            $each;
            match $page.next {
                Some(next) => position = Some(next),
                None => break,
            }
        }
    }};
}

/// One line of the export: what it is, and what there is to say about it.
#[derive(Serialize)]
struct Line<'a, T> {
    r#type: &'a str,
    #[serde(flatten)]
    row: T,
}

impl App {
    /// Writes everything that the caller may see of their own and of their household, one JSON object in each line.
    pub async fn export(&self, caller: &Caller, to: &Pieces) -> Result<(), Interrupted> {
        let head = json!({
            "format": "larder-export", "version": 2, "exportedAt": rows::moment(self.now()),
        });
        write(to, "export", [head]).await?;
        write(to, "user", [rows::user(caller.user())]).await?;
        if authorize::find_household(caller).is_some() {
            self.export_household(caller, to).await?;
        }
        self.export_items(authorize::inventory(caller), caller, to).await?;
        if caller.owner() != Owner::User(caller.user_id()) {
            self.export_items(authorize::own_inventory(caller), caller, to).await?;
        }
        Ok(())
    }

    async fn export_household(&self, caller: &Caller, to: &Pieces) -> Result<(), Interrupted> {
        let household = rows::household(&self.household(caller).await?, caller.sees_keys());
        write(to, "household", [household]).await?;
        write(to, "member", self.members(caller).await?.iter().map(rows::entity)).await?;
        let locations = self.locations(caller).await?;
        write(to, "storageLocation", locations.iter().map(rows::entity)).await?;
        write(to, "store", self.stores(caller).await?.iter().map(rows::entity)).await?;
        let all = ShoppingFilter::default();
        each_page!(after => self.shopping_list(caller, &all, after, AT_ONCE), page => {
            write(to, "shoppingItem", page.items.iter().map(rows::entity)).await?;
        });
        let all = NotificationFilter::default();
        each_page!(after => self.notifications(caller, all, after, AT_ONCE), page => {
            write(to, "notification", page.items.iter().map(rows::entity)).await?;
        });
        if caller.is_admin() {
            each_page!(after => self.tags(caller, after, AT_ONCE), page => {
                write(to, "tag", page.items.iter().map(rows::tag)).await?;
            });
        }
        let fleet = FleetCaller::Person(caller.clone());
        each_page!(after => self.devices(&fleet, after, AT_ONCE), page => {
            write(to, "device", page.items.iter().map(rows::device)).await?;
        });
        each_page!(after => self.resources(caller, None, after, AT_ONCE), page => {
            let things = || page.items.iter().filter(|it| !demo::is_record(&it.urn));
            write(to, "resource", things().map(rows::thing)).await?;
            for collection in things().map(|resource| &resource.urn) {
                each_page!(
                    member => self.collection_members(caller, collection, member, AT_ONCE),
                    members => {
                        let row = |member| rows::membership(collection, member);
                        write(to, "membership", members.items.iter().map(row)).await?;
                    }
                );
            }
        });
        Ok(())
    }

    /// Products, then items, each with its history.
    async fn export_items(
        &self,
        scope: Scope,
        caller: &Caller,
        to: &Pieces,
    ) -> Result<(), Interrupted> {
        let (all, by_name) = (ProductFilter::default(), ProductSort::Name);
        each_page!(
            after => self.storage.list_products(scope, &all, by_name, after, AT_ONCE),
            page => {
                let products = page.items.iter().map(|stocked| rows::entity(&stocked.product));
                write(to, "product", products).await?;
            }
        );
        let (filter, today) = (every_item(), caller.today(self.now()));
        let sort = ItemSort::Created;
        each_page!(
            after => self.storage.list_items(scope, &filter, today, sort, after, AT_ONCE),
            page => for item in &page.items {
                let mut history = Vec::new();
                each_page!(
                    before => self.storage.item_history(scope, item.id, before.copied(), AT_ONCE),
                    changes => history.extend(changes.items.iter().map(rows::change))
                );
                write(to, "item", [rows::item(item, history)]).await?;
            }
        );
        Ok(())
    }

    /// Writes a table for spreadsheets. Without rows it is empty.
    pub async fn export_table(
        &self,
        caller: &Caller,
        table: ExportTable,
        to: &Pieces,
    ) -> Result<(), Interrupted> {
        let mut needs_header = true;
        // Both are the same but for what they read.
        macro_rules! write_table {
            ($after:ident => $read:expr) => {
                each_page!($after => $read, page => {
                    let first = page.items.first().filter(|_| needs_header);
                    let mut piece = first.map(csv::header).unwrap_or_default();
                    needs_header = needs_header && first.is_none();
                    piece.extend(page.items.iter().map(csv::row));
                    to.send(piece).await?;
                })
            };
        }
        match table {
            ExportTable::Items => {
                let (filter, sort) = (every_item(), ItemSort::Created);
                write_table!(after => self.list_items(caller, &filter, sort, after, AT_ONCE));
            }
            ExportTable::ShoppingList => {
                let filter = ShoppingFilter::default();
                write_table!(after => self.shopping_list(caller, &filter, after, AT_ONCE));
            }
        }
        Ok(())
    }

    /// Writes everything that a device has sent and that is still kept as a table, oldest first.
    pub async fn export_readings(
        &self,
        caller: &FleetCaller,
        device: HardwareId,
        to: &Pieces,
    ) -> Result<(), Interrupted> {
        to.send(csv::READING_HEADER.to_owned()).await?;
        let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
        each_page!(
            after => self.readings(caller, device, range, after, READINGS_AT_ONCE),
            page => {
                let mut piece = String::new();
                page.items.iter().for_each(|reading| csv::reading(&mut piece, reading));
                to.send(piece).await?;
            }
        );
        Ok(())
    }
}

fn every_item() -> ItemFilter {
    ItemFilter { include_depleted: true, ..ItemFilter::default() }
}

/// Writes rows of one type, one in each line.
async fn write<T: Serialize>(
    to: &Pieces,
    r#type: &str,
    rows: impl IntoIterator<Item = T>,
) -> Result<(), Interrupted> {
    let mut piece = String::new();
    for row in rows {
        let line = serde_json::to_string(&Line { r#type, row })
            .map_err(|error| AppError::Defect(format!("row not written: {error}")))?;
        piece.push_str(&line);
        piece.push('\n');
    }
    to.send(piece).await
}
