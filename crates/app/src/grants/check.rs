//! May they?

use larder_domain::{Access, AccessAction, GrantedActions, PathStep, Urn, Via};
use larder_storage::{AccessRequest, AccountScope};

use super::implied_by;
use crate::{App, Caller, Result, authorize};

/// Whether a principal may do something with a resource.
#[derive(Debug, Clone)]
pub struct AccessQuestion {
    /// The principal.
    pub principal: Urn,
    /// The action.
    pub action: AccessAction,
    /// The resource.
    pub urn: Urn,
}

impl App {
    /// Why the principal may, or `None`: they may not, there is no such resource, or the caller may
    /// not know. The caller may know everything about their own household, and elsewhere their own
    /// rights.
    pub async fn explain_access(
        &self,
        caller: &Caller,
        question: &AccessQuestion,
    ) -> Result<Option<Access>> {
        let AccessQuestion { principal, action, urn } = question;
        let scope = authorize::find_account(caller);
        let own = scope.as_ref().map(AccountScope::account);
        let implied = match own {
            Some(account) => self.implied_on(account, principal).await?,
            None => None,
        };
        if let Some(scope) = scope.as_ref().filter(|scope| scope.account() == urn) {
            return self.explain_account_access(scope, question, implied).await;
        }
        let implied = own.zip(implied.as_ref());
        let access =
            self.storage.authorize(AccessRequest { principal, action, urn, implied }).await?;
        let asks_for_oneself = *principal == Urn::of_user(caller.user_id());
        Ok(access.filter(|access| asks_for_oneself || own == Some(&access.account)))
    }

    /// The same for the account itself, which is no resource: by a grant on it, or by membership.
    async fn explain_account_access(
        &self,
        scope: &AccountScope,
        question: &AccessQuestion,
        implied: Option<GrantedActions>,
    ) -> Result<Option<Access>> {
        let AccessQuestion { principal, action, urn } = question;
        let granted = self.storage.find_grant(scope, principal, urn).await?;
        let mut held = granted.map(|grant| grant.actions).into_iter().chain(implied);
        let allowing = held.find(|actions| actions.allow(action));
        Ok(allowing.map(|actions| Access {
            account: urn.clone(),
            path: vec![PathStep { urn: urn.clone(), via: Via::Itself }],
            actions,
        }))
    }

    /// A principal's rights on everything in an account by their current membership of the
    /// household.
    async fn implied_on(&self, account: &Urn, principal: &Urn) -> Result<Option<GrantedActions>> {
        let Some(user) = principal.to_user() else { return Ok(None) };
        let membership = self.storage.find_user(user).await?.and_then(|user| user.membership);
        Ok(membership
            .filter(|membership| Urn::of_household(membership.household) == *account)
            .map(|membership| implied_by(membership.role)))
    }
}
