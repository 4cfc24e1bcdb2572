//! Suggestions of what to buy: what is low, what is used up, what was bought recently, and the names
//! of other items of the stock.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use larder_app::{App, AppError, Caller, StockOverview};
use larder_domain::{Item, ItemFilter, ItemSort, ShoppingName, StockView};

/// The maximum number of suggested names. More would not help, and make the page large.
const MOST_NAMES: usize = 200;
/// The number of low items that are read, and of used-up ones.
const MOST_READ: usize = 50;
/// The number of tiles: two screens of a phone, side by side.
const MOST_TILES: usize = 12;
/// So long something counts as bought recently.
const RECENT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Items to suggest.
pub(super) struct Suggestions {
    low: Vec<Item>,
    used_up: Vec<Item>,
    known: Vec<Item>,
}

/// Why something is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Low,
    UsedUp,
    Recent,
}

/// Something to add to the list with one press.
pub(super) struct Tile<'a> {
    pub(super) item: &'a Item,
    /// The name of an item may be too long for the list.
    pub(super) name: String,
    pub(super) why: Why,
}

impl Suggestions {
    pub(super) async fn read(app: &App, caller: &Caller) -> Result<Self, AppError> {
        let known = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        // The newest, because other orders scan the whole inventory.
        let read = async |filter: &ItemFilter, limit| {
            let page = app.list_items(caller, filter, ItemSort::Created, None, limit).await;
            page.map(|page| page.items)
        };
        let mut found = Vec::new();
        // Skipped if there are none, because searching for them would scan the whole inventory,
        // too.
        let StockOverview { counts, low, .. } = app.stock_overview(caller).await?;
        if counts.of(StockView::Low) > 0 {
            let low = ItemFilter { low: Some(low), ..known.clone() };
            found = read(&low, MOST_READ).await?;
            found.sort_by_cached_key(|item| item.details.merge_key().name);
        }
        let mut used_up = Vec::new();
        if counts.of(StockView::Depleted) > 0 {
            let depleted = ItemFilter { only_depleted: true, ..known.clone() };
            used_up = read(&depleted, MOST_READ).await?;
        }
        let known = read(&known, MOST_NAMES).await?;
        // A product is used up if none of its lots is left.
        let at_hand = known.iter().filter(|item| !item.details.is_depleted());
        let at_hand: BTreeSet<_> = at_hand.filter_map(|item| item.product).collect();
        used_up.retain(|item| !item.product.is_some_and(|product| at_hand.contains(&product)));
        if known.len() == MOST_NAMES {
            used_up.truncate(MOST_TILES);
            let products: Vec<_> = used_up.iter().filter_map(|item| item.product).collect();
            let present = app.stock_rows(caller, &products, &ItemFilter::default()).await?;
            used_up.retain(|item| !present.iter().any(|row| Some(row.product) == item.product));
        }
        Ok(Self { low: found, used_up, known })
    }

    /// All of them, low ones first.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.low.iter().chain(&self.known)
    }

    /// One item of each name.
    pub(super) fn names(&self) -> Vec<&Item> {
        let mut seen = BTreeSet::new();
        let is_new = |item: &&Item| seen.insert(item.details.merge_key().name);
        self.items().filter(is_new).take(MOST_NAMES).collect()
    }

    /// One tile for each name that is not among these: what is needed most comes first.
    pub(super) fn tiles(&self, mut seen: BTreeSet<String>, now: Timestamp) -> Vec<Tile<'_>> {
        let since = now.saturating_sub(RECENT).unwrap_or(Timestamp::MIN);
        let recent = self.known.iter().filter(|item| item.created_at > since);
        let offered = [
            (Why::Low, self.low.iter().collect::<Vec<_>>()),
            (Why::UsedUp, self.used_up.iter().collect()),
            (Why::Recent, recent.collect()),
        ];
        let offered = offered
            .into_iter()
            .flat_map(|(why, items)| items.into_iter().map(move |item| (why, item)));
        offered
            .filter(|(_, item)| seen.insert(item.details.merge_key().name))
            .map(|(why, item)| {
                let name = item.details.name.as_str().trim();
                Tile { item, name: name.chars().take(ShoppingName::MAX_CHARS).collect(), why }
            })
            .take(MOST_TILES)
            .collect()
    }
}
