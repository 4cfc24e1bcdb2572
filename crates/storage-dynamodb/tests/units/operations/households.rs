//! Households and their members.

use larder_domain::{
    AutoList, Currency, Household, HouseholdName, HouseholdPatch, InviteCode, Role, UserId, Whose,
    Zone,
};
use larder_storage::{
    ChangeMember, CreateHousehold, HouseholdScope, Households, JoinHousehold, MoveItem, MoveReport,
    RemoveMember, ReplaceInviteCode, Scope,
};

use crate::family::{Family, HOME, KEN, MIA, details, home};

const ANN: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0003);

pub(crate) async fn measure(family: &Family) {
    found_and_join(family).await;
    manage(family).await;
    move_in(family).await;
}

async fn found_and_join(family: &Family) {
    let mia = family.user(MIA).await;
    let household = Household {
        id: HOME,
        name: HouseholdName::parse("Home").unwrap(),
        zone: Zone::parse("Asia/Tokyo").unwrap(),
        currency: Currency::EURO,
        auto_list: AutoList::ON,
        invite_code: InviteCode::parse("ABCDEFGH2345").unwrap(),
        created_by: MIA,
        created_at: family.write().at,
    };
    let claim = family.claim("found");
    let created = family
        .measure("found a household, once", "create_household", async |store| {
            store.create_household(&household, &mia, false, family.claimed(&claim)).await
        })
        .await;
    assert_eq!(created, CreateHousehold::Created);

    let code = &household.invite_code;
    let opened =
        family.measure("look up an invite code", "find_invited_household", async |store| {
            store.find_invited_household(code).await
        });
    assert_eq!(opened.await, Some(HOME));

    let ken = family.user(KEN).await;
    let claim = family.claim("join");
    let joined = family
        .measure("join a household, once", "join_household", async |store| {
            store.join_household(HOME, code, &ken, false, family.claimed(&claim)).await
        })
        .await;
    assert_eq!(joined, JoinHousehold::Joined(household.clone()));
}

async fn manage(family: &Family) {
    let found = family
        .measure("show a household", "find_household", async |store| {
            store.find_household(home(MIA)).await
        })
        .await;
    assert_eq!(found.map(|household| household.id), Some(HOME));

    let name = Some(HouseholdName::parse("Our Home").unwrap());
    let patch = HouseholdPatch { name, ..HouseholdPatch::default() };
    let updated = family
        .measure("rename a household", "update_household", async |store| {
            store.update_household(home(MIA), &patch, family.write()).await
        })
        .await;
    assert_eq!(updated.unwrap().name.as_str(), "Our Home");

    let code = InviteCode::parse("MNPQRSTU6789").unwrap();
    let replaced =
        family.measure("replace the invite code", "replace_invite_code", async |store| {
            store.replace_invite_code(home(MIA), &code, family.write()).await
        });
    let ReplaceInviteCode::Replaced(household) = replaced.await else {
        panic!("the code is free");
    };
    assert_eq!(household.invite_code, code);

    let members = family
        .measure("list two members", "list_members", async |store| {
            store.list_members(home(MIA)).await
        })
        .await;
    assert_eq!(members.len(), 2);

    let changed = family
        .measure("change a role", "change_role", async |store| {
            store.change_role(home(MIA), KEN, Role::Admin, family.write()).await
        })
        .await;
    assert!(matches!(changed, ChangeMember::Done(_)), "{changed:?}");
    let code = InviteCode::parse("VWXYZ2345678").unwrap();
    let removed = family
        .measure("remove a member", "remove_member", async |store| {
            store.remove_member(home(MIA), KEN, &code, family.write()).await
        })
        .await;
    assert!(matches!(removed, RemoveMember::Removed(_)), "{removed:?}");
}

/// Ann brings two things of her own.
async fn move_in(family: &Family) {
    let ann = family.register(ANN, "ann@example.com").await;
    let scope = HouseholdScope::assume_authorized(HOME, ANN);
    let own: Scope = scope.personal_inventory();
    let tea = family.add(own, details("Tea")).await;
    family.add(own, details("Salt")).await;
    let code = InviteCode::parse("VWXYZ2345678").unwrap();
    let joined =
        family.store.join_household(HOME, &code, &ann, true, family.write()).await.unwrap();
    assert!(matches!(joined, JoinHousehold::Joined(_)), "{joined:?}");
    let moved = family
        .measure("move two own items in", "move_personal_items", async |store| {
            store.move_personal_items(scope, family.write()).await
        })
        .await;
    assert_eq!(moved, MoveReport { moved: 2, merged: 0, kept: 0 });
    for (operation, to) in [
        ("move an item out of the household", Whose::Personal),
        ("move it back to a product that is known", Whose::Household),
    ] {
        let moved = family
            .measure(operation, "move_item", async |store| {
                store.move_item(scope, tea.id, to, family.write()).await
            })
            .await;
        assert!(matches!(moved, MoveItem::Moved(_)), "{moved:?}");
    }
}
