//! What a household may ask for. Small worlds, so that commands meet each other.

use larder_domain::{Delta, ExpirationDate, ItemDetails, ItemName, OTHER_CATEGORY, Quantity, Unit};
use proptest::prelude::*;
use proptest::sample::select;

/// A command. Numbers stand for things that were made before, or by the one who obeys.
#[derive(Debug, Clone)]
pub(super) enum Command {
    Add {
        details: Details,
        key: Option<u8>,
    },
    Adjust {
        item: u8,
        hundredths: i64,
        key: Option<u8>,
    },
    Replace {
        item: u8,
        details: Details,
        stale: bool,
        merge: bool,
    },
    Delete {
        item: u8,
    },
    AddLocation {
        name: &'static str,
    },
    DeleteLocation {
        place: u8,
    },
    AddShop {
        name: &'static str,
    },
    DeleteShop {
        place: u8,
    },
    Rename {
        name: &'static str,
    },
    JoinAndLeave,
    /// Time passes, in minutes.
    Wait {
        minutes: i64,
    },
}

/// Details of an item, with places by number.
#[derive(Debug, Clone)]
pub(super) struct Details {
    name: &'static str,
    amount: &'static str,
    unit: &'static str,
    expiration: Option<&'static str>,
    threshold: Option<&'static str>,
    pub(super) location: Option<u8>,
    pub(super) shop: Option<u8>,
}

impl Details {
    /// Without the places, which the household knows.
    pub(super) fn without_places(&self) -> ItemDetails {
        ItemDetails {
            name: ItemName::parse(self.name).unwrap(),
            quantity: Quantity::parse(self.amount).unwrap(),
            unit: Unit::parse(self.unit).unwrap(),
            expiration: self.expiration.map(|date| ExpirationDate::parse(date).unwrap()),
            category: OTHER_CATEGORY,
            location: None,
            image_url: None,
            notes: None,
            low_stock_threshold: self.threshold.map(|text| Quantity::parse(text).unwrap()),
            preferred_store: None,
        }
    }
}

fn details() -> impl Strategy<Value = Details> {
    (
        select(
            &["Milk", "MILK ", "ｍｉｌｋ", "Olive oil", "olive-oil", "米", "100% rye_bread"][..],
        ),
        select(&["0", "0.01", "1", "2.5", "500", "99999999.99"][..]),
        select(&["kg", "g", "グラム", "個"][..]),
        proptest::option::of(select(&["2031-01-01", "2031-01-02", "2031-02-01"][..])),
        proptest::option::of(select(&["1", "5"][..])),
        proptest::option::weighted(0.3, any::<u8>()),
        proptest::option::weighted(0.3, any::<u8>()),
    )
        .prop_map(|(name, amount, unit, expiration, threshold, location, shop)| Details {
            name,
            amount,
            unit,
            expiration,
            threshold,
            location,
            shop,
        })
}

/// Few keys, so that some are used twice.
fn key() -> impl Strategy<Value = Option<u8>> {
    proptest::option::weighted(0.4, 0..6_u8)
}

fn hundredths() -> impl Strategy<Value = i64> {
    (-1000..1000_i64)
        .prop_filter("nothing to adjust", |hundredths| Delta::from_hundredths(*hundredths).is_ok())
}

/// Any command, the common ones more often.
pub(super) fn command() -> impl Strategy<Value = Command> {
    let place_name = || select(&["Cellar", "ｃｅｌｌａｒ", "Barn"][..]);
    prop_oneof![
        8 => (details(), key()).prop_map(|(details, key)| Command::Add { details, key }),
        6 => (any::<u8>(), hundredths(), key())
            .prop_map(|(item, hundredths, key)| Command::Adjust { item, hundredths, key }),
        5 => (any::<u8>(), details(), prop::bool::weighted(0.15), any::<bool>()).prop_map(
            |(item, details, stale, merge)| Command::Replace { item, details, stale, merge }
        ),
        2 => any::<u8>().prop_map(|item| Command::Delete { item }),
        2 => place_name().prop_map(|name| Command::AddLocation { name }),
        1 => any::<u8>().prop_map(|place| Command::DeleteLocation { place }),
        2 => place_name().prop_map(|name| Command::AddShop { name }),
        1 => any::<u8>().prop_map(|place| Command::DeleteShop { place }),
        1 => select(&["Home", "家"][..]).prop_map(|name| Command::Rename { name }),
        1 => Just(Command::JoinAndLeave),
        1 => (1..90_i64).prop_map(|minutes| Command::Wait { minutes }),
    ]
}
