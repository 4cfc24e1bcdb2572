//! Passwords: argon2id, off the threads that serve requests, and not too many at once.

use std::{sync::Arc, thread};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use larder_domain::Password;
use tokio::sync::Semaphore;

use crate::{AppError, PasswordCost, Result, SettingsError};

/// The salt for users without a password: the work must be the same, the result is not used.
const NOBODYS_SALT: [u8; 16] = [0; 16];

/// Hashes and checks passwords.
pub(crate) struct Passwords {
    hasher: Argon2<'static>,
    /// One per core: hashing takes a core and much memory, and a flood of logins must not exhaust
    /// both.
    turns: Arc<Semaphore>,
}

impl Passwords {
    /// Passwords that cost this much to try.
    pub(crate) fn new(cost: PasswordCost) -> Result<Self, SettingsError> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None)
            .map_err(|error| SettingsError::PasswordCost(error.to_string()))?;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            hasher: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            turns: Arc::new(Semaphore::new(cores)),
        })
    }

    /// The hash to store, as a PHC string.
    pub(crate) async fn hash(&self, password: &Password, salt: [u8; 16]) -> Result<String> {
        let password = password.reveal().as_bytes().to_vec();
        self.in_turn(move |hasher| {
            let hash = hasher.hash_password_with_salt(&password, &salt).map_err(|error| {
                AppError::Defect(format!("a password could not be hashed: {error}"))
            })?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether the password matches this hash. Takes as long without one.
    pub(crate) async fn verify(&self, password: &Password, hash: Option<String>) -> Result<bool> {
        let password = password.reveal().as_bytes().to_vec();
        self.in_turn(move |hasher| {
            let Some(hash) = hash else {
                // The result is of no use; the time it took is.
                let _ = hasher.hash_password_with_salt(&password, &NOBODYS_SALT);
                return Ok(false);
            };
            match hasher.verify_password(&password, hash.as_str()) {
                Ok(()) => Ok(true),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => {
                    Err(AppError::Defect(format!("a stored password hash is unusable: {error}")))
                }
            }
        })
        .await
    }

    /// Runs the work on a blocking thread when there is a permit. The work holds the permit: a
    /// cancelled request does not release it while the core is busy.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'static>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = Arc::clone(&self.turns)
            .acquire_owned()
            .await
            .map_err(|_| AppError::Defect("no more passwords are checked".into()))?;
        let hasher = self.hasher.clone();
        tokio::task::spawn_blocking(move || {
            let result = work(&hasher);
            drop(turn);
            result
        })
        .await
        .map_err(|error| AppError::Defect(format!("password hashing broke off: {error}")))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::parse(text).unwrap()
    }

    #[tokio::test]
    async fn only_the_same_password_verifies() {
        let passwords = Passwords::new(PasswordCost::LEAST).unwrap();
        let hash = passwords.hash(&password("correct horse"), [1; 16]).await.unwrap();
        let verify = async |text| passwords.verify(&password(text), Some(hash.clone())).await;
        assert!(verify("correct horse").await.unwrap());
        assert!(!verify("Correct horse").await.unwrap());
        assert!(!passwords.verify(&password("correct horse"), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_says_how_it_was_made_and_depends_on_its_salt() {
        let passwords = Passwords::new(PasswordCost::default()).unwrap();
        let first = passwords.hash(&password("correct horse"), [1; 16]).await.unwrap();
        let second = passwords.hash(&password("correct horse"), [2; 16]).await.unwrap();
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
    }

    #[tokio::test]
    async fn hashes_of_another_cost_still_verify() {
        let old = Passwords::new(PasswordCost::LEAST).unwrap();
        let hash = old.hash(&password("correct horse"), [1; 16]).await.unwrap();
        let new = Passwords::new(PasswordCost { passes: 3, ..PasswordCost::LEAST }).unwrap();
        assert!(new.verify(&password("correct horse"), Some(hash)).await.unwrap());
    }

    #[tokio::test]
    async fn a_damaged_hash_is_a_defect_and_lets_nobody_in() {
        let passwords = Passwords::new(PasswordCost::LEAST).unwrap();
        let result = passwords.verify(&password("correct horse"), Some("$argon2id$x".into())).await;
        assert!(matches!(result, Err(AppError::Defect(_))));
    }

    #[tokio::test]
    async fn a_turn_is_given_back_when_the_work_is_done() {
        let passwords = Passwords::new(PasswordCost::LEAST).unwrap();
        let turns = passwords.turns.available_permits();
        for _ in 0..=turns {
            passwords.hash(&password("correct horse"), [1; 16]).await.unwrap();
        }
        assert_eq!(passwords.turns.available_permits(), turns);
    }

    #[test]
    fn an_impossible_cost_is_refused() {
        let refused = Passwords::new(PasswordCost { passes: 0, ..PasswordCost::LEAST });
        assert!(matches!(refused, Err(SettingsError::PasswordCost(_))));
    }
}
