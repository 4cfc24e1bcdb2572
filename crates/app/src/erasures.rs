//! Leaving for good: erasing one's household or account, and releasing devices.

use std::sync::Arc;

use larder_domain::{DeletionId, Erasure, HardwareId, Password, SessionId};
use larder_storage::{EraseAccount, HouseholdScope, Store};

use crate::{
    App, AppError, Caller, FleetCaller, Result, authorize, completion::complete_even_if_cancelled,
    resources::Work,
};

/// How a person shows that it is them who deletes their account.
#[derive(Debug)]
pub enum OwnerProof {
    /// Their password.
    Password(Password),
    /// Their address, if they log in elsewhere and have no password.
    Email(String),
    /// That they have just logged in elsewhere, if they have no password.
    SignedOn {
        /// The session of their browser.
        session: SessionId,
        /// What they got in it.
        proof: String,
    },
}

impl App {
    /// Erases the caller's household, of which they are an admin; `confirmed` is its name, typed.
    /// All members are dismissed at once; their personal items and accounts stay. The household's
    /// items may become the caller's own before.
    pub async fn erase_household(
        &self,
        caller: &Caller,
        confirmed: &str,
        move_items: bool,
    ) -> Result<Erasure> {
        let scope = authorize::administration(caller)?;
        let household = self.household(caller).await?;
        if confirmed.trim() != household.name.as_str() {
            return Err(AppError::NameNotConfirmed);
        }
        if move_items {
            self.take_along(caller).await?;
        }
        self.begin_household_erasure(scope).await
    }

    /// Leaves the household, which is erased with its only member; `confirmed` is then its name,
    /// typed, and its items may come along. `None` if others stay.
    pub async fn leave_household(
        &self,
        caller: &Caller,
        confirmed: Option<&str>,
        move_items: bool,
    ) -> Result<Option<Erasure>> {
        let scope = authorize::household(caller)?;
        let is_alone = self.storage.list_members(scope).await?.len() == 1;
        match confirmed {
            Some(name) if is_alone => {
                self.erase_household(caller, name, move_items).await.map(Some)
            }
            _ => self.remove_member(caller, caller.user_id()).await.map(|()| None),
        }
    }

    /// Erases the caller's account. They leave their household first, which is erased if nobody
    /// else is in it; while others depend on them as the only admin, this is refused.
    pub async fn erase_account(&self, caller: &Caller, proof: &OwnerProof) -> Result<Erasure> {
        self.prove(caller, proof).await?;
        if let Ok(scope) = authorize::household(caller) {
            if self.storage.list_members(scope).await?.len() > 1 {
                self.remove_member(caller, caller.user_id()).await?;
            } else {
                self.begin_household_erasure(authorize::administration(caller)?).await?;
            }
        }
        let user = caller.user_id();
        let (callers, sessions) = (Arc::clone(&self.callers), Arc::clone(&self.sessions));
        let begun = self.begin(move |storage, id, at| async move {
            let begun = storage.erase_account(user, id, at).await;
            callers.invalidate(&user);
            sessions.invalidate_where(|session| session.user == user);
            begun.map(|begun| match begun {
                EraseAccount::Begun(erasure) => Ok(erasure),
                EraseAccount::NotFound => Err(AppError::Unauthenticated),
                // Entered another household at the same moment.
                EraseAccount::InHousehold => Err(AppError::AlreadyInHousehold),
            })
        });
        begun.await
    }

    /// Erases a device with its readings; its id is free afterwards. For admins and the operator.
    pub async fn erase_device(&self, caller: &FleetCaller, device: HardwareId) -> Result<Erasure> {
        let scope = authorize::unless_alone(authorize::fleet_administration(caller))?;
        let scope = scope.ok_or(AppError::DeviceNotFound)?;
        let by = match caller {
            FleetCaller::Person(person) => Some(person.user_id()),
            FleetCaller::Operator(_) => None,
        };
        let begun = self.begin(move |storage, id, at| async move {
            let begun = storage.erase_device(scope, device, by, id, at).await;
            begun.map(|begun| begun.ok_or(AppError::DeviceNotFound))
        });
        let begun = begun.await;
        self.notify_readings_changed(scope);
        begun
    }

    /// An erasure that the caller began, while it is open and for a day afterwards.
    pub async fn erasure(&self, caller: &Caller, id: DeletionId) -> Result<Erasure> {
        let found = self.storage.find_erasure(Some(caller.user_id()), id).await?;
        let erasure = found.ok_or(AppError::JobNotFound)?;
        self.deletions.follow(&Work::Erasure(erasure.clone()), self.now());
        Ok(erasure)
    }

    /// Whether the caller logs in with a password here.
    pub async fn has_password(&self, caller: &Caller) -> Result<bool> {
        let credentials = self.storage.find_credentials(&caller.user().email).await?;
        Ok(credentials.is_some_and(|found| found.password_hash.is_some()))
    }

    async fn prove(&self, caller: &Caller, proof: &OwnerProof) -> Result<()> {
        let email = &caller.user().email;
        let credentials = self.storage.find_credentials(email).await?;
        let hash = credentials.and_then(|found| found.password_hash);
        let is_proved = match proof {
            OwnerProof::Password(password) => self.passwords.verify(password, hash).await?,
            OwnerProof::Email(typed) => hash.is_none() && typed.trim() == email.as_str(),
            OwnerProof::SignedOn { session, proof } => {
                hash.is_none() && self.is_fresh_sign_on(*session, proof)
            }
        };
        if is_proved { Ok(()) } else { Err(AppError::InvalidCredentials) }
    }

    async fn begin_household_erasure(&self, scope: HouseholdScope) -> Result<Erasure> {
        let household = scope.household();
        let (callers, keys) = (Arc::clone(&self.callers), Arc::clone(&self.device_keys));
        let begun = self.begin(move |storage, id, at| async move {
            let begun = storage.erase_household(scope, id, at).await;
            // Also after a failure, whose outcome may be unknown.
            callers.invalidate_where(|caller| caller.belongs_to(household));
            keys.revoke_all(household);
            begun.map(|begun| begun.ok_or(AppError::NoHousehold))
        });
        begun.await
    }

    /// Begins an erasure, which this server then carries on with.
    async fn begin<F>(
        &self,
        first: impl FnOnce(Arc<dyn Store>, DeletionId, jiff::Timestamp) -> F,
    ) -> Result<Erasure>
    where
        F: Future<Output = larder_storage::Result<Result<Erasure>>> + Send + 'static,
    {
        let work = first(Arc::clone(&self.storage), self.entropy.id(), self.now());
        let deletions = Arc::clone(&self.deletions);
        let begun = complete_even_if_cancelled(async move {
            let begun = work.await??;
            tracing::info!(id = %begun.id, kind = begun.kind.as_str(), "erasure begun");
            deletions.begin(Work::Erasure(begun.clone()));
            Ok(begun)
        });
        begun.await?
    }
}
