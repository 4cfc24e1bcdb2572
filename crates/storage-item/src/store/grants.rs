//! Grants and access checks.

use std::collections::HashMap;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use larder_domain::{
    Access, Ascent, Grant, GrantFilter, GrantPosition, GrantedActions, MAX_AUTHORIZING_URNS,
    NodeFacts, Resource, Urn,
};
use larder_storage::{AccessRequest, AccountScope, Grants, Page, PutGrant, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Condition, INVERTED, Key, MAX_ACTIONS, MAX_QUERY_LIMIT, Query, Record, RecordEngine,
    Table,
    layout::{
        fields::timestamp_text,
        relational::{CREATED_AT, collection_member, grant, keys, resource},
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
        let (account, at_once) = (scope.account(), (limit + 1).min(MAX_QUERY_LIMIT));
        let mut query = match filter {
            GrantFilter::All => grant::of_account(account, None, at_once),
            GrantFilter::On(on) => grant::of_account(account, Some(on), at_once),
            GrantFilter::Of(principal) => grant::of_principal(principal, at_once),
        };
        query.start_after = after.map(|after| grant::position(&query, after));
        // A principal may have grants of other accounts too, which are hidden here.
        let read = |record: &Record| {
            Ok(Some(grant::from_record(record)?).filter(|held| held.account == *account))
        };
        self.page_of(query, limit, read, Grant::position).await
    }

    /// Explains access: the path from a resource up to a grant.
    async fn authorize(&self, request: AccessRequest<'_>) -> Result<Option<Access>> {
        let AccessRequest { principal, action, urn, implied } = request;
        let record = self.engine.get(Table::Relational, &keys::resource(urn)).await?;
        let Some(record) = record else { return Ok(None) };
        let account = resource::from_record(&record)?.resource.account;
        let mut ascent = Ascent::new(urn.clone(), action.clone());
        loop {
            let level: Vec<Urn> = ascent.frontier().cloned().collect();
            if level.is_empty() {
                break;
            }
            let facts = self.facts(&account, principal, &level).await?;
            if let Some(access) = ascent.advance(&account, &facts) {
                return Ok(Some(access));
            }
        }
        let stored = self.grant(principal, &account).await?.map(|held| held.actions);
        let by_account = |granted: &GrantedActions| ascent.by_account(urn, &account, granted);
        let implied = implied.filter(|(of, _)| **of == account).map(|(_, granted)| granted);
        Ok(stored.as_ref().and_then(by_account).or_else(|| implied.and_then(by_account)))
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

/// Members whose collections are queried concurrently.
const MEMBERS_AT_ONCE: usize = 16;

impl<E: RecordEngine> ItemStore<E> {
    /// The facts about these resources, if they belong to this account.
    async fn facts(
        &self,
        account: &Urn,
        principal: &Urn,
        urns: &[Urn],
    ) -> Result<HashMap<Urn, NodeFacts>> {
        let mut facts = HashMap::with_capacity(urns.len());
        let mut linked = Vec::new();
        for urns in urns.chunks(MAX_ACTIONS) {
            let of: Vec<Key> = urns.iter().map(keys::resource).collect();
            let resources = self.engine.get_many(Table::Relational, &of).await?;
            let of: Vec<Key> = urns.iter().map(|urn| keys::grant(principal, urn)).collect();
            let grants = self.engine.get_many(Table::Grants, &of).await?;
            for (record, held) in resources.iter().zip(&grants) {
                let Some(record) = record else { continue };
                let counted = resource::from_record(record)?;
                let Resource { urn, parent, account: whose, .. } = counted.resource;
                if whose != *account {
                    continue;
                }
                if counted.link_count > 0 {
                    linked.push(urn.clone());
                }
                let granted = held.as_ref().map(grant::from_record).transpose()?;
                let granted = granted.filter(|held| held.account == *account);
                let granted = granted.map(|held| held.actions);
                facts.insert(urn, NodeFacts { parent, conveying: Vec::new(), granted });
            }
        }
        for members in linked.chunks(MEMBERS_AT_ONCE) {
            let found = members.iter().map(|member| self.conveying(account, member));
            for (member, conveying) in members.iter().zip(try_join_all(found).await?) {
                if let Some(node) = facts.get_mut(member) {
                    node.conveying = conveying;
                }
            }
        }
        Ok(facts)
    }

    /// The collections that convey access to a member, in order of their URNs. The index finds
    /// them, and may lag: the current memberships decide.
    async fn conveying(&self, account: &Urn, member: &Urn) -> Result<Vec<Urn>> {
        let (pk, prefix) = (keys::member_sk(member), keys::COLLECTION_PREFIX);
        let mut query = Query::under(Table::Relational, pk, prefix, MAX_QUERY_LIMIT).by(INVERTED);
        let mut conveying = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            let found: Vec<Key> =
                page.records.iter().filter_map(|record| Table::Relational.key_of(record)).collect();
            for found in found.chunks(MAX_ACTIONS) {
                let current = self.engine.get_many(Table::Relational, found).await?;
                for record in current.iter().flatten() {
                    let membership = collection_member::from_record(record)?;
                    if membership.account == *account && membership.link.conveys_authorization {
                        conveying.push(membership.link.collection().clone());
                    }
                }
            }
            match page.next {
                Some(next) if conveying.len() < MAX_AUTHORIZING_URNS => {
                    query.start_after = Some(next);
                }
                _ => return Ok(conveying),
            }
        }
    }
}
