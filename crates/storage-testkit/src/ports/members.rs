//! Members of a household, which always has an admin.

use futures_util::future::join_all;
use larder_domain::{Household, Member, Role};
use larder_storage::{ChangeMember, JoinHousehold, RemoveMember};

use crate::{Home, StoreHarness};

async fn admins(h: &StoreHarness, home: &Home) -> usize {
    let members = h.household_members(home.scope).await;
    members.iter().filter(|member| member.role == Role::Admin).count()
}

pub async fn p05_members_are_listed_in_the_order_of_their_ids(h: &StoreHarness) {
    let home = h.home().await;
    let mut expected = vec![home.admin.id];
    for _ in 0..3 {
        expected.push(h.join(&home).await.actor());
    }
    let joined_last = (expected[3], h.now());
    expected.sort();
    let members = h.household_members(home.scope).await;
    assert_eq!(members.iter().map(|member| member.user).collect::<Vec<_>>(), expected);
    let last = members.iter().find(|member| member.user == joined_last.0).unwrap();
    let user = h.reread(last.user).await;
    let (name, email) = (user.name, user.email);
    let as_member =
        Member { user: user.id, name, email, role: Role::Member, joined_at: joined_last.1 };
    assert_eq!(*last, as_member);
    assert_eq!(admins(h, &home).await, 1);
}

pub async fn p05_the_last_admin_stays_admin(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await.actor();
    let demote = h.store().change_role(home.scope, home.admin.id, Role::Member, h.write()).await;
    assert_eq!(demote.unwrap(), ChangeMember::LastAdmin);
    let leave = h.remove_from_household(home.scope, home.admin.id).await;
    assert_eq!(leave.unwrap(), RemoveMember::LastAdmin);
    h.store().change_role(home.scope, member, Role::Admin, h.write()).await.unwrap();
    let leave = h.remove_from_household(home.scope, home.admin.id).await;
    assert!(matches!(leave.unwrap(), RemoveMember::Removed(left) if left.user == home.admin.id));
    assert_eq!(h.reread(home.admin.id).await.membership, None);
    assert_eq!(admins(h, &home).await, 1);
}

pub async fn p05_a_role_that_is_held_already_may_be_given_again(h: &StoreHarness) {
    let home = h.home().await;
    let again = h.store().change_role(home.scope, home.admin.id, Role::Admin, h.write()).await;
    assert!(matches!(again.unwrap(), ChangeMember::Done(admin) if admin.role == Role::Admin));
    let member = h.join(&home).await.actor();
    for _ in 0..2 {
        h.store().change_role(home.scope, member, Role::Admin, h.write()).await.unwrap();
    }
    // Counted once: both may step down one after the other, and then no further.
    let down = h.store().change_role(home.scope, member, Role::Member, h.write()).await.unwrap();
    assert!(matches!(down, ChangeMember::Done(_)));
    let down = h.store().change_role(home.scope, home.admin.id, Role::Member, h.write()).await;
    assert_eq!(down.unwrap(), ChangeMember::LastAdmin);
}

pub async fn p05_admins_who_all_leave_at_once_leave_one_behind(h: &StoreHarness) {
    let home = h.home().await;
    let mut everyone = vec![home.admin.id];
    for _ in 0..7 {
        let user = h.join(&home).await.actor();
        h.store().change_role(home.scope, user, Role::Admin, h.write()).await.unwrap();
        everyone.push(user);
    }
    let leaving = everyone.iter().enumerate().map(|(n, user)| async move {
        if n % 2 == 0 {
            h.remove_from_household(home.scope, *user).await.unwrap() == RemoveMember::LastAdmin
        } else {
            let down = h.store().change_role(home.scope, *user, Role::Member, h.write()).await;
            down.unwrap() == ChangeMember::LastAdmin
        }
    });
    let refused = join_all(leaving).await;
    assert_eq!(refused.iter().filter(|refused| **refused).count(), 1, "{refused:?}");
    assert_eq!(admins(h, &home).await, 1);
}

pub async fn p05_who_is_no_member_cannot_be_changed(h: &StoreHarness) {
    let home = h.home().await;
    let stranger = h.user().await.id;
    let changed = h.store().change_role(home.scope, stranger, Role::Admin, h.write()).await;
    assert_eq!(changed.unwrap(), ChangeMember::NotFound);
    let removed = h.remove_from_household(home.scope, stranger).await;
    assert_eq!(removed.unwrap(), RemoveMember::NotFound);
    assert_eq!(h.reread(stranger).await.membership, None);
}

pub async fn p05_who_left_joins_again_only_with_the_new_code(h: &StoreHarness) {
    let home = h.home().await;
    let (id, old, new) = (home.household.id, &home.household.invite_code, h.invite_code());
    let member = h.join(&home).await.actor();
    let removed = h.store().remove_member(home.scope, member, &new, h.write()).await.unwrap();
    assert!(matches!(removed, RemoveMember::Removed(left) if left.user == member));
    assert_eq!(h.household_members(home.scope).await.len(), 1);
    assert_eq!(h.store().find_invited_household(old).await.unwrap(), None);
    assert_eq!(h.store().find_invited_household(&new).await.unwrap(), Some(id));
    let user = h.reread(member).await;
    let refused = h.store().join_household(id, old, &user, false, h.write()).await.unwrap();
    assert_eq!(refused, JoinHousehold::InviteNotFound);
    let joined = h.store().join_household(id, &new, &user, false, h.write()).await.unwrap();
    let recoded = Household { invite_code: new, ..home.household.clone() };
    assert_eq!(joined, JoinHousehold::Joined(recoded));
    assert_eq!(h.household_members(home.scope).await.len(), 2);
}

pub async fn p05_nobody_leaves_for_a_code_of_another_household(h: &StoreHarness) {
    let (home, other) = (h.home().await, h.home().await);
    let member = h.join(&home).await.actor();
    let taken = &other.household.invite_code;
    let refused = h.store().remove_member(home.scope, member, taken, h.write()).await.unwrap();
    assert_eq!(refused, RemoveMember::InviteCodeTaken);
    assert_eq!(h.household_members(home.scope).await.len(), 2);
    assert_eq!(h.store().find_household(home.scope).await.unwrap(), Some(home.household));
}

pub async fn p05_members_removed_at_once_leave_one_good_code(h: &StoreHarness) {
    let home = h.home().await;
    let mut members = Vec::new();
    for _ in 0..6 {
        members.push((h.join(&home).await.actor(), h.invite_code()));
    }
    let removing = members
        .iter()
        .map(|(user, code)| h.store().remove_member(home.scope, *user, code, h.write()));
    for removed in join_all(removing).await {
        assert!(matches!(removed.unwrap(), RemoveMember::Removed(_)));
    }
    let current = h.store().find_household(home.scope).await.unwrap().unwrap().invite_code;
    let codes = members.iter().map(|(_, code)| code).chain([&home.household.invite_code]);
    for code in codes {
        let opens = h.store().find_invited_household(code).await.unwrap();
        assert_eq!(opens.is_some(), *code == current);
    }
}
