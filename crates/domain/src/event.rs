//! Changes of a household's data, and the events that they mean.

use crate::{
    Household, HouseholdId, HouseholdName, Item, ItemId, ItemName, Member, Notification,
    NotificationId, NotificationKind, Owner, PersonName, Product, ProductId, Quantity, Role,
    ShoppingItem, ShoppingItemId, ShoppingName, ShoppingStatus, StorageLocation, StorageLocationId,
    Store, StoreId, UserId,
};

/// Something before and after. Never both absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions<T> {
    /// The old version; `None` if it was created.
    pub old: Option<T>,
    /// The new version; `None` if it was deleted.
    pub new: Option<T>,
}

/// A committed change of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Of the household itself.
    Household(Box<Versions<Household>>),
    /// Of a member.
    Member(Versions<Member>),
    /// Of an item.
    Item(Box<Versions<Item>>),
    /// Of a product.
    Product(Box<Versions<Product>>),
    /// Of a storage location of its own.
    Location(Versions<StorageLocation>),
    /// Of a shop.
    Store(Versions<Store>),
    /// Of an entry of the shopping list.
    Shopping(Box<Versions<ShoppingItem>>),
    /// Of a notification.
    Notification(Box<Versions<Notification>>),
}

/// The meaning of a change for a household.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // The names of the fields say it all.
pub enum DomainEvent {
    HouseholdCreated { household: HouseholdId, created_by: UserId, name: HouseholdName },
    HouseholdUpdated { household: HouseholdId, name: HouseholdName },
    MemberInvited { household: HouseholdId, invited_by: Option<UserId> },
    MemberJoined { user: UserId, role: Role },
    MemberRoleChanged { user: UserId, role: Role },
    MemberRenamed { user: UserId, name: PersonName },
    MemberLeft { user: UserId },
    ItemAdded { item: ItemId, owner: Owner, name: ItemName },
    ItemUpdated { item: ItemId, owner: Owner, changes: Vec<&'static str> },
    ItemDeleted { item: ItemId, owner: Owner },
    ItemDepleted { item: ItemId, owner: Owner, name: ItemName },
    ItemRestocked { item: ItemId, owner: Owner, new_quantity: Quantity },
    ProductUpdated { product: ProductId, owner: Owner, changes: Vec<&'static str> },
    ProductDeleted { product: ProductId, owner: Owner },
    StorageLocationAdded { location: StorageLocationId },
    StorageLocationUpdated { location: StorageLocationId },
    StorageLocationDeleted { location: StorageLocationId },
    StoreAdded { store: StoreId },
    StoreUpdated { store: StoreId },
    StoreDeleted { store: StoreId },
    ShoppingItemAdded { item: ShoppingItemId, name: ShoppingName },
    ShoppingItemUpdated { item: ShoppingItemId },
    ShoppingItemPurchased { item: ShoppingItemId, restocks: Option<ItemId> },
    ShoppingItemUnchecked { item: ShoppingItemId },
    ShoppingItemRemoved { item: ShoppingItemId },
    NotificationOpened { notification: NotificationId, item: ItemId, kind: NotificationKind },
    NotificationAcknowledged { notification: NotificationId, item: ItemId },
    NotificationUpdated { notification: NotificationId, item: ItemId },
    NotificationResolved { notification: NotificationId, item: ItemId },
}

impl DomainEvent {
    /// Every result of [`name`](Self::name), for subscribing by name.
    pub const NAMES: [&'static str; 29] = [
        "HouseholdCreated",
        "HouseholdUpdated",
        "MemberInvited",
        "MemberJoined",
        "MemberRoleChanged",
        "MemberRenamed",
        "MemberLeft",
        "ItemAdded",
        "ItemUpdated",
        "ItemDeleted",
        "ItemDepleted",
        "ItemRestocked",
        "ProductUpdated",
        "ProductDeleted",
        "StorageLocationAdded",
        "StorageLocationUpdated",
        "StorageLocationDeleted",
        "StoreAdded",
        "StoreUpdated",
        "StoreDeleted",
        "ShoppingItemAdded",
        "ShoppingItemUpdated",
        "ShoppingItemPurchased",
        "ShoppingItemUnchecked",
        "ShoppingItemRemoved",
        "NotificationOpened",
        "NotificationAcknowledged",
        "NotificationUpdated",
        "NotificationResolved",
    ];

    /// The name for listeners.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::HouseholdCreated { .. } => "HouseholdCreated",
            Self::HouseholdUpdated { .. } => "HouseholdUpdated",
            Self::MemberInvited { .. } => "MemberInvited",
            Self::MemberJoined { .. } => "MemberJoined",
            Self::MemberRoleChanged { .. } => "MemberRoleChanged",
            Self::MemberRenamed { .. } => "MemberRenamed",
            Self::MemberLeft { .. } => "MemberLeft",
            Self::ItemAdded { .. } => "ItemAdded",
            Self::ItemUpdated { .. } => "ItemUpdated",
            Self::ItemDeleted { .. } => "ItemDeleted",
            Self::ItemDepleted { .. } => "ItemDepleted",
            Self::ItemRestocked { .. } => "ItemRestocked",
            Self::ProductUpdated { .. } => "ProductUpdated",
            Self::ProductDeleted { .. } => "ProductDeleted",
            Self::StorageLocationAdded { .. } => "StorageLocationAdded",
            Self::StorageLocationUpdated { .. } => "StorageLocationUpdated",
            Self::StorageLocationDeleted { .. } => "StorageLocationDeleted",
            Self::StoreAdded { .. } => "StoreAdded",
            Self::StoreUpdated { .. } => "StoreUpdated",
            Self::StoreDeleted { .. } => "StoreDeleted",
            Self::ShoppingItemAdded { .. } => "ShoppingItemAdded",
            Self::ShoppingItemUpdated { .. } => "ShoppingItemUpdated",
            Self::ShoppingItemPurchased { .. } => "ShoppingItemPurchased",
            Self::ShoppingItemUnchecked { .. } => "ShoppingItemUnchecked",
            Self::ShoppingItemRemoved { .. } => "ShoppingItemRemoved",
            Self::NotificationOpened { .. } => "NotificationOpened",
            Self::NotificationAcknowledged { .. } => "NotificationAcknowledged",
            Self::NotificationUpdated { .. } => "NotificationUpdated",
            Self::NotificationResolved { .. } => "NotificationResolved",
        }
    }
}

impl Change {
    /// The events of the change. `by` is the acting user; `None` for the system.
    pub fn events(&self, by: Option<UserId>) -> Vec<DomainEvent> {
        match self {
            Self::Household(versions) => household_events(versions, by),
            Self::Member(versions) => member_events(versions),
            Self::Item(versions) => item_events(versions),
            Self::Product(versions) => product_events(versions),
            Self::Location(Versions { old, new }) => match (old, new) {
                (None, Some(new)) => vec![DomainEvent::StorageLocationAdded { location: new.id }],
                (Some(_), Some(new)) => {
                    vec![DomainEvent::StorageLocationUpdated { location: new.id }]
                }
                (Some(old), None) => {
                    vec![DomainEvent::StorageLocationDeleted { location: old.id }]
                }
                (None, None) => vec![],
            },
            Self::Store(Versions { old, new }) => match (old, new) {
                (None, Some(new)) => vec![DomainEvent::StoreAdded { store: new.id }],
                (Some(_), Some(new)) => vec![DomainEvent::StoreUpdated { store: new.id }],
                (Some(old), None) => vec![DomainEvent::StoreDeleted { store: old.id }],
                (None, None) => vec![],
            },
            Self::Shopping(versions) => shopping_events(versions),
            Self::Notification(versions) => notification_events(versions),
        }
    }
}

fn household_events(versions: &Versions<Household>, by: Option<UserId>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => vec![DomainEvent::HouseholdCreated {
            household: new.id,
            created_by: new.created_by,
            name: new.name.clone(),
        }],
        (Some(old), Some(new)) => {
            let mut events = Vec::new();
            // A new code was requested, or a member who knew the old one left.
            if old.invite_code != new.invite_code {
                events.push(DomainEvent::MemberInvited { household: new.id, invited_by: by });
            }
            let were = (&old.name, &old.zone, old.currency, old.auto_list);
            if were != (&new.name, &new.zone, new.currency, new.auto_list) {
                let name = new.name.clone();
                events.push(DomainEvent::HouseholdUpdated { household: new.id, name });
            }
            events
        }
        (_, None) => vec![],
    }
}

fn member_events(versions: &Versions<Member>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => vec![DomainEvent::MemberJoined { user: new.user, role: new.role }],
        (Some(old), Some(new)) => {
            let mut events = Vec::new();
            if old.role != new.role {
                events.push(DomainEvent::MemberRoleChanged { user: new.user, role: new.role });
            }
            if old.name != new.name {
                let name = new.name.clone();
                events.push(DomainEvent::MemberRenamed { user: new.user, name });
            }
            events
        }
        (Some(old), None) => vec![DomainEvent::MemberLeft { user: old.user }],
        (None, None) => vec![],
    }
}

fn shopping_events(versions: &Versions<ShoppingItem>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => {
            let name = new.details.name.clone();
            vec![DomainEvent::ShoppingItemAdded { item: new.id, name }]
        }
        (Some(old), Some(new)) if old.status == new.status => {
            vec![DomainEvent::ShoppingItemUpdated { item: new.id }]
        }
        (Some(_), Some(new)) => vec![match new.status {
            ShoppingStatus::Purchased => {
                DomainEvent::ShoppingItemPurchased { item: new.id, restocks: new.item }
            }
            ShoppingStatus::Pending => DomainEvent::ShoppingItemUnchecked { item: new.id },
        }],
        (Some(old), None) => vec![DomainEvent::ShoppingItemRemoved { item: old.id }],
        (None, None) => vec![],
    }
}

fn notification_events(versions: &Versions<Notification>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => {
            let kind = new.subject.kind();
            vec![DomainEvent::NotificationOpened { notification: new.id, item: new.item, kind }]
        }
        (Some(old), Some(new)) if old.is_open() && !new.is_open() => {
            vec![DomainEvent::NotificationResolved { notification: new.id, item: new.item }]
        }
        (Some(old), Some(new)) if old.acknowledged.is_none() && new.acknowledged.is_some() => {
            vec![DomainEvent::NotificationAcknowledged { notification: new.id, item: new.item }]
        }
        (Some(old), Some(new)) if old.subject != new.subject => {
            vec![DomainEvent::NotificationUpdated { notification: new.id, item: new.item }]
        }
        _ => vec![],
    }
}

fn item_events(versions: &Versions<Item>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (None, Some(new)) => vec![DomainEvent::ItemAdded {
            item: new.id,
            owner: new.owner,
            name: new.details.name.clone(),
        }],
        // It was given its product.
        (Some(old), Some(new)) if (old.version, &old.details) == (new.version, &new.details) => {
            vec![]
        }
        (Some(old), Some(new)) => {
            let (item, owner) = (new.id, new.owner);
            let changes = old.details.differences(&new.details);
            let mut events = vec![DomainEvent::ItemUpdated { item, owner, changes }];
            match (old.details.is_depleted(), new.details.is_depleted()) {
                (false, true) => events.push(DomainEvent::ItemDepleted {
                    item,
                    owner,
                    name: new.details.name.clone(),
                }),
                (true, false) => events.push(DomainEvent::ItemRestocked {
                    item,
                    owner,
                    new_quantity: new.details.quantity,
                }),
                _ => {}
            }
            events
        }
        (Some(old), None) => vec![DomainEvent::ItemDeleted { item: old.id, owner: old.owner }],
        (None, None) => vec![],
    }
}

fn product_events(versions: &Versions<Product>) -> Vec<DomainEvent> {
    match (&versions.old, &versions.new) {
        (Some(old), Some(new)) => {
            let (product, owner) = (new.id, new.owner);
            let changes = old.details.differences(&new.details);
            vec![DomainEvent::ProductUpdated { product, owner, changes }]
        }
        (Some(old), None) => {
            vec![DomainEvent::ProductDeleted { product: old.id, owner: old.owner }]
        }
        // A product that was made: listeners are told of its first lot.
        (None, _) => vec![],
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{
        Acknowledgement, AutoList, Currency, InviteCode, NotificationSubject, ShoppingChange,
        ShoppingDetails, Zone, item::tests::details,
    };

    fn item(quantity: &str) -> Item {
        let user = UserId::fixed(1);
        let details = details("Milk", quantity, "L");
        Item::new(ItemId::fixed(2), Owner::User(user), details, user, Timestamp::UNIX_EPOCH)
    }

    fn names(change: &Change) -> Vec<&'static str> {
        change.events(None).iter().map(DomainEvent::name).collect()
    }

    fn change(old: Option<&str>, new: Option<&str>) -> Change {
        Change::Item(Box::new(Versions { old: old.map(item), new: new.map(item) }))
    }

    #[test]
    fn every_name_is_in_the_list_of_names() {
        let source = include_str!("event.rs");
        let arms = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once("} => \""));
        let given: Vec<_> = arms.map(|(_, name)| name.trim_end_matches("\",")).collect();
        assert_eq!(given, DomainEvent::NAMES);
    }

    #[test]
    fn an_item_that_runs_out_or_comes_back_says_so() {
        assert_eq!(names(&change(None, Some("1"))), ["ItemAdded"]);
        assert_eq!(names(&change(Some("2"), Some("1"))), ["ItemUpdated"]);
        assert_eq!(names(&change(Some("1"), Some("0"))), ["ItemUpdated", "ItemDepleted"]);
        assert_eq!(names(&change(Some("0"), Some("3"))), ["ItemUpdated", "ItemRestocked"]);
        assert_eq!(names(&change(Some("1"), None)), ["ItemDeleted"]);
    }

    #[test]
    fn an_update_names_the_fields_that_changed() {
        let events = change(Some("2"), Some("1")).events(None);
        let DomainEvent::ItemUpdated { changes, .. } = &events[0] else { panic!("{events:?}") };
        assert_eq!(*changes, ["quantity"]);
    }

    #[test]
    fn a_new_invite_code_is_an_invitation_and_a_new_setting_is_an_update() {
        let old = Household {
            id: HouseholdId::fixed(1),
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::UTC,
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: InviteCode::from_random([0; 12]),
            created_by: UserId::fixed(1),
            created_at: Timestamp::UNIX_EPOCH,
        };
        let new = Household { invite_code: InviteCode::from_random([1; 12]), ..old.clone() };
        let yen = Household { currency: Currency::parse("JPY").unwrap(), ..old.clone() };
        let by_hand = Household { auto_list: AutoList::OFF, ..old.clone() };
        for set in [yen, by_hand] {
            let versions = Versions { old: Some(old.clone()), new: Some(set) };
            assert_eq!(names(&Change::Household(Box::new(versions))), ["HouseholdUpdated"]);
        }
        let by = Some(UserId::fixed(7));
        let change = Change::Household(Box::new(Versions { old: Some(old), new: Some(new) }));
        assert_eq!(
            change.events(by),
            [DomainEvent::MemberInvited { household: HouseholdId::fixed(1), invited_by: by }]
        );
    }

    fn entry() -> ShoppingItem {
        let name = ShoppingName::parse("Milk").unwrap();
        let details = ShoppingDetails { name, store: None, quantity: None, notes: None };
        let (id, household, item) =
            (ShoppingItemId::fixed(1), HouseholdId::fixed(2), Some(ItemId::fixed(3)));
        ShoppingItem::new(id, household, item, details, UserId::fixed(4), Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn a_member_tells_of_role_and_name_apart() {
        let member = Member {
            user: UserId::fixed(1),
            name: PersonName::parse("Mia").unwrap(),
            email: crate::Email::parse("mia@example.com").unwrap(),
            role: Role::Member,
            joined_at: Timestamp::UNIX_EPOCH,
        };
        let told = |new: &Member| {
            let versions = Versions { old: Some(member.clone()), new: Some(new.clone()) };
            names(&Change::Member(versions))
        };
        let renamed = Member { name: PersonName::parse("Mia M.").unwrap(), ..member.clone() };
        let both = Member { role: Role::Admin, ..renamed.clone() };
        assert_eq!(told(&member), Vec::<&str>::new());
        assert_eq!(told(&renamed), ["MemberRenamed"]);
        assert_eq!(told(&both), ["MemberRoleChanged", "MemberRenamed"]);
    }

    #[test]
    fn an_entry_of_the_list_tells_of_its_life() {
        let told = |old: Option<&ShoppingItem>, new: Option<&ShoppingItem>| {
            let versions = Versions { old: old.cloned(), new: new.cloned() };
            names(&Change::Shopping(Box::new(versions)))
        };
        let pending = entry();
        let bought = pending
            .changed(&ShoppingChange::Status(ShoppingStatus::Purchased), Timestamp::UNIX_EPOCH);
        let orphan = pending.orphaned(Timestamp::UNIX_EPOCH);
        assert_eq!(told(None, Some(&pending)), ["ShoppingItemAdded"]);
        assert_eq!(told(Some(&pending), Some(&orphan)), ["ShoppingItemUpdated"]);
        assert_eq!(told(Some(&pending), Some(&bought)), ["ShoppingItemPurchased"]);
        assert_eq!(told(Some(&bought), Some(&pending)), ["ShoppingItemUnchecked"]);
        assert_eq!(told(Some(&bought), None), ["ShoppingItemRemoved"]);
    }

    #[test]
    fn a_purchase_says_what_it_could_restock() {
        let bought = entry()
            .changed(&ShoppingChange::Status(ShoppingStatus::Purchased), Timestamp::UNIX_EPOCH);
        let versions = Versions { old: Some(entry()), new: Some(bought) };
        let (item, restocks) = (ShoppingItemId::fixed(1), Some(ItemId::fixed(3)));
        let expected = DomainEvent::ShoppingItemPurchased { item, restocks };
        assert_eq!(Change::Shopping(Box::new(versions)).events(None), [expected]);
    }

    #[test]
    fn a_notification_tells_each_step_once() {
        let told = |old: Option<&Notification>, new: Option<&Notification>| {
            let versions = Versions { old: old.cloned(), new: new.cloned() };
            names(&Change::Notification(Box::new(versions)))
        };
        let at = Timestamp::UNIX_EPOCH;
        let active = Notification {
            id: NotificationId::fixed(1),
            household: HouseholdId::fixed(2),
            item: ItemId::fixed(3),
            product: None,
            item_name: ItemName::parse("Milk").unwrap(),
            subject: NotificationSubject::Expired(
                crate::ExpirationDate::parse("2026-01-01").unwrap(),
            ),
            created_at: at,
            acknowledged: None,
            resolved_at: None,
            listed_at: None,
        };
        let by = UserId::fixed(4);
        let seen =
            Notification { acknowledged: Some(Acknowledgement { by, at }), ..active.clone() };
        let over = Notification { resolved_at: Some(at), ..seen.clone() };
        assert_eq!(told(None, Some(&active)), ["NotificationOpened"]);
        assert_eq!(told(Some(&active), Some(&seen)), ["NotificationAcknowledged"]);
        let date = crate::ExpirationDate::parse("2026-01-02").unwrap();
        let other = Notification { subject: NotificationSubject::Expired(date), ..seen.clone() };
        assert_eq!(told(Some(&seen), Some(&other)), ["NotificationUpdated"]);
        assert_eq!(told(Some(&seen), Some(&seen)), Vec::<&str>::new());
        assert_eq!(told(Some(&seen), Some(&over)), ["NotificationResolved"]);
        assert_eq!(told(Some(&active), Some(&over)), ["NotificationResolved"]);
        assert_eq!(told(Some(&over), None), Vec::<&str>::new());
    }
}
