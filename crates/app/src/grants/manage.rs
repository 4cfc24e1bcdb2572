//! Giving and taking back grants.

use larder_domain::{Grant, GrantFilter, GrantPosition, GrantedActions, Urn};
use larder_storage::{AccessRequest, AccountScope, Page, PutGrant, Write};

use crate::{App, AppError, Caller, Result, authorize, resources::Permission};

impl App {
    /// Grants of the caller's household.
    pub async fn grants(
        &self,
        caller: &Caller,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>> {
        let scope = authorize::account(caller)?;
        Ok(self.storage.list_grants(&scope, filter, after, limit).await?)
    }

    /// The caller's household's grant for a principal on a resource, or on everything.
    pub async fn grant(&self, caller: &Caller, principal: &Urn, on: &Urn) -> Result<Grant> {
        let scope = authorize::account(caller)?;
        let found = self.storage.find_grant(&scope, principal, on).await?;
        found.ok_or(AppError::GrantNotFound)
    }

    /// Grants a principal these actions on a resource of the caller's household, or on everything,
    /// replacing their grant on it.
    pub async fn put_grant(
        &self,
        caller: &Caller,
        principal: Urn,
        on: Urn,
        actions: GrantedActions,
    ) -> Result<Grant> {
        let scope = authorize::account(caller)?;
        self.check_may_grant(caller, &scope, &on).await?;
        let (account, at) = (scope.account().clone(), self.now());
        let grant = Grant { principal, on, account, actions, created_at: at, updated_at: at };
        match self.storage.put_grant(&scope, &grant, Write::at(at)).await? {
            PutGrant::Saved(grant) => {
                self.notify_things_changed(&scope);
                Ok(grant)
            }
            PutGrant::ResourceNotFound => Err(AppError::ResourceNotFound),
        }
    }

    /// Revokes a grant. From then on it permits nothing.
    pub async fn remove_grant(&self, caller: &Caller, principal: &Urn, on: &Urn) -> Result<()> {
        let scope = authorize::account(caller)?;
        self.check_may_grant(caller, &scope, on).await?;
        let write = Write::at(self.now());
        let was_there = self.storage.remove_grant(&scope, principal, on, write).await?;
        self.notify_things_changed(&scope);
        if was_there { Ok(()) } else { Err(AppError::GrantNotFound) }
    }

    /// Admins, and members with the grant permission.
    async fn check_may_grant(&self, caller: &Caller, scope: &AccountScope, on: &Urn) -> Result<()> {
        if caller.is_admin() {
            return Ok(());
        }
        let (principal, action) = (Urn::of_user(caller.user_id()), Permission::Grant.action());
        let may_grant = if on == scope.account() {
            let granted = self.storage.find_grant(scope, &principal, on).await?;
            granted.is_some_and(|grant| grant.actions.allow(&action))
        } else {
            let request =
                AccessRequest { principal: &principal, action: &action, urn: on, implied: None };
            self.storage.authorize(request).await?.is_some()
        };
        if may_grant { Ok(()) } else { Err(AppError::GrantNotAllowed) }
    }
}
