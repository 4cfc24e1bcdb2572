//! Registration, and its admission.

use std::sync::atomic::Ordering;

use larder_domain::{Email, InviteCode, Membership, PersonName, Role, User};
use larder_storage::{Admission, CreateUser, NewUser};

use crate::{App, AppError, NewPassword, Registration, Result};

/// An account to be.
#[derive(Debug)]
pub struct NewAccount {
    /// The address that they log in with.
    pub email: Email,
    /// The password that they log in with.
    pub password: NewPassword,
    /// Their display name.
    pub name: PersonName,
    /// The invite code of the household that they become a member of.
    pub invite_code: Option<InviteCode>,
}

impl App {
    /// Who may register now: anyone while there are no accounts, unless registration is closed.
    pub async fn registration(&self) -> Result<Registration> {
        Ok(match self.registration {
            Registration::Invite if !self.has_accounts().await? => Registration::Open,
            set => set,
        })
    }

    /// The error for an unknown invite code. If registration needs an invitation, it equals a
    /// missing one.
    pub fn unknown_invitation(&self) -> AppError {
        match self.registration {
            Registration::Open => AppError::InviteNotFound,
            Registration::Invite | Registration::Closed => AppError::RegistrationClosed,
        }
    }

    /// Creates an account. With an invite code the user joins that household in the same
    /// transaction.
    pub(super) async fn create_account(&self, new: &NewAccount) -> Result<User> {
        // Refused before the password is hashed, which costs more than everything else.
        let admission = self.admission(new.invite_code.as_ref()).await?;
        let password_hash =
            self.passwords.hash(new.password.password(), self.entropy.bytes()).await?;
        let now = self.now();
        let account = NewUser {
            id: self.entropy.id(),
            email: new.email.clone(),
            name: new.name.clone(),
            password_hash: Some(password_hash),
            identity: None,
            admission,
        };
        match self.storage.create_user(&account, now).await? {
            CreateUser::Created => {}
            CreateUser::EmailTaken => return Err(AppError::EmailTaken),
            CreateUser::NotAdmitted => {
                return Err(match new.invite_code {
                    Some(_) => self.unknown_invitation(),
                    None => AppError::RegistrationClosed,
                });
            }
            CreateUser::IdentityTaken => {
                return Err(AppError::Defect("an account without identity met one".into()));
            }
        }
        let membership = match account.admission {
            Admission::Invited { household, .. } => {
                Some(Membership { household, role: Role::Member })
            }
            Admission::Anyone | Admission::FirstAccount => None,
        };
        let user = User {
            id: account.id,
            email: account.email,
            email_confirmed_at: None,
            name: account.name,
            zone: None,
            language: None,
            created_at: now,
            membership,
            is_moving_items: false,
        };
        self.ask_for_first_confirmation(&user);
        Ok(user)
    }

    async fn admission(&self, code: Option<&InviteCode>) -> Result<Admission> {
        match (self.registration, code) {
            (Registration::Closed, _) => Err(AppError::RegistrationClosed),
            (Registration::Open | Registration::Invite, Some(code)) => {
                let household = self.storage.find_invited_household(code).await?;
                let household = household.ok_or_else(|| self.unknown_invitation())?;
                Ok(Admission::Invited { household, code: code.clone() })
            }
            (Registration::Open, None) => Ok(Admission::Anyone),
            (Registration::Invite, None) if self.has_accounts().await? => {
                Err(AppError::RegistrationClosed)
            }
            (Registration::Invite, None) => Ok(Admission::FirstAccount),
        }
    }

    async fn has_accounts(&self) -> Result<bool> {
        if self.has_accounts.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let has_accounts = self.storage.has_accounts().await?;
        self.has_accounts.store(has_accounts, Ordering::Relaxed);
        Ok(has_accounts)
    }
}
