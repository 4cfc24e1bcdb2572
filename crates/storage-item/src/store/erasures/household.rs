//! Erasing a household.

use jiff::Timestamp;
use larder_domain::{DeletionId, Erasure, ErasureTarget, HouseholdId, Owner, Role, Urn, UserId};
use larder_storage::{AccountScope, DeleteResource, HouseholdScope, Result, Write};

use super::RECORDS_AT_ONCE;
use crate::{
    Action, BY_ACCOUNT, BY_FAMILY, Change, Condition, Query, ReadingEngine, RecordEngine, SortKeys,
    Table,
    layout::{
        device, erasure, fields::Fields, household, keys, member, relational::grant,
        relational::resource, unique,
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{Actor, ChangeSet, Commit},
        contention,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Admin,
    Family,
    InviteCode,
    Job,
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Opens the job, takes the invite code away, and dismisses all members.
    pub(super) async fn begin_household_erasure(
        &self,
        scope: HouseholdScope,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>> {
        let (household, actor) = (scope.household(), scope.actor());
        let target = ErasureTarget::Household(household);
        let erasure = Erasure::begin(id, target.kind(), Some(actor), at);
        for _ in 0..MAX_ATTEMPTS {
            let Some(family) = self.get(&keys::family(household)).await? else { return Ok(None) };
            let code = household::from_record(&family)?.invite_code;
            let is_admin = Action::Check {
                table: Table::InventoryManagement,
                key: keys::member(household, actor),
                when: vec![Condition::Equals("role".into(), Role::Admin.as_str().into())],
            };
            let when = vec![
                Condition::Equals("inviteCode".into(), code.as_str().into()),
                household::is_not_closed(),
            ];
            let closed = household::closed(&erasure.dead_code(), at);
            let set = ChangeSet::new()
                .step(Step::Admin, is_admin)
                .update(Step::Family, keys::family(household), when, closed)
                .step(Step::InviteCode, unique::invite_code(&code).release(household))
                .put(Step::Job, erasure::to_record(&erasure, target), vec![Condition::NotExists]);
            match self.commit(actor, Write::at(at), set, None).await? {
                Commit::Done(_) => {
                    while self.dismiss_members(household, at).await? > 0 {}
                    return Ok(Some(erasure));
                }
                Commit::Failed(Step::Admin, _) => return Ok(None),
                Commit::Failed(Step::Family, Some(family)) if household::is_closed(&family) => {
                    return Ok(None);
                }
                // The code was replaced since.
                Commit::Failed(..) => {}
            }
        }
        Err(contention("beginning to erase a household"))
    }

    /// Erases the first thing that is left of a household, and returns how many records.
    pub(super) async fn erase_some_of_household(
        &self,
        household: HouseholdId,
        is_last_look: bool,
        at: Timestamp,
    ) -> Result<u64> {
        let account = Urn::of_household(household);
        let mut removed = self.dismiss_members(household, at).await?;
        if removed == 0 {
            removed = self.erase_api_keys(household, at).await?;
        }
        if removed == 0 {
            removed = self.erase_devices(household, is_last_look, at).await?;
        }
        if removed == 0 {
            removed = self.erase_resources(&account, at).await?;
        }
        if removed == 0 {
            removed = self.erase_grants(&account, at).await?;
        }
        if removed == 0 {
            removed = self.erase_partition(&keys::account_pk(&account), None, at).await?;
        }
        if removed == 0 {
            removed = self.erase_partition(&keys::tree(&account).pk, None, at).await?;
        }
        if removed == 0 {
            let owner = Owner::Household(household);
            removed = self.erase_partition(&keys::family_pk(household), Some(owner), at).await?;
        }
        if removed == 0 {
            removed = self.erase_partition(&keys::nonces_pk(household), None, at).await?;
        }
        if removed == 0 {
            removed = self.forget_household_history(household, at).await?;
        }
        Ok(removed)
    }

    /// Makes members people of their own again, and forgets that they were members.
    async fn dismiss_members(&self, household: HouseholdId, at: Timestamp) -> Result<u64> {
        let pk = keys::family_pk(household);
        let members = self.all_under(pk, keys::MEMBER_PREFIX).await?;
        for record in &members {
            let user = member::from_record(record)?.user;
            self.dismiss(household, user, at).await?;
            self.forget_membership(household, user, at).await?;
            let member = Action::Delete {
                table: Table::InventoryManagement,
                key: keys::member(household, user),
                when: Vec::new(),
            };
            self.commit_alone(at, member).await?;
        }
        Ok(members.len() as u64)
    }

    async fn dismiss(&self, household: HouseholdId, user: UserId, at: Timestamp) -> Result<()> {
        let belongs = Condition::Equals("familyId".into(), household.to_string().into());
        let dismissed = Action::Update {
            table: Table::InventoryManagement,
            key: keys::user(user),
            when: vec![belongs],
            changes: ["familyId", "role", "movingItems"]
                .map(|name| Change::Remove(name.into()))
                .to_vec(),
        };
        self.commit_alone(at, dismissed).await
    }

    async fn erase_api_keys(&self, household: HouseholdId, at: Timestamp) -> Result<u64> {
        self.erase_of_family(Table::ApiKeys, household, at).await
    }

    /// Forgets the readings of every device, and at the last look the devices themselves: until
    /// then, nobody else can register them.
    async fn erase_devices(
        &self,
        household: HouseholdId,
        is_last_look: bool,
        at: Timestamp,
    ) -> Result<u64> {
        let query =
            Query::new(Table::Devices, household.to_string(), SortKeys::Any, RECORDS_AT_ONCE);
        let mut removed = 0;
        for record in self.all_of(query.by(BY_FAMILY)).await? {
            let device = device::from_record(&record)?.hardware_id;
            if !device::is_closed(&record) {
                self.close_device(device, household, at).await?;
            }
            removed += self.forget_readings_of(device, Some(household)).await?;
        }
        if removed == 0 && is_last_look {
            removed = self.erase_of_family(Table::Devices, household, at).await?;
        }
        Ok(removed)
    }

    /// Deletes the records of a table that belong to a household.
    async fn erase_of_family(
        &self,
        table: Table,
        household: HouseholdId,
        at: Timestamp,
    ) -> Result<u64> {
        let query = Query::new(table, household.to_string(), SortKeys::Any, RECORDS_AT_ONCE);
        let found = self.engine.query(&query.by(BY_FAMILY)).await?.records;
        let keys: Vec<_> = found.iter().filter_map(|record| table.key_of(record)).collect();
        let still_theirs =
            Condition::Equals(crate::layout::fleet::FAMILY_ID.into(), household.to_string().into());
        let removed = self.commit_each(Actor::System, Write::at(at), &keys, |key| Action::Delete {
            table,
            key: key.clone(),
            when: vec![still_theirs.clone()],
        });
        removed.await
    }

    /// Deletes resources, each with its subtree.
    async fn erase_resources(&self, account: &Urn, at: Timestamp) -> Result<u64> {
        #[expect(
            clippy::disallowed_methods,
            reason = "whoever may erase the household has been checked when that began"
        )]
        let scope = AccountScope::assume_authorized(account.clone(), UserId::fixed(0));
        let (pk, limit) = (account.to_string(), RECORDS_AT_ONCE);
        let query = Query::new(Table::Relational, pk, SortKeys::Any, limit).by(BY_ACCOUNT);
        let mut removed = 0;
        for record in self.engine.query(&query).await?.records {
            let urn = resource::from_record(&record)?.resource.urn;
            let id = DeletionId::from_bytes(*urn.id().as_bytes());
            match self.delete_tree(&scope, &urn, id, Write::at(at)).await? {
                DeleteResource::Deleted(count) => removed += count,
                DeleteResource::Begun(deletion) => {
                    self.finish_tree_deletion(&deletion, at).await?;
                    removed += 1;
                }
                // The index lags, or it went with its parent.
                DeleteResource::NotFound => {}
            }
        }
        Ok(removed)
    }

    /// Deletes the grants on the account itself, and those that it has been given.
    async fn erase_grants(&self, account: &Urn, at: Timestamp) -> Result<u64> {
        let own = grant::of_account(account, None, RECORDS_AT_ONCE);
        let found = self.engine.query(&own).await?.records;
        let keys: Vec<_> = found.iter().filter_map(|record| Table::Grants.key_of(record)).collect();
        let removed = self.commit_each(Actor::System, Write::at(at), &keys, |key| Action::Delete {
            table: Table::Grants,
            key: key.clone(),
            when: vec![Condition::Exists],
        });
        Ok(removed.await? + self.take_back_grants(account, at).await?)
    }
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Forgets who was a member, and then everything that happened.
    async fn forget_household_history(&self, household: HouseholdId, at: Timestamp) -> Result<u64> {
        let (table, pk) = (Table::InventoryManagement, keys::family_pk(household));
        let after = self.engine.journal_floor(table, &pk).await?.saturating_sub(1);
        let entries = self.engine.journal_after(table, &pk, after, super::CHANGES_AT_ONCE).await?;
        for entry in entries.iter().filter(|entry| entry.key.sk.starts_with(keys::MEMBER_PREFIX)) {
            let image = entry.new.as_ref().or(entry.old.as_ref());
            if let Some(user) = image.map(|image| Fields(image).id("userId")).transpose()? {
                self.forget_membership(household, user, at).await?;
            }
        }
        self.forget_changes_of(&pk, None).await
    }
}
