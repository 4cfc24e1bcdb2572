//! Members of a household, and their roles.

use larder_domain::{Member, Role, UserId};
use larder_storage::{ChangeMember, RemoveMember, Write};

use crate::{
    App, AppError, Caller, Result, authorize,
    households::{INVITE_CODE_ATTEMPTS, no_free_invite_code},
};

impl App {
    /// All members of the caller's household.
    pub async fn members(&self, caller: &Caller) -> Result<Vec<Member>> {
        Ok(self.storage.list_members(authorize::household(caller)?).await?)
    }

    /// Changes a member's role; admins only.
    pub async fn change_role(&self, caller: &Caller, user: UserId, role: Role) -> Result<Member> {
        let scope = authorize::administration(caller)?;
        let at = self.now();
        let outcome = self.change_callers(
            |storage| async move { storage.change_role(scope, user, role, Write::at(at)).await },
            move |callers| callers.invalidate(&user),
        );
        match outcome.await? {
            ChangeMember::Done(member) => Ok(member),
            ChangeMember::NotFound => Err(AppError::MemberNotFound),
            ChangeMember::LastAdmin => Err(AppError::LastAdmin),
        }
    }

    /// Removes a member from the household: oneself, or, as an admin, another. The same write
    /// replaces the invite code, so that they cannot return with one that they know.
    pub async fn remove_member(&self, caller: &Caller, user: UserId) -> Result<()> {
        let scope = authorize::removal(caller, user)?;
        let at = self.now();
        for _ in 0..INVITE_CODE_ATTEMPTS {
            let code = self.entropy.invite_code();
            let outcome =
                self.change_callers(
                    |storage| async move {
                        storage.remove_member(scope, user, &code, Write::at(at)).await
                    },
                    move |callers| callers.invalidate(&user),
                );
            match outcome.await? {
                RemoveMember::Removed(_) => return Ok(()),
                RemoveMember::NotFound => return Err(AppError::MemberNotFound),
                RemoveMember::LastAdmin => return Err(AppError::LastAdmin),
                RemoveMember::InviteCodeTaken => {}
            }
        }
        Err(no_free_invite_code())
    }
}
