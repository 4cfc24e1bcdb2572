use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::{ItemDetails, Owner, item::tests::details};

const TODAY: Date = date(2026, 3, 10);
const HOME: HouseholdId = HouseholdId::fixed(1);

fn day(text: &str) -> ExpirationDate {
    ExpirationDate::parse(text).unwrap()
}

fn item(quantity: &str, threshold: Option<&str>, expiration: Option<&str>) -> Item {
    let details = ItemDetails {
        low_stock_threshold: threshold.map(|text| Quantity::parse(text).unwrap()),
        expiration: expiration.map(day),
        ..details("Milk", quantity, "L")
    };
    let (owner, by) = (Owner::Household(HOME), UserId::fixed(3));
    Item::new(ItemId::fixed(2), owner, details, by, Timestamp::UNIX_EPOCH)
}

fn low(quantity: &str, threshold: &str) -> NotificationSubject {
    NotificationSubject::LowStock {
        quantity: Quantity::parse(quantity).unwrap(),
        threshold: Quantity::parse(threshold).unwrap(),
        unit: Unit::parse("L").unwrap(),
    }
}

fn soon(text: &str) -> NotificationSubject {
    NotificationSubject::ExpiringSoon(day(text))
}

fn expired(text: &str) -> NotificationSubject {
    NotificationSubject::Expired(day(text))
}

fn said(number: u128, subject: NotificationSubject) -> Notification {
    Notification {
        id: NotificationId::fixed(number),
        household: HOME,
        item: ItemId::fixed(2),
        product: None,
        item_name: ItemName::parse("Milk").unwrap(),
        subject,
        created_at: Timestamp::UNIX_EPOCH,
        acknowledged: None,
        resolved_at: None,
        listed_at: None,
    }
}

fn settlement(resolve: &[u128], open: Option<NotificationSubject>) -> Settlement {
    let resolve = resolve.iter().copied().map(NotificationId::fixed).collect();
    Settlement { resolve, restate: None, open }
}

/// Settles the stock of a product with one lot.
fn stock_of(milk: &Item, open: &[Notification]) -> Settlement {
    settle_stock(Some(&Product::of_lot(milk)), std::slice::from_ref(milk), open)
}

#[test]
fn what_falls_below_its_threshold_is_said_once_and_then_with_the_numbers_of_now() {
    let first = stock_of(&item("0.5", Some("1"), None), &[]);
    assert_eq!(first, settlement(&[], Some(low("0.5", "1"))));
    // A lower quantity or another threshold is nothing new, but what is said must be so.
    let still = [said(9, low("0.5", "1"))];
    assert_eq!(stock_of(&item("0.5", Some("1"), None), &still), Settlement::default());
    for (quantity, threshold) in [("0.25", "1"), ("0.5", "2"), ("0", "1")] {
        let settled = stock_of(&item(quantity, Some(threshold), None), &still);
        let restate = Some((NotificationId::fixed(9), low(quantity, threshold)));
        assert_eq!(settled, Settlement { restate, ..Settlement::default() });
    }
}

#[test]
fn what_reaches_its_threshold_again_is_resolved_seen_or_not() {
    let mut seen = said(9, low("0.5", "1"));
    seen.acknowledged = Some(Acknowledgement { by: UserId::fixed(3), at: Timestamp::UNIX_EPOCH });
    for open in [said(9, low("0.5", "1")), seen] {
        for milk in [item("1", Some("1"), None), item("0.5", None, None)] {
            let settled = stock_of(&milk, std::slice::from_ref(&open));
            assert_eq!(settled, settlement(&[9], None));
        }
    }
}

#[test]
fn lots_are_low_together_or_not_at_all() {
    let lots = |quantities: [&str; 2]| -> Vec<Item> {
        let lot = |(n, quantity)| Item { id: ItemId::fixed(n), ..item(quantity, Some("2"), None) };
        (2..).zip(quantities).map(lot).collect()
    };
    let product = Product::of_lot(&item("1", Some("2"), None));
    let settled = |quantities| settle_stock(Some(&product), &lots(quantities), &[]);
    assert_eq!(settled(["1", "1"]), Settlement::default());
    assert_eq!(settled(["1", "0.75"]), settlement(&[], Some(low("1.75", "2"))));
    assert_eq!(settled(["0", "0"]), settlement(&[], Some(low("0", "2"))));
    let open = [said(9, low("1.75", "2"))];
    assert_eq!(settle_stock(Some(&product), &lots(["0", "2"]), &open), settlement(&[9], None));
}

#[test]
fn a_resolved_one_does_not_stand_in_the_way_and_is_not_resolved_again() {
    let mut over = said(9, low("0.5", "1"));
    over.resolved_at = Some(Timestamp::UNIX_EPOCH);
    let over = [over];
    assert_eq!(stock_of(&item("5", Some("1"), None), &over), Settlement::default());
    let again = stock_of(&item("0", Some("1"), None), &over);
    assert_eq!(again, settlement(&[], Some(low("0", "1"))));
}

#[test]
fn what_was_deleted_has_nothing_to_say() {
    let open = [said(8, soon("2026-03-11")), said(9, expired("2026-01-01"))];
    assert_eq!(settle_dates(None, &open, TODAY), settlement(&[8, 9], None));
    let open = [said(7, low("0", "1"))];
    assert_eq!(settle_stock(None, &[], &open), settlement(&[7], None));
    let product = Product::of_lot(&item("0", Some("1"), None));
    assert_eq!(settle_stock(Some(&product), &[], &open), settlement(&[7], None), "no lots");
}

#[test]
fn what_is_due_is_said_however_it_came_to_be_due() {
    for (date, subjects) in [
        ("2026-03-09", Some(expired("2026-03-09"))),
        ("2026-03-10", Some(soon("2026-03-10"))),
        ("2026-03-13", Some(soon("2026-03-13"))),
        ("2026-03-14", None),
    ] {
        let milk = item("1", None, Some(date));
        let settled = settle_dates(Some(&milk), &[], TODAY);
        assert_eq!(settled, settlement(&[], subjects), "{date}");
    }
}

#[test]
fn what_expires_goes_on_from_soon_to_expired() {
    let milk = item("1", None, Some("2026-03-09"));
    let open = [said(8, soon("2026-03-09"))];
    let began = settle_dates(Some(&milk), &open, TODAY);
    assert_eq!(began, settlement(&[8], Some(expired("2026-03-09"))));
    let open = [said(9, expired("2026-03-09"))];
    assert_eq!(settle_dates(Some(&milk), &open, TODAY), Settlement::default());
}

#[test]
fn another_date_ends_what_was_said_of_the_old_one_at_once() {
    let milk = item("1", None, Some("2026-03-12"));
    let open = [said(8, soon("2026-03-11"))];
    let settled = settle_dates(Some(&milk), &open, TODAY);
    assert_eq!(settled, settlement(&[8], Some(soon("2026-03-12"))));
    let fresh = item("1", None, Some("2026-12-01"));
    assert_eq!(settle_dates(Some(&fresh), &open, TODAY), settlement(&[8], None));
}

#[test]
fn nothing_goes_off_where_nothing_is_left() {
    let empty = item("0", None, Some("2026-03-09"));
    let open = [said(9, expired("2026-03-09"))];
    let settled = settle_dates(Some(&empty), &open, TODAY);
    assert_eq!(settled, settlement(&[9], None));
}

#[test]
fn a_change_affects_what_it_can_open_or_end() {
    use NotificationTopic::{Dates, Stock};
    let full = item("5", Some("1"), None);
    let low = item("0.5", Some("1"), None);
    let lower = item("0.25", Some("1"), None);
    let on_a_day = item("5", Some("1"), Some("2026-03-11"));
    let empty = item("0", None, Some("2026-03-11"));
    let (without_a_day, nothing) = (item("5", None, None), item("0", None, None));
    let (dates, stock) = (Dates(full.id), Stock(full.product.unwrap()));
    for (before, after, topics) in [
        (None, Some(&full), vec![stock]),
        (None, Some(&low), vec![stock]),
        (None, Some(&without_a_day), vec![]),
        (None, Some(&empty), vec![]),
        (None, Some(&on_a_day), vec![dates, stock]),
        (Some(&full), Some(&low), vec![stock]),
        (Some(&low), Some(&full), vec![stock]),
        (Some(&low), Some(&lower), vec![stock]),
        (Some(&full), Some(&full), vec![]),
        (Some(&full), Some(&on_a_day), vec![dates]),
        (Some(&on_a_day), Some(&empty), vec![dates, stock]),
        (Some(&without_a_day), Some(&nothing), vec![]),
        (Some(&full), None, vec![stock]),
        (Some(&on_a_day), None, vec![dates, stock]),
        (None, None, vec![]),
    ] {
        assert_eq!(affected_topics(before, after), topics, "{before:?} -> {after:?}");
    }
}

#[test]
fn a_lot_of_another_product_affects_both() {
    let milk = item("5", Some("1"), None);
    let moved = Item { product: Some(ProductId::fixed(9)), ..milk.clone() };
    let both = [milk.product.unwrap(), ProductId::fixed(9)].map(NotificationTopic::Stock);
    assert_eq!(affected_topics(Some(&milk), Some(&moved)), both);
}

#[test]
fn a_lot_is_enough_alone_in_any_unit_of_its_product() {
    let mut milk = item("999", Some("1"), None);
    milk.details.unit = Unit::parse("ml").unwrap();
    assert!(!milk.details.is_enough_alone(), "the threshold may be a litre");
    milk.details.quantity = Quantity::parse("1000").unwrap();
    assert!(milk.details.is_enough_alone());
    milk.details.unit = Unit::parse("bottle").unwrap();
    milk.details.quantity = Quantity::ONE;
    assert!(milk.details.is_enough_alone());
}

#[test]
fn a_status_only_ever_goes_forward() {
    let mut notification = said(1, low("0", "1"));
    assert_eq!(notification.status(), NotificationStatus::Active);
    notification.acknowledged =
        Some(Acknowledgement { by: UserId::fixed(3), at: Timestamp::UNIX_EPOCH });
    assert_eq!(notification.status(), NotificationStatus::Acknowledged);
    assert!(notification.is_open());
    notification.resolved_at = Some(Timestamp::UNIX_EPOCH);
    assert_eq!(notification.status(), NotificationStatus::Resolved);
    assert!(!notification.is_open());
    assert!(NotificationStatus::ALL.is_sorted());
}

#[test]
fn it_is_kept_30_days_after_it_ended_and_while_it_is_open_for_good() {
    let mut notification = said(1, low("0", "1"));
    assert_eq!(notification.expires_at(), None);
    notification.resolved_at = Some("2026-03-10T08:00:00.75Z".parse().unwrap());
    let end = notification.expires_at().unwrap();
    assert_eq!(end, "2026-04-09T08:00:00Z".parse().unwrap());
}

#[test]
fn words_name_their_kind_status_and_channel_and_nothing_else() {
    for kind in NotificationKind::ALL {
        assert_eq!(NotificationKind::parse(kind.as_str()), Some(kind));
    }
    for status in NotificationStatus::ALL {
        assert_eq!(NotificationStatus::parse(status.as_str()), Ok(status));
    }
    for channel in Channel::ALL {
        assert_eq!(Channel::parse(channel.as_str()), Some(channel));
    }
    for text in ["", "Active", "LOW_STOCK", "all", "open", "email"] {
        assert_eq!(NotificationKind::parse(text), None, "{text:?}");
        assert_eq!(NotificationStatus::parse(text), Err(UnknownNotificationStatus), "{text:?}");
        assert_eq!(Channel::parse(text), None, "{text:?}");
    }
}

#[test]
fn lists_show_what_is_open_unless_told_otherwise() {
    let shown = |filter: NotificationFilter| NotificationStatus::ALL.map(|s| filter.matches(s));
    assert_eq!(shown(NotificationFilter::default()), [true, true, false]);
    assert_eq!(shown(NotificationFilter::All), [true, true, true]);
    for (n, status) in NotificationStatus::ALL.into_iter().enumerate() {
        let only = std::array::from_fn(|other| other == n);
        assert_eq!(shown(NotificationFilter::Status(status)), only);
    }
}

#[test]
fn stock_gets_a_fresh_id_every_time() {
    let fresh = NotificationId::fixed(5);
    assert_eq!(notification_id(ItemId::fixed(2), &low("0", "1"), fresh), fresh);
    assert_eq!(next_fresh_id(fresh), NotificationId::fixed(6));
}

#[test]
fn only_mails_about_the_date_of_what_was_changed_wait_for_the_next_day() {
    use Occasion::{Changed, DayBegan};
    let (dates, stock) =
        (NotificationTopic::Dates(ItemId::fixed(2)), NotificationTopic::Stock(ProductId::fixed(2)));
    let at: Timestamp = "2026-03-10T18:00:00Z".parse().unwrap();
    let next_day: Timestamp = "2026-03-10T23:00:00Z".parse().unwrap();
    for (channel, topic, occasion, expected) in [
        (Channel::Mail, dates, Changed, "2026-03-10T23:15:00Z".parse().unwrap()),
        (Channel::Mail, dates, DayBegan, at),
        (Channel::Mail, stock, Changed, at),
        (Channel::Webhook, dates, Changed, at),
    ] {
        let due = first_delivery_at(channel, topic, occasion, at, next_day);
        assert_eq!(due, expected, "{channel:?} {topic:?} {occasion:?}");
    }
}

fn any_day() -> impl Strategy<Value = ExpirationDate> {
    (0..73_413_i32).prop_map(|days| {
        let date = date(1900, 1, 1).saturating_add(jiff::Span::new().days(days));
        day(&date.to_string())
    })
}

fn any_subject() -> impl Strategy<Value = NotificationSubject> {
    prop_oneof![
        any_day().prop_map(NotificationSubject::ExpiringSoon),
        any_day().prop_map(NotificationSubject::Expired),
    ]
}

proptest! {
    #[test]
    fn an_item_has_one_id_per_kind_and_date(
        bytes in any::<[u8; 16]>(),
        one in any_subject(),
        two in any_subject(),
        fresh in any::<[u8; 16]>(),
    ) {
        let (item, fresh) = (ItemId::from_random(bytes), NotificationId::from_random(fresh));
        let id = |subject| notification_id(item, subject, fresh);
        prop_assert_eq!(id(&one) == id(&two), one.is_same_as(&two));
        prop_assert_eq!(id(&one), notification_id(item, &one, NotificationId::fixed(0)));
        let text = id(&one).to_string();
        prop_assert_eq!(&text[14..15], "4", "still a UUID v4: {}", text);
        prop_assert!("89ab".contains(&text[19..20]), "still a UUID v4: {}", text);
    }

    /// Whatever was open before: settling leaves exactly the justified notifications open, and is
    /// idempotent.
    #[test]
    fn settling_leaves_what_is_so_and_is_then_done(
        quantity in 0..300_i64,
        threshold in prop::option::of(0..300_i64),
        expiration in prop::option::of(-5..10_i32),
        before in prop::collection::vec((0..3_usize, -5..10_i32, any::<bool>()), 0..5),
    ) {
        let dated = |days: i32| day(&TODAY.saturating_add(jiff::Span::new().days(days)).to_string());
        let mut milk = item("0", None, None);
        milk.details.quantity = Quantity::from_hundredths(quantity).unwrap();
        milk.details.low_stock_threshold =
            threshold.map(|hundredths| Quantity::from_hundredths(hundredths).unwrap());
        milk.details.expiration = expiration.map(dated);
        let mut all: Vec<_> = (10..).zip(before).map(|(number, (kind, days, is_over))| {
            let subject = match kind {
                0 => low("0", "1"),
                1 => NotificationSubject::ExpiringSoon(dated(days)),
                _ => NotificationSubject::Expired(dated(days)),
            };
            let mut notification = said(number, subject);
            notification.resolved_at = is_over.then_some(Timestamp::UNIX_EPOCH);
            notification
        }).collect();
        let (mut stock, mut dates): (Vec<_>, Vec<_>) =
            all.drain(..).partition(|said| said.subject.date().is_none());
        let settled = stock_of(&milk, &stock);
        apply(&mut stock, settled);
        prop_assert_eq!(stock_of(&milk, &stock), Settlement::default());
        let judge = |open: &[Notification]| settle_dates(Some(&milk), open, TODAY);
        let settled = judge(&dates);
        apply(&mut dates, settled);
        prop_assert_eq!(judge(&dates), Settlement::default());
        let said = || stock.iter().chain(&dates).filter(|said| said.is_open());
        let is_open = |kind| said().any(|said| said.subject.kind() == kind);
        let is_low = threshold.is_some_and(|threshold| quantity < threshold);
        prop_assert_eq!(is_open(NotificationKind::LowStock), is_low);
        let left = expiration.filter(|_| quantity > 0);
        let is_soon = left.is_some_and(|days| (0..=3).contains(&days));
        prop_assert_eq!(is_open(NotificationKind::ExpiringSoon), is_soon);
        prop_assert_eq!(is_open(NotificationKind::Expired), left.is_some_and(|days| days < 0));
    }
}

/// Does what was settled.
fn apply(notifications: &mut Vec<Notification>, settled: Settlement) {
    for notification in notifications.iter_mut() {
        if settled.resolve.contains(&notification.id) {
            assert!(notification.is_open());
            notification.resolved_at = Some(Timestamp::UNIX_EPOCH);
        }
        if let Some((_, subject)) =
            settled.restate.as_ref().filter(|(id, _)| *id == notification.id)
        {
            notification.subject = subject.clone();
        }
    }
    notifications.extend(settled.open.map(|subject| said(100, subject)));
}
