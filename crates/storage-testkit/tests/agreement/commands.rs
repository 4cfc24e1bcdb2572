//! Commands of a household. The worlds are small, so that commands interact.

use larder_domain::{
    Delta, ExpirationDate, ItemDetails, ItemName, Occasion, Quantity, ShelfLife, ShoppingStatus,
    TapDirection, Unit,
};
use proptest::prelude::*;
use proptest::sample::select;

/// A command. Numbers refer to entities created before, or to members.
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
    /// Opens a part of an item, or all of it.
    Open {
        item: u8,
        hundredths: Option<u16>,
        key: Option<u8>,
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
    /// Puts something on the shopping list.
    List {
        item: Option<u8>,
        shop: Option<u8>,
        force: bool,
        key: Option<u8>,
    },
    /// Checks an entry off, or unchecks it.
    Check {
        entry: u8,
        status: ShoppingStatus,
        stale: bool,
    },
    /// Changes an entry's shop, or clears it.
    Reassign {
        entry: u8,
        shop: Option<u8>,
    },
    Unlist {
        entry: u8,
    },
    ClearPurchased,
    AddTag {
        item: u8,
        step: &'static str,
        key: Option<u8>,
    },
    RotateTag {
        tag: u8,
        key: Option<u8>,
    },
    ChangeTag {
        tag: u8,
        step: &'static str,
    },
    DeleteTag {
        tag: u8,
    },
    Tap {
        tag: u8,
        direction: TapDirection,
        nonce: u8,
    },
    /// Brings the notifications of an item in line with it.
    Settle {
        item: u8,
        occasion: Occasion,
    },
    Acknowledge {
        notification: u8,
    },
    JoinAndLeave,
    /// Nearly all of the seven days that a purchased entry stays on the list, or a little more.
    WaitAWeek {
        minutes: i64,
    },
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
    opened_days: Option<u64>,
    pub(super) location: Option<u8>,
    pub(super) shop: Option<u8>,
}

impl Details {
    /// Without the places, which depend on the household.
    pub(super) fn without_places(&self) -> ItemDetails {
        ItemDetails {
            expiration: self.expiration.map(|date| ExpirationDate::parse(date).unwrap()),
            low_stock_threshold: self.threshold.map(|text| Quantity::parse(text).unwrap()),
            opened_shelf_life: self.opened_days.map(|days| ShelfLife::from_days(days).unwrap()),
            ..ItemDetails::new(
                ItemName::parse(self.name).unwrap(),
                Quantity::parse(self.amount).unwrap(),
                Unit::parse(self.unit).unwrap(),
            )
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
        proptest::option::of(select(&[1, 9][..])),
        proptest::option::weighted(0.3, any::<u8>()),
        proptest::option::weighted(0.3, any::<u8>()),
    )
        .prop_map(
            |(name, amount, unit, expiration, threshold, opened_days, location, shop)| Details {
                name,
                amount,
                unit,
                expiration,
                threshold,
                opened_days,
                location,
                shop,
            },
        )
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
    prop_oneof![30 => inventory_command(), 15 => shopping_command(), 14 => tag_command()]
}

fn inventory_command() -> impl Strategy<Value = Command> {
    let place_name = || select(&["Cellar", "ｃｅｌｌａｒ", "Barn"][..]);
    prop_oneof![
        8 => (details(), key()).prop_map(|(details, key)| Command::Add { details, key }),
        5 => (any::<u8>(), hundredths(), key())
            .prop_map(|(item, hundredths, key)| Command::Adjust { item, hundredths, key }),
        5 => (any::<u8>(), details(), prop::bool::weighted(0.15), any::<bool>()).prop_map(
            |(item, details, stale, merge)| Command::Replace { item, details, stale, merge }
        ),
        3 => any::<u8>().prop_map(|item| Command::Delete { item }),
        3 => (any::<u8>(), proptest::option::of(1..300_u16), key())
            .prop_map(|(item, hundredths, key)| Command::Open { item, hundredths, key }),
        2 => place_name().prop_map(|name| Command::AddLocation { name }),
        1 => any::<u8>().prop_map(|place| Command::DeleteLocation { place }),
        2 => place_name().prop_map(|name| Command::AddShop { name }),
        1 => any::<u8>().prop_map(|place| Command::DeleteShop { place }),
        1 => select(&["Home", "家"][..]).prop_map(|name| Command::Rename { name }),
        1 => Just(Command::JoinAndLeave),
        1 => (1..90_i64).prop_map(|minutes| Command::Wait { minutes }),
        1 => (-90..90_i64).prop_map(|minutes| Command::WaitAWeek { minutes }),
    ]
}

fn shopping_command() -> impl Strategy<Value = Command> {
    let item = || proptest::option::weighted(0.8, any::<u8>());
    let shop = || proptest::option::of(any::<u8>());
    prop_oneof![
        6 => (item(), shop(), prop::bool::weighted(0.3), key())
            .prop_map(|(item, shop, force, key)| Command::List { item, shop, force, key }),
        5 => (any::<u8>(), select(&ShoppingStatus::ALL[..]), prop::bool::weighted(0.15))
            .prop_map(|(entry, status, stale)| Command::Check { entry, status, stale }),
        2 => (any::<u8>(), shop()).prop_map(|(entry, shop)| Command::Reassign { entry, shop }),
        1 => any::<u8>().prop_map(|entry| Command::Unlist { entry }),
        1 => Just(Command::ClearPurchased),
    ]
}

fn tag_command() -> impl Strategy<Value = Command> {
    let direction = select(&[TapDirection::Take, TapDirection::PutBack][..]);
    let occasion = select(&[Occasion::Changed, Occasion::DayBegan][..]);
    prop_oneof![
        3 => (any::<u8>(), select(&["1", "0.25", "1000"][..]), key())
            .prop_map(|(item, step, key)| Command::AddTag { item, step, key }),
        1 => (any::<u8>(), key()).prop_map(|(tag, key)| Command::RotateTag { tag, key }),
        2 => (any::<u8>(), select(&["1", "0.25", "3"][..]))
            .prop_map(|(tag, step)| Command::ChangeTag { tag, step }),
        1 => any::<u8>().prop_map(|tag| Command::DeleteTag { tag }),
        6 => (any::<u8>(), direction, 0..12_u8)
            .prop_map(|(tag, direction, nonce)| Command::Tap { tag, direction, nonce }),
        3 => (any::<u8>(), occasion)
            .prop_map(|(item, occasion)| Command::Settle { item, occasion }),
        1 => any::<u8>().prop_map(|notification| Command::Acknowledge { notification }),
    ]
}
