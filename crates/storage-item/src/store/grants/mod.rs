//! Grants and access checks.

mod authorize;
mod list;

use async_trait::async_trait;
use larder_domain::{Access, Grant, GrantFilter, GrantPosition, Urn};
use larder_storage::{AccessRequest, AccountScope, Grants, Page, PutGrant, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{
        fields::timestamp_text,
        relational::{CREATED_AT, grant, keys, resource},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Grant,
    Resource,
}

#[async_trait]
impl<E: RecordEngine> Grants for ItemStore<E> {
    async fn put_grant(
        &self,
        scope: &AccountScope,
        grant: &Grant,
        write: Write<'_>,
    ) -> Result<PutGrant> {
        let account = scope.account();
        for _ in 0..MAX_ATTEMPTS {
            let held = self.grant(&grant.principal, &grant.on).await?;
            if held.as_ref().is_some_and(|held| held.account != *account) {
                return Ok(PutGrant::ResourceNotFound);
            }
            let created_at = held.as_ref().map_or(grant.created_at, |held| held.created_at);
            let saved = Grant { account: account.clone(), created_at, ..grant.clone() };
            let unchanged = held.as_ref().map_or(Condition::NotExists, is_still);
            let set = ChangeSet::new().step(Step::Grant, put(&saved, unchanged));
            // A grant implies that its resource exists.
            let set = if held.is_some() { set } else { count(set, &saved, 1) };
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(PutGrant::Saved(saved)),
                Commit::Failed(Step::Resource, _) => return Ok(PutGrant::ResourceNotFound),
                Commit::Failed(Step::Grant, _) => {}
            }
        }
        Err(contention("giving a grant"))
    }

    async fn find_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
    ) -> Result<Option<Grant>> {
        let held = self.grant(principal, on).await?;
        Ok(held.filter(|held| held.account == *scope.account()))
    }

    async fn remove_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(held) = self.find_grant(scope, principal, on).await? else {
                return Ok(false);
            };
            let (table, key) = (Table::Grants, keys::grant(principal, on));
            let delete = Action::Delete { table, key, when: vec![is_still(&held)] };
            let set = count(ChangeSet::new().step(Step::Grant, delete), &held, -1);
            if let Commit::Done(_) = self.commit(scope.actor(), write, set, None).await? {
                return Ok(true);
            }
        }
        Err(contention("taking back a grant"))
    }

    async fn list_grants(
        &self,
        scope: &AccountScope,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>> {
        self.page_of_grants(scope.account(), filter, after, limit).await
    }

    async fn authorize(&self, request: AccessRequest<'_>) -> Result<Option<Access>> {
        self.find_access(request).await
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The grant of a principal on a resource or account itself, in any account.
    async fn grant(&self, principal: &Urn, on: &Urn) -> Result<Option<Grant>> {
        let record = self.engine.get(Table::Grants, &keys::grant(principal, on)).await?;
        record.as_ref().map(grant::from_record).transpose()
    }
}

fn put(saved: &Grant, when: Condition) -> Action {
    let (table, record) = (Table::Grants, grant::to_record(saved));
    Action::Put { table, record, when: vec![when], embed: None }
}

/// A condition that a grant was not revoked since, though perhaps changed.
fn is_still(held: &Grant) -> Condition {
    Condition::Equals(CREATED_AT.into(), timestamp_text(held.created_at).into())
}

/// Adds to the resource's count of grants. An account has no count.
fn count(set: ChangeSet<Step>, grant: &Grant, by: i64) -> ChangeSet<Step> {
    if grant.on == grant.account {
        return set;
    }
    set.step(Step::Resource, resource::count_links(&grant.on, &grant.account, by))
}
