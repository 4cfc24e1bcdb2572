//! Erasing the account of a person.

use jiff::Timestamp;
use larder_domain::{DeletionId, Email, Erasure, ErasureTarget, Owner, Urn, UserId};
use larder_storage::{AccountScope, EraseAccount, Grants as _, Result, Write};

use super::RECORDS_AT_ONCE;
use crate::{
    Condition, ReadingEngine, RecordEngine,
    layout::{erasure, fields::Fields, keys, relational::grant, unique, user},
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

/// In place of a person who is not known any more.
const NOBODY: UserId = UserId::fixed(0);

#[derive(Clone, Copy, PartialEq)]
enum Step {
    User,
    Value,
    Job,
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Opens the job and deletes the person's record: their sessions show nobody any more.
    pub(super) async fn begin_account_erasure(
        &self,
        user: UserId,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<EraseAccount> {
        let target = ErasureTarget::Account(user);
        let erasure = Erasure::begin(id, target.kind(), Some(user), at);
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::user(user)).await? else {
                return Ok(EraseAccount::NotFound);
            };
            let fields = Fields(&record);
            if fields.optional_text("familyId")?.is_some() {
                return Ok(EraseAccount::InHousehold);
            }
            let email = fields.parse("email", Email::parse_stored)?;
            let identity = user::identity(&record);
            let mut unchanged = vec![
                Condition::Absent("familyId".into()),
                Condition::Equals("email".into(), email.as_str().into()),
            ];
            unchanged.extend(user::has_identity(identity.as_ref()));
            let mut set = ChangeSet::new()
                .delete(Step::User, keys::user(user), unchanged)
                .step(Step::Value, unique::email(&email).release(user))
                .put(Step::Job, erasure::to_record(&erasure, target), vec![Condition::NotExists]);
            if let Some(identity) = &identity {
                set = set.step(Step::Value, unique::identity(identity).release(user));
            }
            if let Commit::Done(_) = self.commit(user, Write::at(at), set, None).await? {
                return Ok(EraseAccount::Begun(erasure));
            }
        }
        Err(contention("beginning to erase an account"))
    }

    /// Erases the first thing that is left of a person, and returns how many records.
    pub(super) async fn erase_some_of_account(&self, user: UserId, at: Timestamp) -> Result<u64> {
        let pk = keys::user_pk(user);
        let mut removed = self.erase_partition(&pk, Some(Owner::User(user)), at).await?;
        if removed == 0 {
            removed = self.pass_first_account(user, at).await?;
        }
        if removed == 0 {
            removed = self.take_back_grants(&Urn::of_user(user), at).await?;
        }
        if removed == 0 {
            removed = self.forget_changes_of(&pk, None).await?;
        }
        Ok(removed)
    }

    /// That there was a first account stays known, but not whose it was.
    async fn pass_first_account(&self, user: UserId, at: Timestamp) -> Result<u64> {
        let first = unique::first_account();
        let Some(held) = self.get_unique(&first.key()).await? else { return Ok(0) };
        if unique::holder::<UserId>(&held)? != user {
            return Ok(0);
        }
        self.commit_alone(at, first.pass(user, NOBODY, at)).await?;
        Ok(1)
    }

    /// Takes back what a principal has been given, in any account.
    pub(super) async fn take_back_grants(&self, principal: &Urn, at: Timestamp) -> Result<u64> {
        let query = grant::of_principal(principal, RECORDS_AT_ONCE);
        let found = self.engine.query(&query).await?.records;
        for record in &found {
            let held = grant::from_record(record)?;
            #[expect(
                clippy::disallowed_methods,
                reason = "nobody may keep what was given to a principal that is gone"
            )]
            let scope = AccountScope::assume_authorized(held.account, NOBODY);
            self.remove_grant(&scope, principal, &held.on, Write::at(at)).await?;
        }
        Ok(found.len() as u64)
    }
}
