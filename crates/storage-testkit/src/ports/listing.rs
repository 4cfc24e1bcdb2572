//! Lists: filters, orders and pages, compared with the domain's rules.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{
    CATEGORIES, Expiring, ItemDetails, ItemFilter, ItemPosition, ItemSort, LowProducts,
    SEEDED_LOCATIONS, SearchTerm,
};
use larder_storage::{AddItem, Scope, Write};

use crate::sample::{TODAY, dated, details, quantity};
use crate::{InventoryModel, Random, StoreHarness, seed};

const SORTS: [ItemSort; 3] = [ItemSort::Created, ItemSort::Name, ItemSort::Expiration];
const NAMES: [&str; 9] = [
    "Whole Milk",
    "milk chocolate 50%",
    "トマト缶",
    "ﾄﾏﾄ",
    "_x_",
    "low-fat yoghurt",
    "Äpfel",
    "zucchini",
    "Émile's 🧀",
];

fn random_details(random: &mut Random, n: usize) -> ItemDetails {
    let name = format!("{} {n}", random.pick(&NAMES));
    let amount = *random.pick(&["0", "0.5", "1", "3"]);
    let mut item = match random.below(5) {
        0 => details(&name, amount, "個"),
        day => dated(&name, amount, "個", &format!("2031-01-{:02}", 10 + 2 * day)),
    };
    item.category = random.pick(&CATEGORIES).id;
    item.location = random.chance(70).then(|| random.pick(&SEEDED_LOCATIONS).id);
    item.low_stock_threshold = random.chance(50).then(|| quantity("1"));
    item
}

/// Some items in the store and the model; several of them added at one moment, so that ids decide.
async fn fill(h: &StoreHarness, scope: Scope, random: &mut Random, count: usize) -> InventoryModel {
    let mut model = InventoryModel::default();
    let mut at = h.now();
    for n in 0..count {
        if n % 3 == 0 {
            at += SignedDuration::from_millis(1);
        }
        let write = Write::at(at);
        let mut item = h.item(scope, random_details(random, n));
        (item.created_at, item.updated_at) = (at, at);
        let added = h.store().add_item(scope, &item, write).await.unwrap();
        assert_eq!(added, AddItem::Added(item.clone()));
        model.add(&item, scope.actor(), write);
    }
    model
}

/// Each filter by itself, and some combinations. `low` are the products whose stock is low.
fn filters(low: LowProducts) -> Vec<ItemFilter> {
    let low = Some(Arc::new(low));
    let all = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let search = |text: &str| ItemFilter { search: SearchTerm::parse(text), ..all.clone() };
    vec![
        all.clone(),
        ItemFilter::default(),
        search("MIL"),
        search("50%"),
        search("%"),
        search("_x"),
        search("トマ"),
        search("fat y"),
        search("ilk"),
        ItemFilter { category: Some(CATEGORIES[0].id), ..all.clone() },
        ItemFilter { location: Some(SEEDED_LOCATIONS[1].id), ..all.clone() },
        ItemFilter { expiring: Some(Expiring::Soon), ..all.clone() },
        ItemFilter { expiring: Some(Expiring::Expired), ..all.clone() },
        ItemFilter { low: low.clone(), ..all.clone() },
        ItemFilter { low: low.clone(), ..ItemFilter::default() },
        ItemFilter { only_depleted: true, ..ItemFilter::default() },
        ItemFilter { only_depleted: true, low: low.clone(), ..all.clone() },
        ItemFilter {
            search: SearchTerm::parse("m"),
            expiring: Some(Expiring::Soon),
            ..ItemFilter::default()
        },
        ItemFilter {
            category: Some(CATEGORIES[8].id),
            location: Some(SEEDED_LOCATIONS[4].id),
            expiring: Some(Expiring::Expired),
            low,
            ..all
        },
    ]
}

pub async fn p12_every_filter_and_order_shows_what_the_rules_say(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let seed = seed();
    let model = fill(h, scope, &mut Random::new(seed), 60).await;
    let low = async || h.store().low_products(scope).await.unwrap();
    h.eventually(&model.low_products(), low).await;
    for filter in filters(model.low_products()) {
        for sort in SORTS {
            let expected = (seed, &filter, model.list(&filter, TODAY, sort));
            let read = async || (seed, &filter, h.list(scope, &filter, sort, 200).await);
            h.eventually(&expected, read).await;
        }
    }
}

pub async fn p12_pages_of_every_size_lose_and_repeat_nothing(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let seed = seed();
    let model = fill(h, scope, &mut Random::new(seed), 23).await;
    let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    for filter in [everything, ItemFilter::default()] {
        for sort in SORTS {
            for limit in 1..=24 {
                let expected = (seed, limit, model.list(&filter, TODAY, sort));
                let read = async || (seed, limit, h.list(scope, &filter, sort, limit).await);
                h.eventually(&expected, read).await;
            }
        }
    }
}

pub async fn p12_a_rare_match_is_found_far_down(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let needle = h.add(scope, details("Needle", "1", "個")).await;
    for n in 0..250 {
        h.add(scope, details(&format!("Straw {n}"), "1", "本")).await;
    }
    let filter = ItemFilter { search: SearchTerm::parse("needle"), ..ItemFilter::default() };
    for sort in SORTS {
        let found = vec![needle.clone()];
        h.eventually(&found, async || h.list(scope, &filter, sort, 1).await).await;
    }
}

pub async fn p12_a_page_goes_on_behind_what_is_gone_or_new(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let mut items = Vec::new();
    for name in ["e", "d", "c", "b", "a"] {
        items.push(h.add(scope, details(name, "1", "個")).await);
    }
    items.reverse();
    let filter = ItemFilter::default();
    for sort in SORTS {
        h.eventually(&5, async || h.list(scope, &filter, sort, 50).await.len()).await;
    }
    let position = |sort| ItemPosition::of(&items[1], sort);
    h.store().delete_item(scope, items[1].id, None, h.write()).await.unwrap();
    let newer = h.add(scope, details("0", "1", "個")).await;
    for sort in [ItemSort::Created, ItemSort::Name] {
        let after = position(sort);
        let expected = items[2..].to_vec();
        let read = async || {
            let page = h.store().list_items(scope, &filter, TODAY, sort, Some(&after), 50).await;
            page.unwrap().items
        };
        h.eventually(&expected, read).await;
    }
    let first = vec![newer, items[0].clone()];
    let read = async || {
        let mut list = h.list(scope, &filter, ItemSort::Created, 50).await;
        list.truncate(2);
        list
    };
    h.eventually(&first, read).await;
}

pub async fn p12_an_empty_inventory_is_one_empty_page(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    for sort in SORTS {
        let filter = ItemFilter::default();
        let page = h.store().list_items(scope, &filter, TODAY, sort, None, 50).await.unwrap();
        assert_eq!((page.items, page.next), (vec![], None));
    }
}
