//! Adding items, and merging those with the same name.

use larder_domain::{
    CATEGORIES, Email, Household, HouseholdName, ImageUrl, Item, ItemDetails, ItemName, Notes,
    OpeningDate, Owner, PersonName, Price, Quantity, SEEDED_LOCATIONS,
};
use larder_storage::{AddItem, CreateHousehold, CreateUser, HouseholdScope, NewUser, Scope};

use crate::StoreHarness;
use crate::sample::{dated, details, quantity};
use crate::store_harness::personal;

async fn add(h: &StoreHarness, scope: Scope, details: ItemDetails) -> AddItem {
    let write = h.write();
    h.store().add_item(scope, &h.item(scope, details), write).await.unwrap()
}

fn merged(outcome: AddItem) -> Item {
    match outcome {
        AddItem::Merged(item) => item,
        other => panic!("the two should merge: {other:?}"),
    }
}

pub async fn p07_an_item_is_found_at_once_and_exactly_as_added(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let full = ItemDetails {
        category: CATEGORIES[4].id,
        location: Some(SEEDED_LOCATIONS[0].id),
        image_url: Some(ImageUrl::parse("https://example.com/🥛.png").unwrap()),
        notes: Some(Notes::parse("oben\nlinks ").unwrap()),
        low_stock_threshold: Some(quantity("0.5")),
        opened_on: Some(OpeningDate::parse("1900-01-01").unwrap()),
        price_paid: Some(Price::parse("99999999.99").unwrap()),
        ..dated(" Whole ミルク 👩‍👩‍👧 حليب ", "99999999.99", "㎏", "2100-12-31")
    };
    let item = h.add(scope, full).await;
    assert_eq!(h.find(scope, item.id).await, Some(item.clone()));
    h.expect_inventory(scope, &[item]).await;
}

pub async fn p17_texts_come_back_byte_for_byte(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    // The last ones are from before invisible characters were refused.
    for text in
        ["é", "a%_\\'\"", "חלב עמיד", "ｶﾞ", "\u{3000}x\u{3000}", "\u{1f9c0}\u{200d}", "\u{202e}kliM"]
    {
        let name = ItemName::parse_stored(text).unwrap();
        let notes = Some(Notes::parse(text).unwrap());
        let item = h.add(scope, ItemDetails { name, notes, ..details("x", "1", text) }).await;
        let product = h.product(scope, item.product.unwrap()).await.product;
        assert_eq!(product.details.name.as_str(), text);
        let found = h.find(scope, item.id).await.unwrap();
        assert_eq!(found.details.name.as_str(), text);
        assert_eq!(found, item);
    }
}

pub async fn p17_names_from_before_invisible_characters_were_refused_are_read(h: &StoreHarness) {
    let new = NewUser {
        name: PersonName::parse_stored("Mi\u{200b}a").unwrap(),
        email: Email::parse_stored(&format!("\u{200b}{}@example.com", h.user_id())).unwrap(),
        ..h.new_user()
    };
    let created = h.store().create_user(&new, h.now()).await.unwrap();
    assert_eq!(created, CreateUser::Created);
    let user = h.reread(new.id).await;
    assert_eq!((&user.name, &user.email), (&new.name, &new.email));
    let credentials = h.store().find_credentials(&new.email).await.unwrap().unwrap();
    assert_eq!(credentials.user, new.id);

    let name = HouseholdName::parse_stored("Ho\u{2060}me").unwrap();
    let household = Household { name: name.clone(), ..h.new_household(&user) };
    let created = h.store().create_household(&household, &user, false, h.write()).await;
    assert_eq!(created.unwrap(), CreateHousehold::Created);
    let scope = HouseholdScope::assume_authorized(household.id, user.id);
    assert_eq!(h.store().find_household(scope).await.unwrap().unwrap().name, name);
    let members = h.household_members(scope).await;
    assert_eq!((&members[0].name, &members[0].email), (&new.name, &new.email));
}

pub async fn p07_undated_goods_of_one_name_merge(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let first = h.add(scope, details("Milk", "1.25", "L")).await;
    let again = merged(add(h, scope, details("Milk", "0.5", "L")).await);
    let expected = ItemDetails { quantity: quantity("1.75"), ..first.details.clone() };
    assert_eq!(again, first.changed(expected, scope.actor(), h.now()));
    assert_eq!(h.find(scope, first.id).await, Some(again.clone()));
    h.expect_inventory(scope, &[again]).await;
}

pub async fn p07_more_of_an_item_changes_nothing_else_about_it(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let described = |date: &str| ItemDetails {
        notes: Notes::parse(date).ok(),
        opened_on: OpeningDate::parse(date).ok(),
        price_paid: Price::parse(&date[8..]).ok(),
        ..details("Milk", "1", "L")
    };
    for scope in [scope, personal(h.user().await.id)] {
        for first in [described("2031-02-01"), details("Juice", "1", "L")] {
            let item = h.add(scope, first.clone()).await;
            let more = ItemDetails { name: first.name.clone(), ..described("2031-02-28") };
            let expected = ItemDetails { quantity: quantity("2"), ..first };
            assert_eq!(merged(add(h, scope, more).await).details, expected);
            assert_eq!(h.find(scope, item.id).await.unwrap().details, expected);
        }
    }
}

pub async fn p07_another_date_is_another_item(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let undated = h.add(scope, details("Milk", "1", "L")).await;
    let march = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    let april = h.add(scope, dated("Milk", "1", "L", "2031-04-01")).await;
    let more = merged(add(h, scope, dated("Milk", "1", "L", "2031-03-01")).await);
    assert_eq!((more.id, more.details.quantity), (march.id, quantity("2")));
    h.expect_inventory(scope, &[april, more, undated]).await;
}

pub async fn p07_case_width_and_blanks_make_no_other_item(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let first = h.add(scope, details("Milk ﾄﾏﾄ", "1", "個")).await;
    for name in ["MILK トマト", " milk ﾄﾏﾄ ", "ｍｉｌｋ トマト"] {
        let item = merged(add(h, scope, details(name, "1", "個")).await);
        assert_eq!(item.id, first.id, "{name}");
        assert_eq!(item.details.name, first.details.name, "the first name stays");
    }
    let total = h.find(scope, first.id).await.unwrap();
    assert_eq!((total.details.quantity, total.version), (quantity("4"), 4));
}

pub async fn p07_units_convert_exactly_or_refuse(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let flour = h.add(scope, details("Flour", "1", "kg")).await;
    let more = merged(add(h, scope, details("Flour", "250", "グラム")).await);
    assert_eq!(
        (more.details.quantity, &more.details.unit),
        (quantity("1.25"), &flour.details.unit)
    );
    for unit in ["個", "L"] {
        let refused = add(h, scope, details("Flour", "1", unit)).await;
        assert_eq!(refused, AddItem::UnitMismatch(more.clone()));
    }
    // 0.005 kg has three decimals.
    let refused = add(h, scope, details("Flour", "5", "g")).await;
    assert_eq!(refused, AddItem::UnitMismatch(more.clone()));
    assert_eq!(h.find(scope, flour.id).await, Some(more));
}

pub async fn p07_too_much_is_refused_and_changes_nothing(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let sand = h.add(scope, details("Sand", "99999999.98", "kg")).await;
    let refused = add(h, scope, details("Sand", "0.02", "kg")).await;
    assert_eq!(refused, AddItem::Overflow(sand.clone()));
    assert_eq!(h.find(scope, sand.id).await, Some(sand));
    let full = merged(add(h, scope, details("Sand", "0.01", "kg")).await);
    assert_eq!(full.details.quantity, Quantity::MAX);
}

pub async fn p07_a_deleted_or_renamed_item_frees_its_name(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap();
    let second = h.add(scope, details("MILK", "2", "個")).await;
    let renamed = details("Oat milk", "2", "個");
    let outcome = h.store().replace_item(scope, second.id, 1, &renamed, false, h.write()).await;
    // The only lot of its product takes it along.
    let renamed = second.changed(renamed, scope.actor(), h.now());
    assert_eq!(renamed.product, milk.product);
    assert_eq!(outcome.unwrap(), larder_storage::ReplaceItem::Replaced(renamed.clone()));
    let third = h.add(scope, details("milk", "3", "L")).await;
    h.expect_inventory(scope, &[third, renamed]).await;
}

pub async fn p16_what_two_people_keep_for_themselves_stays_apart(h: &StoreHarness) {
    let (mia, ben) = (personal(h.user().await.id), personal(h.user().await.id));
    let hers = h.add(mia, details("Milk", "1", "L")).await;
    let his = h.add(ben, details("Milk", "2", "L")).await;
    assert_eq!(hers.owner, Owner::User(mia.actor()));
    h.expect_inventory(mia, std::slice::from_ref(&hers)).await;
    h.expect_inventory(ben, &[his]).await;
    assert_eq!(h.find(ben, hers.id).await, None);
}

pub async fn p07_a_reference_to_nothing_is_refused_even_where_it_would_merge(h: &StoreHarness) {
    let home = h.home().await;
    for scope in [home.inventory(), home.scope.personal_inventory()] {
        let milk = h.add(scope, details("Milk", "1", "L")).await;
        let nowhere = ItemDetails { location: Some(h.location_id()), ..details("Milk", "1", "L") };
        assert_eq!(add(h, scope, nowhere).await, AddItem::LocationNotFound);
        let no_shop =
            ItemDetails { preferred_store: Some(h.store_id()), ..details("Milk", "1", "個") };
        assert_eq!(add(h, scope, no_shop).await, AddItem::StoreNotFound);
        assert_eq!(h.find(scope, milk.id).await, Some(milk));
    }
}
