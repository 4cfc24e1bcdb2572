//! The contents of the demo data, in every language of the pages.

use jiff::{ToSpan as _, civil::Date};
use larder_domain::{
    CATEGORIES, ExpirationDate, ItemDetails, ItemName, Language, Quantity, SEEDED_LOCATIONS,
    StorageLocationId, StoreId, Unit,
};

use crate::{AppError, Result};

/// A text in English and in Japanese.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text(&'static str, &'static str);

impl Text {
    pub(super) const fn get(self, language: Language) -> &'static str {
        match language {
            Language::English => self.0,
            Language::Japanese => self.1,
        }
    }
}

/// The name of the record.
pub(super) const RECORD: Text = Text("Demo data", "デモデータ");

/// Shops.
pub(super) const STORES: [Text; 3] = [
    Text("Demo supermarket", "デモスーパー"),
    Text("Demo greengrocer", "デモ八百屋"),
    Text("Demo drugstore", "デモドラッグストア"),
];
const SUPERMARKET: Option<usize> = Some(0);
const GREENGROCER: Option<usize> = Some(1);
const DRUGSTORE: Option<usize> = Some(2);

/// Storage locations in addition to the predefined ones.
pub(super) const LOCATIONS: [Text; 1] = [Text("Demo cellar", "デモ床下収納")];

/// A storage location.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// In one of [`SEEDED_LOCATIONS`].
    Seeded(usize),
    /// In one of [`LOCATIONS`].
    Own(usize),
}

const FRIDGE: Place = Place::Seeded(0);
const FREEZER: Place = Place::Seeded(1);
const PANTRY: Place = Place::Seeded(2);
const SHELF: Place = Place::Seeded(3);
const CELLAR: Place = Place::Own(0);

/// Something in the cupboard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Good {
    name: Text,
    quantity: &'static str,
    unit: Text,
    /// How many days from today on it is good.
    days: Option<i64>,
    /// The place in [`CATEGORIES`].
    category: usize,
    place: Place,
    threshold: Option<&'static str>,
    /// The place in [`STORES`].
    store: Option<usize>,
}

impl Good {
    const fn new(
        name: Text,
        (quantity, unit): (&'static str, Text),
        days: Option<i64>,
        category: usize,
        place: Place,
    ) -> Self {
        Self { name, quantity, unit, days, category, place, threshold: None, store: None }
    }

    const fn wanted(self, threshold: &'static str, store: Option<usize>) -> Self {
        Self { threshold: Some(threshold), store, ..self }
    }

    /// The item, seen from this day, with the places that could be made.
    pub(super) fn details(
        &self,
        language: Language,
        today: Date,
        locations: &[Option<StorageLocationId>],
        stores: &[Option<StoreId>],
    ) -> Result<ItemDetails> {
        let quantity = |text| Quantity::parse(text).map_err(broken);
        let expires = |days: i64| {
            let date = today.saturating_add(days.days());
            ExpirationDate::parse(&date.to_string()).map_err(broken)
        };
        let name = ItemName::parse(self.name.get(language)).map_err(broken)?;
        let unit = Unit::parse(self.unit.get(language)).map_err(broken)?;
        Ok(ItemDetails {
            expiration: self.days.map(expires).transpose()?,
            category: CATEGORIES[self.category].id,
            location: match self.place {
                Place::Seeded(at) => Some(SEEDED_LOCATIONS[at].id),
                Place::Own(at) => locations[at],
            },
            low_stock_threshold: self.threshold.map(quantity).transpose()?,
            preferred_store: self.store.and_then(|at| stores[at]),
            ..ItemDetails::new(name, quantity(self.quantity)?, unit)
        })
    }
}

/// Our own tables break a rule of the domain.
pub(super) fn broken(error: impl std::fmt::Display) -> AppError {
    AppError::Defect(format!("demo data is broken: {error}"))
}

const PIECES: Text = Text("pcs", "個");
const STICKS: Text = Text("pcs", "本");
const KILOGRAMS: Text = Text("kg", "kg");
const GRAMS: Text = Text("g", "g");
const LITRES: Text = Text("L", "L");

const VEGETABLES: usize = 0;
const FRUITS: usize = 1;
const MEAT: usize = 2;
const SEAFOOD: usize = 3;
const DAIRY: usize = 4;
const CONDIMENTS: usize = 5;
const BEVERAGES: usize = 6;
const HOUSEHOLD: usize = 7;
const OTHER: usize = 8;

/// The stock: every category, with some items low, expired or used up.
pub(super) const ITEMS: [Good; 22] = [
    Good::new(Text("Milk", "牛乳"), ("1", LITRES), Some(2), DAIRY, FRIDGE).wanted("2", SUPERMARKET),
    Good::new(Text("Yoghurt", "ヨーグルト"), ("4", PIECES), Some(-2), DAIRY, FRIDGE),
    Good::new(Text("Butter", "バター"), ("200", GRAMS), Some(40), DAIRY, FRIDGE),
    Good::new(Text("Eggs", "卵"), ("6", PIECES), Some(8), OTHER, FRIDGE).wanted("4", SUPERMARKET),
    Good::new(Text("Carrots", "にんじん"), ("3", STICKS), Some(6), VEGETABLES, FRIDGE),
    Good::new(
        Text("Spinach", "ほうれん草"),
        ("1", Text("bunch", "束")),
        Some(1),
        VEGETABLES,
        FRIDGE,
    ),
    Good::new(Text("Onions", "玉ねぎ"), ("5", PIECES), None, VEGETABLES, CELLAR)
        .wanted("3", GREENGROCER),
    Good::new(Text("Potatoes", "じゃがいも"), ("2.5", KILOGRAMS), Some(30), VEGETABLES, CELLAR),
    Good::new(Text("Apples", "りんご"), ("4", PIECES), Some(9), FRUITS, SHELF),
    Good::new(Text("Bananas", "バナナ"), ("5", STICKS), Some(3), FRUITS, SHELF),
    Good::new(Text("Chicken thighs", "鶏もも肉"), ("0.6", KILOGRAMS), Some(0), MEAT, FRIDGE),
    Good::new(Text("Minced meat", "ひき肉"), ("0.5", KILOGRAMS), Some(60), MEAT, FREEZER),
    Good::new(Text("Salmon", "鮭"), ("2", Text("fillets", "切れ")), Some(45), SEAFOOD, FREEZER),
    Good::new(Text("Soy sauce", "しょうゆ"), ("0.4", LITRES), Some(120), CONDIMENTS, PANTRY)
        .wanted("0.5", SUPERMARKET),
    Good::new(Text("Olive oil", "オリーブオイル"), ("0.75", LITRES), Some(200), CONDIMENTS, PANTRY),
    Good::new(Text("Ketchup", "ケチャップ"), ("1", STICKS), Some(-10), CONDIMENTS, FRIDGE),
    Good::new(Text("Orange juice", "オレンジジュース"), ("2", LITRES), Some(12), BEVERAGES, FRIDGE),
    Good::new(Text("Green tea", "緑茶"), ("0", Text("bags", "袋")), Some(180), BEVERAGES, PANTRY)
        .wanted("1", SUPERMARKET),
    Good::new(Text("Rice", "米"), ("3", KILOGRAMS), None, OTHER, PANTRY).wanted("5", SUPERMARKET),
    Good::new(Text("Spaghetti", "スパゲッティ"), ("1", KILOGRAMS), Some(300), OTHER, PANTRY),
    Good::new(
        Text("Toilet paper", "トイレットペーパー"),
        ("4", Text("rolls", "ロール")),
        None,
        HOUSEHOLD,
        SHELF,
    )
    .wanted("6", DRUGSTORE),
    Good::new(Text("Dish soap", "食器用洗剤"), ("1", STICKS), None, HOUSEHOLD, SHELF)
        .wanted("1", DRUGSTORE),
];

/// Something to buy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    pub(super) name: Text,
    /// The index in [`ITEMS`] of the linked item.
    pub(super) item: Option<usize>,
    /// The place in [`STORES`].
    pub(super) store: Option<usize>,
    pub(super) count: u64,
}

const fn wish(name: Text, item: Option<usize>, store: Option<usize>, count: u64) -> Wish {
    Wish { name, item, store, count }
}

/// The shopping list: several shops, and something that no shop is named for.
pub(super) const WISHES: [Wish; 7] = [
    wish(Text("Milk", "牛乳"), Some(0), SUPERMARKET, 2),
    wish(Text("Green tea", "緑茶"), Some(17), SUPERMARKET, 1),
    wish(Text("Rice", "米"), Some(18), SUPERMARKET, 5),
    wish(Text("Tomatoes", "トマト"), None, GREENGROCER, 6),
    wish(Text("Leek", "長ねぎ"), None, GREENGROCER, 2),
    wish(Text("Toilet paper", "トイレットペーパー"), Some(20), DRUGSTORE, 1),
    wish(Text("Birthday card", "誕生日カード"), None, None, 1),
];

/// Something that is not eaten.
#[derive(Debug, Clone, Copy)]
pub(super) struct Belonging {
    pub(super) kind: &'static str,
    pub(super) name: Text,
    /// The index in [`THINGS`] of its parent, which comes first.
    pub(super) within: Option<usize>,
}

const fn thing(kind: &'static str, name: Text, within: Option<usize>) -> Belonging {
    Belonging { kind, name, within }
}

/// A small tree of things.
pub(super) const THINGS: [Belonging; 7] = [
    thing("House", Text("Our house", "わが家"), None),
    thing("Room", Text("Kitchen", "キッチン"), Some(0)),
    thing("Room", Text("Attic", "屋根裏"), Some(0)),
    thing("Furniture", Text("Blue cupboard", "青い戸棚"), Some(1)),
    thing("Appliance", Text("Rice cooker", "炊飯器"), Some(3)),
    thing("Box", Text("Box of winter clothes", "冬服の箱"), Some(2)),
    thing("Clothing", Text("Red scarf", "赤いマフラー"), Some(5)),
];

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use larder_domain::{
        ExpirationStatus, LocationName, ResourceType, ShoppingName, ShoppingQuantity, StoreName,
    };

    use super::*;

    fn items(language: Language) -> Vec<ItemDetails> {
        let (locations, stores) = ([None; LOCATIONS.len()], [None; STORES.len()]);
        let today = date(2026, 2, 27);
        ITEMS
            .iter()
            .map(|good| good.details(language, today, &locations, &stores).unwrap())
            .collect()
    }

    #[test]
    fn everything_keeps_to_the_rules_of_the_domain_in_every_language() {
        for language in Language::ALL {
            assert_eq!(items(language).len(), ITEMS.len());
            for name in STORES {
                StoreName::parse(name.get(language)).unwrap();
            }
            for name in LOCATIONS {
                LocationName::parse(name.get(language)).unwrap();
            }
            for wish in WISHES {
                ShoppingName::parse(wish.name.get(language)).unwrap();
                ShoppingQuantity::new(wish.count).unwrap();
                if let Some(at) = wish.item {
                    assert_eq!(wish.name.get(language), ITEMS[at].name.get(language));
                }
            }
        }
        for (at, thing) in THINGS.iter().enumerate() {
            ResourceType::parse(thing.kind).unwrap();
            assert!(thing.within.is_none_or(|within| within < at));
        }
    }

    #[test]
    fn there_is_something_to_see_in_every_list() {
        for language in Language::ALL {
            let items = items(language);
            let with = |status| {
                let is = |item: &&ItemDetails| {
                    ExpirationStatus::of(item.expiration, date(2026, 2, 27)) == status
                };
                items.iter().filter(is).count()
            };
            assert_eq!(with(ExpirationStatus::Expired), 2);
            assert_eq!(with(ExpirationStatus::ExpiringSoon), 4);
            assert_eq!(items.iter().filter(|item| !item.is_enough_alone()).count(), 5);
            assert_eq!(items.iter().filter(|item| item.is_depleted()).count(), 1);
            for category in CATEGORIES {
                assert!(items.iter().any(|item| item.category == category.id), "{}", category.name);
            }
        }
    }

    #[test]
    fn no_two_items_would_become_one() {
        for language in Language::ALL {
            let keys: Vec<_> = items(language).iter().map(ItemDetails::merge_key).collect();
            for (at, key) in keys.iter().enumerate() {
                assert!(!keys[..at].contains(key), "{}", key.name);
            }
        }
    }
}
