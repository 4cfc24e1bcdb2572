//! Explains access: the path from a resource up to a grant.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use larder_domain::{
    Access, Ascent, GrantedActions, MAX_AUTHORIZING_URNS, NodeFacts, Resource, Urn,
};
use larder_storage::{AccessRequest, Result};

use crate::{
    INVERTED, Key, MAX_ACTIONS, MAX_QUERY_LIMIT, Query, RecordEngine, SortKeys, Table,
    layout::relational::{collection_member, grant, keys, resource},
    store::ItemStore,
};

/// Members whose collections are queried concurrently.
const MEMBERS_AT_ONCE: usize = 16;

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn find_access(&self, request: AccessRequest<'_>) -> Result<Option<Access>> {
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
        let mut query = Query {
            table: Table::Relational,
            index: Some(INVERTED),
            pk: keys::member_sk(member),
            sort: SortKeys::BeginsWith(keys::COLLECTION_PREFIX.to_owned()),
            forward: true,
            limit: MAX_QUERY_LIMIT,
            start_after: None,
        };
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
