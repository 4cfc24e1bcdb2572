//! A household to try things with.

use larder_domain::{
    AutoList, Currency, Email, Household, HouseholdId, HouseholdName, InviteCode, Item,
    ItemDetails, ItemId, ItemName, PersonName, Quantity, Unit, UserId, Zone,
};
use larder_storage::{
    Accounts, Admission, Clock, CreateHousehold, HouseholdScope, Households, Inventory,
    ManualClock, NewUser, Write,
};
use larder_storage_postgres::PostgresStore;

/// A household that one store founded.
pub(crate) async fn found(store: &PostgresStore, clock: &ManualClock) -> HouseholdScope {
    let at = clock.now();
    let user = NewUser {
        id: UserId::fixed(1),
        email: Email::parse("mia@example.com").unwrap(),
        name: PersonName::parse("Mia").unwrap(),
        password_hash: None,
        identity: None,
        admission: Admission::Anyone,
    };
    store.create_user(&user, at).await.unwrap();
    let creator = store.find_user(user.id).await.unwrap().unwrap();
    let household = Household {
        id: HouseholdId::fixed(2),
        name: HouseholdName::parse("Home").unwrap(),
        zone: Zone::UTC,
        currency: Currency::EURO,
        auto_list: AutoList::ON,
        invite_code: InviteCode::from_random([7; 12]),
        created_by: creator.id,
        created_at: at,
    };
    let founded = store.create_household(&household, &creator, false, Write::at(at)).await;
    assert_eq!(founded.unwrap(), CreateHousehold::Created);
    HouseholdScope::assume_authorized(household.id, creator.id)
}

/// Something new in it.
pub(crate) async fn add(
    store: &PostgresStore,
    scope: HouseholdScope,
    n: u128,
    clock: &ManualClock,
) -> ItemId {
    add_watched(store, scope, n, None, clock).await
}

/// Adds an item with a low-stock threshold.
pub(crate) async fn add_watched(
    store: &PostgresStore,
    scope: HouseholdScope,
    n: u128,
    threshold: Option<&str>,
    clock: &ManualClock,
) -> ItemId {
    let details = ItemDetails {
        low_stock_threshold: threshold.map(|number| Quantity::parse(number).unwrap()),
        ..ItemDetails::new(
            ItemName::parse(&format!("Box {n}")).unwrap(),
            Quantity::parse("1").unwrap(),
            Unit::parse("個").unwrap(),
        )
    };
    let inventory = scope.inventory();
    let at = clock.now();
    let item = Item::new(ItemId::fixed(n), inventory.owner(), details, scope.actor(), at);
    store.add_item(inventory, &item, Write::at(at)).await.unwrap();
    item.id
}
