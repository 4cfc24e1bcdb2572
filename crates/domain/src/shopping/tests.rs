use proptest::prelude::*;

use super::*;

const ITEM: ItemId = ItemId::fixed(7);
const MARKET: StoreId = StoreId::fixed(8);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn details(name: &str) -> ShoppingDetails {
    let name = ShoppingName::parse(name).unwrap();
    ShoppingDetails { name, store: None, quantity: None, notes: None }
}

/// Restocks an item, is bought at the market, two of them, with a remark.
fn towels() -> ShoppingItem {
    let details = ShoppingDetails {
        store: Some(MARKET),
        quantity: Some(ShoppingQuantity::new(2).unwrap()),
        notes: ShoppingNotes::parse("Prefer double-roll").unwrap(),
        ..details("Paper Towels")
    };
    let (id, household, by) = (ShoppingItemId::fixed(1), HouseholdId::fixed(2), UserId::fixed(3));
    ShoppingItem::new(id, household, Some(ITEM), details, by, at("2025-12-10T12:00:00.25Z"))
}

#[test]
fn every_message_is_that_of_the_validation_table() {
    for (field, message) in [
        (InvalidShoppingField::ShoppingItemId, "Invalid shopping item ID format"),
        (InvalidShoppingField::FamilyId, "Invalid family ID format"),
        (InvalidShoppingField::ItemId, "Invalid inventory item ID format"),
        (InvalidShoppingField::Name, "Name must be 1-100 characters"),
        (InvalidShoppingField::StoreId, "Invalid store ID format"),
        (InvalidShoppingField::Status, "Status must be 'pending' or 'purchased'"),
        (InvalidShoppingField::Quantity, "Quantity must be a positive integer"),
        (InvalidShoppingField::Notes, "Notes must be 500 characters or less"),
        (InvalidShoppingField::Version, "Version must be a positive integer"),
        (InvalidShoppingField::MemberId, "Invalid member ID format"),
    ] {
        assert_eq!(field.to_string(), message);
    }
}

#[test]
fn a_name_has_1_to_100_characters_that_can_be_read() {
    for text in ["x", &"パ".repeat(100), " Milk ", "👨‍👩‍👧"] {
        assert_eq!(ShoppingName::parse(text).unwrap().as_str(), text);
    }
    for text in ["", " \u{3000}", &"x".repeat(101), "a\nb", "a\u{0}"] {
        assert_eq!(ShoppingName::parse(text), Err(InvalidShoppingField::Name), "{text:?}");
    }
    let error = ShoppingName::parse("Mi\u{200b}lk").unwrap_err();
    assert_eq!(error.to_string(), "Name must not contain the invisible character U+200B");
    assert!(ShoppingName::parse_stored("Mi\u{200b}lk").is_ok());
}

#[test]
fn notes_have_up_to_500_characters_with_line_breaks() {
    for text in [" ", "one\r\n\ttwo", &"あ".repeat(500)] {
        assert_eq!(ShoppingNotes::parse(text).unwrap().unwrap().as_str(), text);
    }
    for text in [&"x".repeat(501), "a\u{0}", "\u{7f}"] {
        assert_eq!(ShoppingNotes::parse(text), Err(InvalidShoppingField::Notes), "{text:?}");
    }
}

#[test]
fn an_emptied_remark_is_none() {
    assert_eq!(ShoppingNotes::parse(""), Ok(None));
}

#[test]
fn a_quantity_is_a_whole_number_that_fits_into_stock() {
    for count in [1, 2, 99_999_999] {
        let quantity = ShoppingQuantity::new(count).unwrap();
        assert_eq!(u64::from(quantity.get()), count);
        let stock = i64::from(quantity.get()) * 100;
        assert!(crate::Delta::from_hundredths(stock).is_ok(), "{count} can be put into stock");
    }
    // The last one exceeds 32 bits by 1.
    for count in [0, 100_000_000, (1 << 32) + 1] {
        assert_eq!(ShoppingQuantity::new(count), Err(InvalidShoppingField::Quantity), "{count}");
    }
}

#[test]
fn a_status_is_written_as_the_table_says() {
    for status in ShoppingStatus::ALL {
        assert_eq!(ShoppingStatus::parse(status.as_str()), Ok(status));
    }
    for text in ["", "Pending", "PURCHASED", "pending ", "removed"] {
        assert_eq!(ShoppingStatus::parse(text), Err(InvalidShoppingField::Status), "{text:?}");
    }
}

#[test]
fn a_new_entry_is_pending_version_1_without_an_end() {
    let towels = towels();
    assert_eq!((towels.status, towels.version), (ShoppingStatus::Pending, 1));
    assert_eq!((towels.expires_at, towels.updated_at), (None, towels.created_at));
}

#[test]
fn checking_off_counts_up_and_starts_seven_days_from_that_second() {
    let towels = towels();
    let moment = at("2025-12-10T14:00:00.999Z");
    let bought = towels.changed(&ShoppingChange::Status(ShoppingStatus::Purchased), moment);
    let expected = ShoppingItem {
        status: ShoppingStatus::Purchased,
        version: 2,
        expires_at: Some(at("2025-12-17T14:00:00Z")),
        updated_at: moment,
        ..towels
    };
    assert_eq!(bought, expected);
}

#[test]
fn unchecking_counts_up_and_ends_the_seven_days() {
    let bought = towels()
        .changed(&ShoppingChange::Status(ShoppingStatus::Purchased), at("2025-12-10T14:00:00Z"));
    let moment = at("2025-12-11T09:00:00Z");
    let again = bought.changed(&ShoppingChange::Status(ShoppingStatus::Pending), moment);
    let expected = ShoppingItem {
        status: ShoppingStatus::Pending,
        version: 3,
        expires_at: None,
        updated_at: moment,
        ..bought
    };
    assert_eq!(again, expected);
}

#[test]
fn saying_again_that_it_is_bought_does_not_prolong_its_stay() {
    let purchase = ShoppingChange::Status(ShoppingStatus::Purchased);
    let bought = towels().changed(&purchase, at("2025-12-10T14:00:00Z"));
    let again = bought.changed(&purchase, at("2025-12-12T14:00:00Z"));
    assert_eq!((again.version, again.expires_at), (3, bought.expires_at));
    let still = towels()
        .changed(&ShoppingChange::Status(ShoppingStatus::Pending), at("2025-12-12T14:00:00Z"));
    assert_eq!((still.version, still.status, still.expires_at), (2, ShoppingStatus::Pending, None));
}

#[test]
fn an_edit_changes_what_it_names_and_tells_absent_from_clear() {
    let (towels, moment) = (towels(), at("2025-12-11T00:00:00Z"));
    let nothing = towels.changed(&ShoppingChange::Edit(ShoppingPatch::default()), moment);
    assert_eq!(nothing, ShoppingItem { version: 2, updated_at: moment, ..towels.clone() });

    let cleared =
        ShoppingPatch { name: None, store: Some(None), quantity: Some(None), notes: Some(None) };
    let cleared = towels.changed(&ShoppingChange::Edit(cleared), moment);
    assert_eq!(cleared.details, details("Paper Towels"));

    let said = ShoppingPatch {
        name: Some(ShoppingName::parse("Kitchen roll").unwrap()),
        store: Some(Some(StoreId::fixed(9))),
        quantity: Some(Some(ShoppingQuantity::new(3).unwrap())),
        notes: Some(ShoppingNotes::parse("blue").unwrap()),
    };
    let changed = towels.changed(&ShoppingChange::Edit(said), moment);
    let expected = ShoppingDetails {
        store: Some(StoreId::fixed(9)),
        quantity: Some(ShoppingQuantity::new(3).unwrap()),
        notes: ShoppingNotes::parse("blue").unwrap(),
        ..details("Kitchen roll")
    };
    assert_eq!((changed.details, changed.item), (expected, Some(ITEM)));
}

#[test]
fn an_edit_of_something_bought_leaves_its_end() {
    let bought = towels()
        .changed(&ShoppingChange::Status(ShoppingStatus::Purchased), at("2025-12-10T14:00:00Z"));
    let edited = ShoppingChange::Edit(ShoppingPatch { notes: Some(None), ..Default::default() });
    let edited = bought.changed(&edited, at("2025-12-13T14:00:00Z"));
    assert_eq!((edited.status, edited.expires_at), (bought.status, bought.expires_at));
}

#[test]
fn an_orphan_is_free_text_and_otherwise_the_same() {
    let (towels, moment) = (towels(), at("2025-12-11T00:00:00Z"));
    let orphan = towels.orphaned(moment);
    assert_eq!(orphan, ShoppingItem { item: None, version: 2, updated_at: moment, ..towels });
}

#[test]
fn only_what_is_to_be_bought_for_that_item_stands_in_the_way_of_another() {
    let towels = towels();
    let moment = at("2025-12-11T00:00:00Z");
    let bought = towels.changed(&ShoppingChange::Status(ShoppingStatus::Purchased), moment);
    assert!(towels.is_pending_for(ITEM));
    assert!(!towels.is_pending_for(ItemId::fixed(8)));
    assert!(!bought.is_pending_for(ITEM));
    assert!(!towels.orphaned(moment).is_pending_for(ITEM));
}

#[test]
fn it_has_left_the_list_from_the_very_second_on() {
    let bought = towels()
        .changed(&ShoppingChange::Status(ShoppingStatus::Purchased), at("2025-12-10T14:00:00.5Z"));
    assert!(!bought.is_expired(at("2025-12-17T13:59:59.999999999Z")));
    assert!(bought.is_expired(at("2025-12-17T14:00:00Z")));
    assert!(!towels().is_expired(Timestamp::MAX));
}

#[test]
fn the_end_of_time_is_no_failure() {
    let bought =
        towels().changed(&ShoppingChange::Status(ShoppingStatus::Purchased), Timestamp::MAX);
    assert_eq!(bought.expires_at, Some(Timestamp::MAX));
}

#[test]
fn filters_show_one_shop_none_or_all_and_one_status_or_both() {
    let towels = towels();
    let bought = ShoppingItem { status: ShoppingStatus::Purchased, ..towels.clone() };
    let anywhere = ShoppingItem { details: details("Cake"), ..towels.clone() };
    let all = [&towels, &bought, &anywhere];
    for (store, status, shown) in [
        (None, None, [true, true, true]),
        (Some(StoreChoice::Store(MARKET)), None, [true, true, false]),
        (Some(StoreChoice::Store(StoreId::fixed(9))), None, [false, false, false]),
        (Some(StoreChoice::Unassigned), None, [false, false, true]),
        (None, Some(ShoppingStatus::Pending), [true, false, true]),
        (None, Some(ShoppingStatus::Purchased), [false, true, false]),
        (Some(StoreChoice::Store(MARKET)), Some(ShoppingStatus::Pending), [true, false, false]),
        (Some(StoreChoice::Unassigned), Some(ShoppingStatus::Purchased), [false, false, false]),
    ] {
        let filter = ShoppingFilter { store, status };
        assert_eq!(all.map(|item| filter.matches(item)), shown, "{filter:?}");
    }
}

#[test]
fn the_list_is_in_the_order_of_adding() {
    let first = towels();
    let twin = ShoppingItem { id: ShoppingItemId::fixed(9), ..first.clone() };
    let later = first.created_at + SignedDuration::from_nanos(1);
    let last = ShoppingItem { id: ShoppingItemId::fixed(0), created_at: later, ..first.clone() };
    let mut places = [&last, &twin, &first].map(ShoppingPosition::of);
    places.sort();
    assert_eq!(places, [&first, &twin, &last].map(ShoppingPosition::of));
}

proptest! {
    #[test]
    fn an_entry_has_an_end_exactly_while_it_is_bought(
        statuses in prop::collection::vec(prop::sample::select(&ShoppingStatus::ALL[..]), 0..8),
        second in 0..4_000_000_000_i64,
    ) {
        let mut entry = towels();
        let moment = Timestamp::from_second(second).unwrap() + SignedDuration::from_millis(7);
        for (n, status) in statuses.iter().enumerate() {
            entry = entry.changed(&ShoppingChange::Status(*status), moment);
            prop_assert_eq!(entry.version, n as u64 + 2);
            prop_assert_eq!(entry.status, *status);
            let end = (*status == ShoppingStatus::Purchased).then_some(second + 604_800);
            prop_assert_eq!(entry.expires_at.map(Timestamp::as_second), end);
            prop_assert_eq!(entry.expires_at.map_or(0, Timestamp::subsec_nanosecond), 0);
        }
    }

    #[test]
    fn parsing_never_panics_and_keeps_every_byte(text in any::<String>()) {
        if let Ok(name) = ShoppingName::parse(&text) {
            prop_assert_eq!(name.as_str(), &text);
        }
        if let Ok(Some(notes)) = ShoppingNotes::parse(&text) {
            prop_assert_eq!(notes.as_str(), &text);
        }
    }
}
