//! Messages for tests.

use jiff::Timestamp;
use larder_app::Message;
use larder_domain::{
    AutoList, Currency, Email, ExpirationDate, Household, HouseholdId, HouseholdName, InviteCode,
    ItemId, ItemName, Member, Notification, NotificationId, NotificationSubject, PersonName,
    Quantity, Role, Unit, UserId, Zone,
};

pub(crate) const HOUSEHOLD: &str = "00000000-0000-0000-0000-000000000007";
pub(crate) const NOTIFICATION: &str = "00000000-0000-0000-0000-000000000009";
pub(crate) const ITEM: &str = "00000000-0000-0000-0000-000000000008";

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A member with this address and id.
pub(crate) fn member(number: u128, name: &str, email: &str) -> Member {
    Member {
        user: UserId::fixed(number),
        name: PersonName::parse(name).unwrap(),
        email: Email::parse(email).unwrap(),
        role: Role::Member,
        joined_at: at("2026-01-01T00:00:00Z"),
    }
}

/// Low stock of apples, half of two kilograms, for Anna and Ben.
pub(crate) fn low_stock() -> Message {
    message(NotificationSubject::LowStock {
        quantity: Quantity::from_hundredths(50).unwrap(),
        threshold: Quantity::from_hundredths(200).unwrap(),
        unit: Unit::parse("kg").unwrap(),
    })
}

/// Apples that expired yesterday.
pub(crate) fn expired() -> Message {
    message(NotificationSubject::Expired(ExpirationDate::parse("2026-02-28").unwrap()))
}

/// A message about apples.
pub(crate) fn message(subject: NotificationSubject) -> Message {
    let household = HouseholdId::fixed(7);
    Message {
        delivery_id: "a-delivery".to_owned(),
        notification: Notification {
            id: NotificationId::fixed(9),
            household,
            item: ItemId::fixed(8),
            product: None,
            item_name: ItemName::parse("りんご").unwrap(),
            subject,
            created_at: at("2026-03-01T09:29:58.250Z"),
            acknowledged: None,
            resolved_at: None,
            listed_at: None,
        },
        household: Household {
            id: household,
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::UTC,
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: InviteCode::from_random([3; 12]),
            created_by: UserId::fixed(1),
            created_at: at("2026-01-01T00:00:00Z"),
        },
        recipients: vec![
            member(1, "Anna", "anna@example.org"),
            member(2, "ベン", "ben@example.org"),
        ],
        sent_at: at("2026-03-01T09:30:00Z"),
    }
}
