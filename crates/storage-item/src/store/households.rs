//! Households and their members. The household's side (`Member` record, counts) and the user's side
//! (`User` record) change together, and the last admin is counted inside the transaction.

use async_trait::async_trait;
use larder_domain::{
    AutoList, Currency, Household, HouseholdId, HouseholdPatch, InviteCode, ItemId, Member, Role,
    User, UserId, Whose,
};
use larder_storage::{
    ChangeMember, CreateHousehold, HouseholdScope, Households, JoinHousehold, MoveItem, MoveReport,
    RemoveMember, ReplaceInviteCode, Result, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Change, Condition, Number, RecordEngine,
    layout::{fields::timestamp_text, household, keys, member, unique},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Family,
    InviteCode,
    OldInviteCode,
    User,
    Member,
}

/// The conditions and changes that make a user a member. Fails if they already are one.
fn enter(household: HouseholdId, role: Role, move_items: bool) -> (Vec<Condition>, Vec<Change>) {
    let mut changes = vec![
        Change::Set("familyId".into(), household.to_string().into()),
        Change::Set("role".into(), role.as_str().into()),
    ];
    if move_items {
        changes.push(Change::Set("movingItems".into(), true.into()));
    }
    (vec![Condition::Exists, Condition::Absent("familyId".into())], changes)
}

fn new_member(user: &User, role: Role, at: jiff::Timestamp) -> Member {
    let (name, email) = (user.name.clone(), user.email.clone());
    Member { user: user.id, name, email, role, joined_at: at }
}

#[async_trait]
impl<E: RecordEngine> Households for ItemStore<E> {
    async fn create_household(
        &self,
        new: &Household,
        creator: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<CreateHousehold> {
        let (when, changes) = enter(new.id, Role::Admin, move_items);
        let admin = new_member(creator, Role::Admin, write.at);
        let set = ChangeSet::new()
            .update(Step::User, keys::user(creator.id), when, changes)
            .put(Step::Family, household::to_record(new), vec![Condition::NotExists])
            .put(Step::Member, member::to_record(new.id, &admin), vec![Condition::NotExists])
            .step(Step::InviteCode, unique::invite_code(&new.invite_code).take(new.id, write.at));
        let did = (WriteKind::HOUSEHOLD_CREATED, Step::Family);
        match self.commit(creator.id, write, set, Some(did)).await? {
            Commit::Done(_) => Ok(CreateHousehold::Created),
            Commit::Failed(Step::User, _) => Ok(CreateHousehold::AlreadyInHousehold),
            Commit::Failed(_, _) => Ok(CreateHousehold::InviteCodeTaken),
        }
    }

    async fn find_household(&self, scope: HouseholdScope) -> Result<Option<Household>> {
        let record = self.get(&keys::family(scope.household())).await?;
        record.as_ref().map(household::from_record).transpose()
    }

    async fn find_invited_household(&self, code: &InviteCode) -> Result<Option<HouseholdId>> {
        let held = self.get_unique(&unique::invite_code(code).key()).await?;
        held.as_ref().map(unique::holder).transpose()
    }

    async fn update_household(
        &self,
        scope: HouseholdScope,
        patch: &HouseholdPatch,
        write: Write<'_>,
    ) -> Result<Option<Household>> {
        let mut changes = vec![Change::Set("updatedAt".into(), timestamp_text(write.at).into())];
        if let Some(name) = &patch.name {
            changes.push(Change::Set("name".into(), name.as_str().into()));
        }
        if let Some(zone) = &patch.zone {
            changes.push(Change::Set("timeZone".into(), zone.name().into()));
            // The local date may have changed.
            changes.extend(household::next_day(scope.household(), write.at));
        }
        if let Some(currency) = patch.currency {
            // The default is left out, as in a new record.
            changes.push(match currency {
                Currency::EURO => Change::Remove("currency".into()),
                _ => Change::Set("currency".into(), currency.as_str().into()),
            });
        }
        if let Some(auto_list) = patch.auto_list {
            changes.push(match auto_list {
                AutoList::ON => Change::Remove("autoList".into()),
                AutoList::OFF => Change::Set("autoList".into(), false.into()),
            });
        }
        let key = keys::family(scope.household());
        let set = ChangeSet::new().update(Step::Family, key, vec![Condition::Exists], changes);
        match self.commit(scope.actor(), write, set, None).await? {
            Commit::Done(images) => images.decode(Step::Family, household::from_record).map(Some),
            Commit::Failed(_, _) => Ok(None),
        }
    }

    async fn join_household(
        &self,
        id: HouseholdId,
        code: &InviteCode,
        user: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<JoinHousehold> {
        let (when, changes) = enter(id, Role::Member, move_items);
        let (code_is_good, count) = household::one_member_more(code);
        let joining = new_member(user, Role::Member, write.at);
        let set = ChangeSet::new()
            .update(Step::User, keys::user(user.id), when, changes)
            .update(Step::Family, keys::family(id), code_is_good, count)
            .put(Step::Member, member::to_record(id, &joining), vec![]);
        let did = (WriteKind::HOUSEHOLD_JOINED, Step::Family);
        match self.commit(user.id, write, set, Some(did)).await? {
            Commit::Done(images) => {
                images.decode(Step::Family, household::from_record).map(JoinHousehold::Joined)
            }
            Commit::Failed(Step::User, _) => Ok(JoinHousehold::AlreadyInHousehold),
            Commit::Failed(_, _) => Ok(JoinHousehold::InviteNotFound),
        }
    }

    async fn replace_invite_code(
        &self,
        scope: HouseholdScope,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<ReplaceInviteCode> {
        let id = scope.household();
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::family(id)).await? else {
                return Ok(ReplaceInviteCode::NotFound);
            };
            let old = household::from_record(&record)?.invite_code;
            let unchanged = vec![Condition::Equals("inviteCode".into(), old.as_str().into())];
            let changes = household::recoded(code, write.at);
            let set = ChangeSet::new()
                .update(Step::Family, keys::family(id), unchanged, changes)
                .step(Step::OldInviteCode, unique::invite_code(&old).release(id))
                .step(Step::InviteCode, unique::invite_code(code).take(id, write.at));
            let did = (WriteKind::INVITE_CODE_REPLACED, Step::Family);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(images) => {
                    let household = images.decode(Step::Family, household::from_record)?;
                    return Ok(ReplaceInviteCode::Replaced(household));
                }
                Commit::Failed(Step::InviteCode, _) => return Ok(ReplaceInviteCode::Taken),
                // Replaced concurrently: replace that one.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("replacing an invite code"))
    }

    async fn list_members(&self, scope: HouseholdScope) -> Result<Vec<Member>> {
        let pk = keys::family_pk(scope.household());
        let records = self.all_under(pk, keys::MEMBER_PREFIX).await?;
        records.iter().map(member::from_record).collect()
    }

    async fn change_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember> {
        let household = scope.household();
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_member(scope, user).await? else {
                return Ok(ChangeMember::NotFound);
            };
            if current.role == role {
                return Ok(ChangeMember::Done(current));
            }
            let (when, count) = match role {
                Role::Admin => (vec![], vec![Change::Add("adminCount".into(), Number::from(1))]),
                Role::Member => one_admin_less(),
            };
            let role_is = vec![Condition::Equals("role".into(), current.role.as_str().into())];
            let set_role = vec![Change::Set("role".into(), role.as_str().into())];
            let set = ChangeSet::new()
                .update(Step::Member, keys::member(household, user), role_is, set_role.clone())
                .update(Step::User, keys::user(user), belongs_to(scope), set_role)
                .update(Step::Family, keys::family(household), when, count);
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(images) => {
                    return images
                        .decode(Step::Member, member::from_record)
                        .map(ChangeMember::Done);
                }
                Commit::Failed(Step::Family, _) => return Ok(ChangeMember::LastAdmin),
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a role"))
    }

    async fn remove_member(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember> {
        let id = scope.household();
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_member(scope, user).await? else {
                return Ok(RemoveMember::NotFound);
            };
            let Some(family) = self.get(&keys::family(id)).await? else {
                return Ok(RemoveMember::NotFound);
            };
            let old = household::from_record(&family)?.invite_code;
            let (mut when, mut counts) = match current.role {
                Role::Admin => one_admin_less(),
                Role::Member => (vec![], vec![]),
            };
            when.push(Condition::Equals("inviteCode".into(), old.as_str().into()));
            counts.extend(household::recoded(code, write.at));
            counts.push(Change::Add("memberCount".into(), Number::from(-1)));
            let role_is = vec![Condition::Equals("role".into(), current.role.as_str().into())];
            let forget =
                ["familyId", "role", "movingItems"].map(|name| Change::Remove(name.into()));
            let set = ChangeSet::new()
                .delete(Step::Member, keys::member(id, user), role_is)
                .update(Step::User, keys::user(user), belongs_to(scope), forget.to_vec())
                .update(Step::Family, keys::family(id), when, counts)
                .step(Step::OldInviteCode, unique::invite_code(&old).release(id))
                .step(Step::InviteCode, unique::invite_code(code).take(id, write.at));
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(RemoveMember::Removed(current)),
                Commit::Failed(Step::InviteCode, _) => return Ok(RemoveMember::InviteCodeTaken),
                Commit::Failed(Step::Family, Some(family))
                    if household::from_record(&family)?.invite_code == old =>
                {
                    return Ok(RemoveMember::LastAdmin);
                }
                // The member or the code changed concurrently.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("removing a member"))
    }

    async fn move_item(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem> {
        self.move_one(scope, id, to, write).await
    }

    async fn move_personal_items(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        self.move_items_in(scope, write).await
    }
}

/// The change of the household's counts when an admin stops being one: another one must remain.
fn one_admin_less() -> (Vec<Condition>, Vec<Change>) {
    (
        vec![Condition::AtLeast("adminCount".into(), Number::from(2))],
        vec![Change::Add("adminCount".into(), Number::from(-1))],
    )
}

impl<E: RecordEngine> ItemStore<E> {
    async fn find_member(&self, scope: HouseholdScope, user: UserId) -> Result<Option<Member>> {
        let record = self.get(&keys::member(scope.household(), user)).await?;
        record.as_ref().map(member::from_record).transpose()
    }
}

fn belongs_to(scope: HouseholdScope) -> Vec<Condition> {
    vec![Condition::Equals("familyId".into(), scope.household().to_string().into())]
}
