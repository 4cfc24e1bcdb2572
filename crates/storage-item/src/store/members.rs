//! Members: the household's side (`Member` record, counts) and the user's side (`User` record) change
//! together, and the last admin is counted inside the transaction.

use larder_domain::{InviteCode, Member, Role, UserId};
use larder_storage::{ChangeMember, HouseholdScope, RemoveMember, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Change, Condition, Number, RecordEngine,
    layout::{household, keys, member, unique},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Member,
    User,
    Family,
    InviteCode,
    OldInviteCode,
}

/// The change of the household's counts when an admin stops being one: another one must remain.
fn one_admin_less() -> (Vec<Condition>, Vec<Change>) {
    (
        vec![Condition::AtLeast("adminCount".into(), Number::from(2))],
        vec![Change::Add("adminCount".into(), Number::from(-1))],
    )
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn members_of(&self, scope: HouseholdScope) -> Result<Vec<Member>> {
        let pk = keys::family_pk(scope.household());
        let records = self.all_under(pk, keys::MEMBER_PREFIX).await?;
        records.iter().map(member::from_record).collect()
    }

    async fn find_member(&self, scope: HouseholdScope, user: UserId) -> Result<Option<Member>> {
        let record = self.get(&keys::member(scope.household(), user)).await?;
        record.as_ref().map(member::from_record).transpose()
    }

    pub(super) async fn give_role(
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

    pub(super) async fn take_out(
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
}

fn belongs_to(scope: HouseholdScope) -> Vec<Condition> {
    vec![Condition::Equals("familyId".into(), scope.household().to_string().into())]
}
