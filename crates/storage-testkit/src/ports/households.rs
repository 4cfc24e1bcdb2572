//! Households and the codes that open them.

use futures_util::future::join_all;
use larder_domain::{Change, Currency, Household, HouseholdName, HouseholdPatch, Versions, Zone};
use larder_storage::{CreateHousehold, HouseholdScope, JoinHousehold, ReplaceInviteCode};

use crate::StoreHarness;

pub async fn p03_a_household_is_found_as_it_was_founded(h: &StoreHarness) {
    let home = h.home().await;
    let found = h.store().find_household(home.scope).await.unwrap();
    assert_eq!(found.as_ref(), Some(&home.household));
    let code = &home.household.invite_code;
    let invited = h.store().find_invited_household(code).await.unwrap();
    assert_eq!(invited, Some(home.household.id));
}

pub async fn p03_a_person_belongs_to_one_household(h: &StoreHarness) {
    let (home, other) = (h.home().await, h.home().await);
    let second = h.new_household(&home.admin);
    let refused = h.store().create_household(&second, &home.admin, false, h.write()).await;
    assert_eq!(refused.unwrap(), CreateHousehold::AlreadyInHousehold);
    let scope = HouseholdScope::assume_authorized(second.id, home.admin.id);
    assert_eq!(h.store().find_household(scope).await.unwrap(), None);
    assert_eq!(h.store().find_invited_household(&second.invite_code).await.unwrap(), None);
    let Household { id, invite_code, .. } = &other.household;
    let refused = h.store().join_household(*id, invite_code, &home.admin, false, h.write()).await;
    assert_eq!(refused.unwrap(), JoinHousehold::AlreadyInHousehold);
}

pub async fn p03_a_person_in_a_hurry_still_belongs_to_one_household(h: &StoreHarness) {
    let user = h.user().await;
    let households: Vec<_> = (0..8).map(|_| h.new_household(&user)).collect();
    let founding = households
        .iter()
        .map(|household| h.store().create_household(household, &user, false, h.write()));
    let outcomes = join_all(founding).await;
    let created: Vec<_> = (0..8)
        .filter(|n| *outcomes[*n].as_ref().unwrap() == CreateHousehold::Created)
        .map(|n| households[n].id)
        .collect();
    assert_eq!(created.len(), 1, "{outcomes:?}");
    assert_eq!(h.reread(user.id).await.membership.unwrap().household, created[0]);
}

pub async fn p03_a_household_changes_only_what_the_patch_names(h: &StoreHarness) {
    let home = h.home().await;
    let name = HouseholdName::parse("うち").unwrap();
    let patch = HouseholdPatch { name: Some(name.clone()), ..HouseholdPatch::default() };
    let updated = h.store().update_household(home.scope, &patch, h.write()).await.unwrap();
    let expected = Household { name, ..home.household.clone() };
    assert_eq!(updated.as_ref(), Some(&expected));
    let zone = Zone::parse("Europe/Berlin").unwrap();
    let patch = HouseholdPatch { zone: Some(zone.clone()), ..HouseholdPatch::default() };
    h.store().update_household(home.scope, &patch, h.write()).await.unwrap();
    let expected = Household { zone, ..expected };
    assert_eq!(h.store().find_household(home.scope).await.unwrap(), Some(expected));
}

pub async fn p03_a_household_pays_in_one_currency_at_a_time(h: &StoreHarness) {
    let (user, yen) = (h.user().await, Currency::parse("JPY").unwrap());
    let founded = Household { currency: yen, ..h.new_household(&user) };
    h.store().create_household(&founded, &user, false, h.write()).await.unwrap();
    let scope = HouseholdScope::assume_authorized(founded.id, user.id);
    assert_eq!(h.store().find_household(scope).await.unwrap(), Some(founded.clone()));
    let mut before = founded;
    for currency in [Currency::EURO, yen, Currency::EURO] {
        let head = h.store().changes_head(scope.inventory()).await.unwrap();
        let patch = HouseholdPatch { currency: Some(currency), ..HouseholdPatch::default() };
        let updated = h.store().update_household(scope, &patch, h.write()).await.unwrap();
        let expected = Household { currency, ..before.clone() };
        assert_eq!(updated.as_ref(), Some(&expected));
        assert_eq!(h.store().find_household(scope).await.unwrap().as_ref(), Some(&expected));
        let told = h.store().changes_after(scope.inventory(), head, 10).await.unwrap().unwrap();
        let versions = Versions { old: Some(before), new: Some(expected.clone()) };
        let changes: Vec<_> = told.changes.into_iter().map(|told| told.change).collect();
        assert_eq!(changes, [Change::Household(Box::new(versions))]);
        before = expected;
    }
}

pub async fn p04_an_invite_code_opens_one_household(h: &StoreHarness) {
    let home = h.home().await;
    let code = home.household.invite_code.clone();
    let user = h.user().await;
    let second = Household { invite_code: code.clone(), ..h.new_household(&user) };
    let refused = h.store().create_household(&second, &user, false, h.write()).await.unwrap();
    assert_eq!(refused, CreateHousehold::InviteCodeTaken);
    assert_eq!(h.reread(user.id).await.membership, None);
    let other = h.home().await;
    let refused = h.store().replace_invite_code(other.scope, &code, h.write()).await.unwrap();
    assert_eq!(refused, ReplaceInviteCode::Taken);
    let found = h.store().find_household(other.scope).await.unwrap();
    assert_eq!(found, Some(other.household));
}

pub async fn p04_a_replaced_code_is_dead_at_once(h: &StoreHarness) {
    let home = h.home().await;
    let (old, new) = (home.household.invite_code.clone(), h.invite_code());
    let replaced = h.store().replace_invite_code(home.scope, &new, h.write()).await.unwrap();
    let expected = Household { invite_code: new.clone(), ..home.household.clone() };
    assert_eq!(replaced, ReplaceInviteCode::Replaced(expected.clone()));
    assert_eq!(h.store().find_invited_household(&old).await.unwrap(), None);
    assert_eq!(h.store().find_invited_household(&new).await.unwrap(), Some(home.household.id));
    let user = h.user().await;
    let id = home.household.id;
    let refused = h.store().join_household(id, &old, &user, false, h.write()).await.unwrap();
    assert_eq!(refused, JoinHousehold::InviteNotFound);
    let joined = h.store().join_household(id, &new, &user, false, h.write()).await.unwrap();
    assert_eq!(joined, JoinHousehold::Joined(expected));
}

pub async fn p04_a_replaced_code_may_be_used_by_another_household(h: &StoreHarness) {
    let (home, other) = (h.home().await, h.home().await);
    let old = home.household.invite_code.clone();
    h.store().replace_invite_code(home.scope, &h.invite_code(), h.write()).await.unwrap();
    h.store().replace_invite_code(other.scope, &old, h.write()).await.unwrap();
    let opened = h.store().find_invited_household(&old).await.unwrap();
    assert_eq!(opened, Some(other.household.id));
}

pub async fn p04_a_household_that_is_not_there_gets_no_code(h: &StoreHarness) {
    let user = h.user().await;
    let nowhere = HouseholdScope::assume_authorized(h.new_household(&user).id, user.id);
    let code = h.invite_code();
    let refused = h.store().replace_invite_code(nowhere, &code, h.write()).await.unwrap();
    assert_eq!(refused, ReplaceInviteCode::NotFound);
    let patch = HouseholdPatch { zone: Some(Zone::UTC), ..HouseholdPatch::default() };
    assert_eq!(h.store().update_household(nowhere, &patch, h.write()).await.unwrap(), None);
    assert_eq!(h.store().find_invited_household(&code).await.unwrap(), None);
}
