//! Grants and access checks.

use jiff::Timestamp;
use larder_domain::{Access, Ascent, Grant, GrantFilter, GrantPosition, NodeFacts, Urn};
use larder_storage::{AccessRequest, PutGrant};

use super::RelationalModel;

impl RelationalModel {
    /// As [`larder_storage::Grants::put_grant`].
    pub fn put_grant(&mut self, account: &Urn, grant: &Grant, at: Timestamp) -> PutGrant {
        if grant.on != *account && self.find(account, &grant.on).is_none() {
            return PutGrant::ResourceNotFound;
        }
        let place = grant.position();
        let created_at = self.grants.get(&place).map_or(at, |before| before.created_at);
        let saved = Grant { created_at, updated_at: at, ..grant.clone() };
        self.grants.insert(place, saved.clone());
        PutGrant::Saved(saved)
    }

    /// As [`larder_storage::Grants::find_grant`].
    pub fn grant(&self, account: &Urn, principal: &Urn, on: &Urn) -> Option<&Grant> {
        let place = GrantPosition { on: on.clone(), principal: principal.clone() };
        self.grants.get(&place).filter(|grant| grant.account == *account)
    }

    /// As [`larder_storage::Grants::remove_grant`].
    pub fn remove_grant(&mut self, account: &Urn, principal: &Urn, on: &Urn) -> bool {
        let Some(grant) = self.grant(account, principal, on) else { return false };
        let place = grant.position();
        self.grants.remove(&place).is_some()
    }

    /// As [`larder_storage::Grants::list_grants`].
    pub fn list_grants(&self, account: &Urn, filter: &GrantFilter) -> Vec<Grant> {
        let ours = self.grants.values().filter(|grant| grant.account == *account);
        let is_shown = |grant: &&Grant| match filter {
            GrantFilter::All => true,
            GrantFilter::On(on) => grant.on == *on,
            GrantFilter::Of(principal) => grant.principal == *principal,
        };
        ours.filter(is_shown).cloned().collect()
    }

    /// As [`larder_storage::Grants::authorize`].
    pub fn authorize(&self, request: AccessRequest<'_>) -> Option<Access> {
        let AccessRequest { principal, action, urn, implied } = request;
        let account = &self.resources.get(urn)?.account;
        let mut ascent = Ascent::new(urn.clone(), action.clone());
        while ascent.frontier().len() > 0 {
            let level = ascent.frontier().map(|at| (at.clone(), self.facts(at, principal)));
            let facts = level.collect();
            if let Some(access) = ascent.advance(account, &facts) {
                return Some(access);
            }
        }
        let stored = self.grant(account, principal, account).map(|grant| &grant.actions);
        let implied = implied.filter(|(on, _)| *on == account).map(|(_, actions)| actions);
        let granted = stored.into_iter().chain(implied);
        granted.into_iter().find_map(|actions| ascent.by_account(urn, account, actions))
    }

    fn facts(&self, urn: &Urn, principal: &Urn) -> NodeFacts {
        let resource = &self.resources[urn];
        let conveying =
            self.members.iter().filter(|((_, member), kept)| kept.conveys && member == urn);
        let granted = self.grant(&resource.account, principal, urn);
        NodeFacts {
            parent: resource.parent.clone(),
            conveying: conveying.map(|((collection, _), _)| collection.clone()).collect(),
            granted: granted.map(|grant| grant.actions.clone()),
        }
    }
}
