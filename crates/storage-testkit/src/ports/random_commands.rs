//! Random sequences of commands give the same answers as the domain's rules applied to a list.

use std::sync::Arc;

use jiff::civil::{Date, date};
use larder_domain::{
    CATEGORIES, Delta, Expiring, Item, ItemDetails, ItemFilter, ItemId, ItemSort, Opening,
    OpeningDate, Price, ProductDetails, ProductFilter, ProductId, ProductSort, Quantity,
    SEEDED_LOCATIONS, ShelfLife, Unit,
};
use larder_storage::{ReplaceProduct, Scope, StockedProduct, Write};

use super::products::resume;
use crate::sample::{TODAY, barcode, dated, details, location, quantity as amount, shop};
use crate::store_harness::personal;
use crate::{InventoryModel, Random, StoreHarness, seed};

const SEQUENCES: u64 = 6;
const COMMANDS: usize = 120;
const NAMES: [&str; 5] = ["Milk", "MILK ", "ｍｉｌｋ", "Rice", "米"];
const AMOUNTS: [&str; 6] = ["0", "0.01", "1", "2.5", "500", "99999999.99"];
const UNITS: [&str; 4] = ["kg", "g", "グラム", "個"];
const DATES: [&str; 2] = ["2031-01-15", "2031-02-01"];
/// When things are opened: before they expire, so that some keep less long from then on.
const OPENING_DAY: Date = date(2031, 1, 10);
/// More than a sequence makes products.
const ALL: usize = 1000;

struct Session<'a> {
    h: &'a StoreHarness,
    scope: Scope,
    random: Random,
    model: InventoryModel,
    /// All ids ever used, so that commands also refer to deleted items.
    ids: Vec<ItemId>,
    own: Option<ItemDetails>,
}

impl Session<'_> {
    fn details(&mut self) -> ItemDetails {
        let random = &mut self.random;
        let (name, unit) = (*random.pick(&NAMES), *random.pick(&UNITS));
        let amount = *random.pick(&AMOUNTS);
        let mut item = match random.below(2) {
            0 => details(name, amount, unit),
            _ => dated(name, amount, unit, random.pick::<&str>(&DATES)),
        };
        item.opened_on = random.chance(50).then(|| OpeningDate::parse(DATES[0]).unwrap());
        item.price_paid =
            random.chance(50).then(|| Price::parse(random.pick::<&str>(&AMOUNTS)).unwrap());
        item.location = match random.below(10) {
            0 => Some(self.h.location_id()),
            1..4 => Some(random.pick(&SEEDED_LOCATIONS).id),
            4..6 => self.own.as_ref().and_then(|own| own.location),
            _ => None,
        };
        item.preferred_store = match random.below(10) {
            0 => Some(self.h.store_id()),
            1..3 => self.own.as_ref().and_then(|own| own.preferred_store),
            _ => None,
        };
        item
    }

    fn id(&mut self) -> ItemId {
        if self.ids.is_empty() || self.random.chance(5) {
            return self.h.item_id();
        }
        *self.random.pick(&self.ids)
    }

    fn product_id(&mut self) -> ProductId {
        let id = self.id();
        let product = self.model.find(id).and_then(|item| item.product);
        product.unwrap_or_else(|| ProductId::of_lot(id, 1))
    }

    async fn product_step(&mut self, context: &str) {
        let (h, scope) = (self.h, self.scope);
        let (store, write, by) = (h.store(), h.write(), scope.actor());
        let id = self.product_id();
        match self.random.below(4) {
            0 => {
                let expected = self.model.delete_product(id);
                let answer = store.delete_product(scope, id, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: delete product {id}");
            }
            1 => {
                let (quantity, unit) = (*self.random.pick(&AMOUNTS), *self.random.pick(&UNITS));
                let unit = self.random.chance(80).then(|| Unit::parse(unit).unwrap());
                let (quantity, unit) = (amount(quantity), unit.as_ref());
                let expected = self.model.consume(id, quantity, unit, by, write);
                let answer = store.consume(scope, id, quantity, unit, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: take {quantity} {unit:?} of {id}");
            }
            _ => {
                let said = ProductDetails::of_lot(&self.details());
                let current = self.model.find_product(id).map(|found| found.product);
                let version = current.as_ref().map_or(1, |product| product.version);
                let version = if self.random.chance(15) { version + 1 } else { version };
                let known = current.map_or_else(|| said.clone(), |product| product.details);
                let shelf_life = ShelfLife::from_days(1 + self.random.below(9) as u64).ok();
                // One more, or one less: an engine with small transactions can do no more.
                let code = barcode(*self.random.pick(&[1, 2, 3, 4, 5]));
                let barcodes = if known.barcodes.contains(&code) {
                    known.barcodes.filtered(|it| *it != code)
                } else {
                    known.barcodes.with([code]).unwrap()
                };
                let opened_shelf_life = self.random.chance(70).then_some(shelf_life).flatten();
                let details = ProductDetails {
                    shelf_life,
                    opened_shelf_life,
                    unit: if self.random.chance(20) { said.unit.clone() } else { known.unit },
                    barcodes,
                    ..said
                };
                let join = self.random.chance(50);
                if h.can_be_stopped() && self.random.chance(30) {
                    return self.interrupted(id, version, &details, join, write, context).await;
                }
                let expected = self.model.replace_product(id, version, &details, join, by, write);
                let answer = store.replace_product(scope, id, version, &details, join, write).await;
                assert_eq!(answer.unwrap(), expected, "{context}: replace {id} by {details:?}");
            }
        }
    }

    /// Changes a product in a process that ends after some transactions; others finish what it has
    /// begun. Then either nothing has happened or all of it.
    async fn interrupted(
        &mut self,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
        context: &str,
    ) {
        let (h, scope) = (self.h, self.scope);
        let transactions = self.random.below(4);
        let context =
            format!("{context}: replace {id} by {details:?}, {transactions} transactions");
        let mut after = self.model.clone();
        let expected = after.replace_product(id, version, details, join, scope.actor(), write);
        let found = |stocked: Option<StockedProduct>| stocked.map(|stocked| stocked.product);
        let before = found(self.model.find_product(id));
        let change = h.store().replace_product(scope, id, version, details, join, write);
        let outcome = h.stopped_after(transactions, change).await;
        let now = found(h.store().find_product(scope, id).await.unwrap());
        let is_change = matches!(expected, ReplaceProduct::Replaced(_) | ReplaceProduct::Joined(_));
        if is_change && now != before {
            assert_eq!(now, found(after.find_product(id)), "{context}");
            self.model = after;
        } else {
            assert_eq!(now, before, "{context}");
            if let Ok(answer) = outcome {
                assert_eq!(answer, expected, "{context}");
            }
        }
        let expected = self.model.list_products(&ProductFilter::default(), ProductSort::Name);
        let listed = async || h.list_products(scope, ProductSort::Name, ALL).await;
        resume(h, async || listed().await == expected).await;
    }

    /// Opens a part of a lot or all of it, as the app does.
    async fn open(&mut self, context: &str) {
        let (h, scope) = (self.h, self.scope);
        let (store, write, by) = (h.store(), h.write(), scope.actor());
        let id = self.id();
        let Some(current) = self.model.find(id).cloned() else { return };
        let hundredths = i64::try_from(1 + self.random.below(300)).unwrap();
        let part = Quantity::from_hundredths(hundredths).unwrap();
        let part = self.random.chance(80).then_some(part);
        match current.details.open(part, OPENING_DAY) {
            Err(_) | Ok(Opening::Nothing) => {}
            Ok(Opening::Whole(details)) => {
                let version = current.version;
                let expected = self.model.replace(id, version, &details, false, by, write);
                let answer = store.replace_item(scope, id, version, &details, false, write).await;
                assert_eq!(answer.unwrap(), expected, "{context}: open {id}");
            }
            Ok(Opening::Part { rest, opened }) => {
                let rest = current.changed(rest, by, write.at);
                let lot = Item::new(h.item_id(), current.owner, opened, by, write.at);
                self.ids.push(lot.id);
                let expected = self.model.split(&rest, &lot, by, write);
                let answer = store.split_item(scope, &rest, &lot, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: open {part:?} of {id}");
            }
        }
    }

    async fn step(&mut self, context: &str) {
        let (h, scope) = (self.h, self.scope);
        let (store, write, by) = (h.store(), h.write(), scope.actor());
        match self.random.below(15) {
            9..12 => self.product_step(context).await,
            12..14 => self.open(context).await,
            0..4 => {
                let item = h.item(scope, self.details());
                self.ids.push(item.id);
                let expected = self.model.add(&item, by, write);
                let answer = store.add_item(scope, &item, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: add {item:?}");
            }
            4..7 => {
                let id = self.id();
                let hundredths = self.random.below(2001);
                let delta = i64::try_from(hundredths).unwrap() - 1000;
                let Ok(delta) = Delta::from_hundredths(delta) else { return };
                let expected = self.model.adjust(id, delta, by, write);
                let answer = store.adjust_item(scope, id, delta, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: adjust {id} by {delta}");
            }
            7..9 => {
                let (id, details, merge) = (self.id(), self.details(), self.random.chance(50));
                let current = self.model.find(id).map_or(1, |item| item.version);
                let version = if self.random.chance(15) { current + 1 } else { current };
                let expected = self.model.replace(id, version, &details, merge, by, write);
                let answer = store.replace_item(scope, id, version, &details, merge, write).await;
                assert_eq!(answer.unwrap(), expected, "{context}: replace {id} by {details:?}");
            }
            _ => {
                let id = self.id();
                let current = self.model.find(id).map_or(1, |item| item.version);
                let version = match self.random.below(3) {
                    0 => None,
                    1 => Some(current),
                    _ => Some(current + 1),
                };
                let expected = self.model.delete(id, version);
                let answer = store.delete_item(scope, id, version, write).await.unwrap();
                assert_eq!(answer, expected, "{context}: delete {id} at {version:?}");
            }
        }
    }
}

/// Filters of which each leaves out some lots of some products.
fn lot_filters(session: &Session<'_>) -> Vec<ItemFilter> {
    let all = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let low = Arc::new(session.model.low_products());
    let own = session.own.as_ref().and_then(|own| own.location);
    vec![
        ItemFilter::default(),
        ItemFilter { only_depleted: true, ..ItemFilter::default() },
        ItemFilter { expiring: Some(Expiring::Soon), ..ItemFilter::default() },
        ItemFilter { expiring: Some(Expiring::Expired), ..ItemFilter::default() },
        ItemFilter { location: own, ..ItemFilter::default() },
        ItemFilter { category: Some(CATEGORIES[0].id), ..all.clone() },
        ItemFilter { low: Some(low), ..all.clone() },
        all,
    ]
}

pub async fn p19_random_commands_answer_as_the_rules_say(h: &StoreHarness) {
    for n in 0..h.scaled(&[SEQUENCES], &[SEQUENCES / 2])[0] {
        let seed = seed() + n;
        let context = format!("seed {seed}");
        let mut model = InventoryModel::default();
        // Personal inventories have no places of their own.
        let (scope, own) = if n % 2 == 0 {
            let home = h.home().await;
            let (cellar, market) =
                (location(h.location_id(), "Cellar"), shop(h.store_id(), "Market"));
            h.store().add_location(home.scope, &cellar, h.write()).await.unwrap();
            h.store().add_store(home.scope, &market, h.write()).await.unwrap();
            model.add_location(cellar.id);
            model.add_store(market.id);
            let mut own = details("own", "1", "個");
            (own.location, own.preferred_store) = (Some(cellar.id), Some(market.id));
            (home.inventory(), Some(own))
        } else {
            (personal(h.user().await.id), None)
        };
        let random = Random::new(seed);
        let mut session = Session { h, scope, random, model, ids: Vec::new(), own };
        for step in 0..COMMANDS {
            session.step(&format!("{context}, step {step}")).await;
        }
        for item in session.model.items() {
            assert_eq!(h.find(scope, item.id).await.as_ref(), Some(item), "{context}");
        }
        for sort in [ProductSort::Name, ProductSort::Total] {
            let expected = session.model.list_products(&ProductFilter::default(), sort);
            assert_eq!(h.list_products(scope, sort, 3).await, expected, "{context}: {sort:?}");
        }
        let filters = lot_filters(&session);
        for sort in [ItemSort::Created, ItemSort::Name, ItemSort::Expiration] {
            for filter in &filters {
                let expected = session.model.list_lots(filter, TODAY, sort);
                let read = async || h.list_lots(scope, filter, sort, 3).await;
                h.eventually(&expected, read).await;
            }
        }
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        for sort in [ItemSort::Created, ItemSort::Name, ItemSort::Expiration] {
            let expected = session.model.list(&everything, TODAY, sort);
            h.eventually(&expected, async || h.list(scope, &everything, sort, 7).await).await;
        }
    }
}
