//! What people change about their own account.

use std::sync::Arc;

use larder_domain::{Password, SessionId, User, UserPatch};

use super::{program_tokens::revoke_all, sessions::end_others};
use crate::{App, AppError, Caller, NewPassword, Result, completion::complete_even_if_cancelled};

impl App {
    /// Changes what the caller has stated about themselves, and answers who they are now. The members of their
    /// household see a new name, too.
    pub async fn update_me(&self, caller: &Caller, patch: UserPatch) -> Result<User> {
        let (user, now) = (caller.user_id(), self.now());
        let changed = patch.clone().apply(caller.user());
        if patch == UserPatch::default() {
            return Ok(changed);
        }
        let is_there = self.change_callers(
            |storage| async move { storage.update_user(user, &patch, now).await },
            move |callers| callers.invalidate(&user),
        );
        if is_there.await? { Ok(changed) } else { Err(AppError::Unauthenticated) }
    }

    /// Gives the caller another password, and ends all of their sessions but `keep`: whoever knew the old password may
    /// have begun some. Access tokens end with their sessions, and tokens for programs are revoked for the same reason. A
    /// repetition, when `new` is the password already, does only the rest.
    pub async fn change_password(
        &self,
        caller: &Caller,
        current: &Password,
        new: NewPassword,
        keep: Option<SessionId>,
    ) -> Result<()> {
        let credentials = self.storage.find_credentials(&caller.user().email).await?;
        let hash = credentials.and_then(|found| found.password_hash);
        let is_repetition = if self.passwords.verify(current, hash.clone()).await? {
            false
        } else if self.passwords.verify(new.password(), hash).await? {
            true
        } else {
            return Err(AppError::InvalidCredentials);
        };
        let hash = self.passwords.hash(new.password(), self.entropy.bytes()).await?;
        let (storage, sessions) = (Arc::clone(&self.storage), Arc::clone(&self.sessions));
        let tokens = Arc::clone(&self.program_tokens);
        let (user, now) = (caller.user_id(), self.now());
        let change = async move {
            if !is_repetition && !storage.set_password(user, &hash, now).await? {
                return Err(AppError::Unauthenticated);
            }
            end_others(Arc::clone(&storage), sessions, user, keep, now).await?;
            revoke_all(&*storage, &tokens, user, now).await
        };
        complete_even_if_cancelled(change).await?
    }
}
