use proptest::prelude::*;

use super::*;

fn url(text: &str) -> UrlId {
    UrlId::parse(text).unwrap()
}

#[test]
fn an_id_of_our_own_is_a_uuid_v4_as_a_number_in_22_characters() {
    // The largest and the smallest UUID v4.
    assert_eq!(UrlId::from_random([0xff; 16]).reveal(), "7n42DGM5PW9UTFKxP3NWYh");
    assert_eq!(UrlId::from_random([0; 16]).reveal(), "000000001VgEh72lXvTXkG");
}

#[test]
fn digits_come_before_capitals_and_capitals_before_small_letters() {
    let text = |end: char| format!("{}{end}", "0".repeat(21));
    for (end, value) in [('0', 0), ('9', 9), ('A', 10), ('Z', 35), ('a', 36), ('z', 61)] {
        assert_eq!(UrlId::parse(&text(end)).unwrap().to_bytes()[15], value, "{end}");
    }
}

#[test]
fn the_largest_id_is_128_bits_and_one_more_is_none() {
    assert_eq!(url("7n42DGM5Tflk9n8mt7Fhc7").to_bytes(), [0xff; 16]);
    assert_eq!(UrlId::parse("7n42DGM5Tflk9n8mt7Fhc8"), Err(InvalidUrlId));
    assert_eq!(UrlId::parse(&"z".repeat(22)), Err(InvalidUrlId));
}

#[test]
fn only_22_base62_characters_are_an_id() {
    let good = "2gSZw8ZQPb7D5kN3X8mQ7a";
    assert_eq!(url(good).reveal(), good);
    for text in [
        "",
        "2gSZw8ZQPb7D5kN3X8mQ7",
        "2gSZw8ZQPb7D5kN3X8mQ7ab",
        "2gSZw8ZQPb7D5kN3X8mQ7-",
        "2gSZw8ZQPb7D5kN3X8mQ7_",
        "2gSZw8ZQPb7D5kN3X8mQ7 ",
        "2gSZw8ZQPb7D5kN3X8mQ7%",
        // 21 characters, 22 bytes.
        "2gSZw8ZQPb7D5kN3X8mQé",
        // Digits of another script.
        "２gSZw8ZQPb7D5kN3X8mQ",
    ] {
        assert_eq!(UrlId::parse(text), Err(InvalidUrlId), "{text:?}");
    }
}

#[test]
fn an_id_and_a_nonce_do_not_print() {
    let (id, nonce) = (url("2gSZw8ZQPb7D5kN3X8mQ7a"), TapNonce::parse("secret-nonce").unwrap());
    assert_eq!(format!("{id:?} {nonce:?}"), "UrlId(secret) TapNonce(secret)");
}

#[test]
fn a_step_is_over_0_and_up_to_1000_with_two_decimals() {
    for (literal, hundredths) in
        [("1", 100), ("0.01", 1), ("1000", 100_000), ("250.5", 25_050), ("1e3", 100_000)]
    {
        assert_eq!(TagStep::parse(literal).unwrap().hundredths(), hundredths, "{literal}");
    }
    for (literal, error) in [
        ("0", InvalidStep::OutOfRange),
        ("1000.01", InvalidStep::OutOfRange),
        ("99999999.99", InvalidStep::OutOfRange),
        ("-1", QuantityError::Negative.into()),
        ("0.001", QuantityError::TooPrecise.into()),
        ("one", QuantityError::NotANumber.into()),
        ("", QuantityError::NotANumber.into()),
    ] {
        assert_eq!(TagStep::parse(literal), Err(error), "{literal}");
    }
    assert_eq!(TagStep::default(), TagStep::ONE);
    assert_eq!(TagStep::ONE.hundredths(), 100);
}

#[test]
fn a_delta_is_exactly_1_or_minus_1() {
    assert_eq!(TapDirection::parse("1"), Ok(TapDirection::PutBack));
    assert_eq!(TapDirection::parse("-1"), Ok(TapDirection::Take));
    for literal in ["0", "2", "-2", "+1", "1.0", "-1.0", "1e0", "10", "01", " 1", "", "\"1\""] {
        assert_eq!(TapDirection::parse(literal), Err(InvalidTapDelta), "{literal}");
    }
}

#[test]
fn a_tap_moves_one_step_in_its_direction() {
    let step = TagStep::parse("250.5").unwrap();
    assert_eq!(TapDirection::Take.delta(step).hundredths(), -25_050);
    assert_eq!(TapDirection::PutBack.delta(step).hundredths(), 25_050);
}

#[test]
fn a_nonce_has_8_to_64_characters_that_pages_make() {
    for text in ["12345678", "aZ09_-aZ", &"x".repeat(64)] {
        assert_eq!(TapNonce::parse(text).unwrap().as_str(), text);
    }
    for text in
        ["", "1234567", &"x".repeat(65), "1234567 ", "1234567#", "1234567é", "１２３４５６７８"]
    {
        assert_eq!(TapNonce::parse(text), Err(InvalidNonce), "{text:?}");
    }
}

#[test]
fn a_tag_is_active_until_it_was_rotated() {
    let (by, made) = (UserId::fixed(3), Timestamp::UNIX_EPOCH);
    let tag = NfcUrl {
        id: url("2gSZw8ZQPb7D5kN3X8mQ7a"),
        item: ItemId::fixed(1),
        household: HouseholdId::fixed(2),
        item_name: ItemName::parse("Paper Towels").unwrap(),
        label: None,
        step: TagStep::ONE,
        rotated: None,
        created_by: by,
        created_at: made,
        last_accessed_at: None,
        access_count: 0,
    };
    assert!(tag.is_active());
    assert_eq!(TagPosition::of(&tag), TagPosition { created_at: made, id: tag.id });
    assert!(!NfcUrl { rotated: Some(TagRotation { at: made, by }), ..tag }.is_active());
}

proptest! {
    #[test]
    fn every_id_comes_back_from_its_text(bytes in any::<[u8; 16]>()) {
        let id = UrlId::from_random(bytes);
        let text = id.reveal();
        prop_assert_eq!(text.len(), UrlId::LENGTH);
        prop_assert_eq!(UrlId::parse(&text), Ok(id));
    }

    /// Records are sorted by their texts, lists by their ids: one order.
    #[test]
    fn texts_are_in_the_order_of_the_ids(one in any::<[u8; 16]>(), two in any::<[u8; 16]>()) {
        let (one, two) = (UrlId::from_random(one), UrlId::from_random(two));
        prop_assert_eq!(one.reveal().cmp(&two.reveal()), one.cmp(&two));
    }

    #[test]
    fn what_is_read_is_written_the_same(text in "[0-9A-Za-z]{22}") {
        if let Ok(id) = UrlId::parse(&text) {
            prop_assert_eq!(id.reveal(), text);
        }
    }

    #[test]
    fn parsing_never_panics(text in any::<String>()) {
        let _ = (UrlId::parse(&text), TapNonce::parse(&text), TapDirection::parse(&text));
    }
}
