//! Households and their invite codes. Members are next door in [`super::members`].

use async_trait::async_trait;
use larder_domain::{
    Currency, Household, HouseholdId, HouseholdPatch, InviteCode, Member, Role, User, UserId,
};
use larder_storage::{
    ChangeMember, CreateHousehold, HouseholdScope, Households, JoinHousehold, MoveReport,
    RemoveMember, ReplaceInviteCode, Result, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Change, Condition, RecordEngine,
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
        self.members_of(scope).await
    }

    async fn change_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember> {
        self.give_role(scope, user, role, write).await
    }

    async fn remove_member(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember> {
        self.take_out(scope, user, code, write).await
    }

    async fn move_personal_items(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        self.move_items_in(scope, write).await
    }
}
