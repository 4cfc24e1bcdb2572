//! Today: what a household should know when somebody comes home.

use std::{cmp::Ordering, sync::Arc};

use jiff::civil::Date;
use larder_domain::{
    Change, Device, Item, ItemPosition, ItemSort, Owner, ShoppingFilter, ShoppingItem,
    ShoppingStatus,
};
use larder_storage::{AtVersion, Cache, Lookup, RecordedChange, StockedProduct};

use crate::{App, Caller, FleetCaller, Result, StockOverview};

/// How many of each are told.
pub(crate) const TOLD: usize = 5;
/// The most entries and devices that are counted.
const COUNTED: usize = 100;
/// The most changes that are kept: some are of the reader, who need not be told.
const MAX_CHANGES: usize = 20;
/// How many inventories are cached, each with some twenty kilobytes of changes.
pub(crate) const MAX_TODAYS: usize = 1000;
/// How far back changes are looked for first, and how much further each time there are too few.
const FIRST_WINDOW: u64 = 64;
const WIDER: u64 = 8;

/// How many there are, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt<T> {
    /// How many; up to a hundred entries are counted.
    pub count: usize,
    /// The first five.
    pub first: Vec<T>,
}

impl<T> Excerpt<T> {
    fn of(all: Vec<T>) -> Self {
        let count = all.len();
        Self { count, first: all.into_iter().take(TOLD).collect() }
    }
}

/// What a household should know today.
#[derive(Debug, Clone)]
pub struct Today {
    /// The day in the household's time zone.
    pub date: Date,
    /// What is in stock.
    pub stock: StockOverview,
    /// The products that are low.
    pub low: Excerpt<StockedProduct>,
    /// What is to be bought.
    pub shopping: Excerpt<ShoppingItem>,
    /// What was done to the stock, the list and the members, the newest
    /// first: up to twenty changes.
    pub activity: Arc<[RecordedChange]>,
}

/// By inventory, valid until the next change in it, according to the store, or the next day.
pub(crate) type TodayCache = Cache<Owner, Today, AtVersion<(u64, Date)>>;

impl App {
    /// What the caller's household should know today.
    pub async fn today(&self, caller: &Caller) -> Result<Today> {
        let (owner, date) = (caller.owner(), caller.today(self.now()));
        // Before the rest: a change meanwhile makes it that of an older list.
        let Some(list) = self.list_version(caller).await? else {
            return self.look_at(caller, date).await;
        };
        match self.todays.look_up(&owner, AtVersion((list, date))) {
            Lookup::Hit(today) => Ok(today),
            Lookup::Miss(ticket) => {
                let today = self.look_at(caller, date).await?;
                self.todays.insert(ticket, owner, today.clone());
                Ok(today)
            }
        }
    }

    /// The household's devices, most recently seen first.
    pub async fn devices_today(&self, caller: &Caller) -> Result<Vec<Device>> {
        Ok(self.devices(&FleetCaller::Person(caller.clone()), None, COUNTED).await?.items)
    }

    async fn look_at(&self, caller: &Caller, date: Date) -> Result<Today> {
        let stock = self.stock_overview(caller).await?;
        let mut low: Vec<_> = stock.low.ids().collect();
        low.sort_unstable();
        let mut first = Vec::new();
        for id in low.iter().take(TOLD) {
            first.push(self.product(caller, *id).await?);
        }
        let pending = ShoppingFilter { store: None, status: Some(ShoppingStatus::Pending) };
        let shopping = self.shopping_list(caller, &pending, None, COUNTED).await?;
        Ok(Today {
            date,
            low: Excerpt { count: low.len(), first },
            shopping: Excerpt::of(shopping.items),
            activity: self.newest_changes(caller).await?.into(),
            stock,
        })
    }

    /// The newest changes that people care about. The store reads forward only: windows from ever
    /// further back are read until there are enough.
    async fn newest_changes(&self, caller: &Caller) -> Result<Vec<RecordedChange>> {
        let head = self.changes_head(caller).await?;
        let (mut newest, mut window) = (Vec::new(), FIRST_WINDOW);
        loop {
            let mut after = head.saturating_sub(window);
            let mut found = Vec::new();
            loop {
                let Some(read) = self.changes_after(caller, after, COUNTED).await? else {
                    return Ok(newest);
                };
                found.extend(read.changes.into_iter().filter(|it| is_of_interest(&it.change)));
                if !read.more {
                    break;
                }
                after = read.read_to;
            }
            found.reverse();
            found.truncate(MAX_CHANGES);
            newest = found;
            if newest.len() >= TOLD || window >= head {
                return Ok(newest);
            }
            window = window.saturating_mul(WIDER);
        }
    }
}

/// What follows from something else is not told beside it.
const fn is_of_interest(change: &Change) -> bool {
    matches!(change, Change::Item(_) | Change::Shopping(_) | Change::Member(_))
}

/// The first of a list by the day that counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstToExpire(Vec<Item>);

impl FirstToExpire {
    pub(crate) fn meet(&mut self, item: &Item) {
        let position = |item: &Item| ItemPosition::of(item, ItemSort::Expiration);
        let before = |other: &Item| {
            position(other).partial_cmp(&position(item)).is_some_and(Ordering::is_lt)
        };
        let at = self.0.partition_point(before);
        if at < TOLD {
            self.0.insert(at, item.clone());
            self.0.truncate(TOLD);
        }
    }

    pub(crate) fn into_items(self) -> Arc<[Item]> {
        self.0.into()
    }
}
