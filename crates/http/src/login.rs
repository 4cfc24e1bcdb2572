//! One attempt to log in with a password, the same from both front ends: limited, and logged if it
//! fails.

use larder_app::{AppError, Result};
use larder_domain::{Email, Password};

use crate::{AccountLimits, ClientAddress, RateLimited};

/// Tries a login unless this address has failed too often. Only failures count.
///
/// An invalid email or password is answered like a wrong one, so that the reason stays secret.
pub async fn try_login<T, F>(
    limits: Option<&AccountLimits>,
    address: ClientAddress,
    email: &str,
    password: &str,
    login: impl FnOnce(Email, Password) -> F,
) -> Result<Result<T>, RateLimited>
where
    F: Future<Output = Result<T>>,
{
    let email = Email::parse_stored(email).ok();
    if let Some(limits) = limits {
        limits.count_login(address, email.as_ref())?;
    }
    let login = match (email.clone(), Password::parse(password)) {
        (Some(email), Ok(password)) => login(email, password).await,
        _ => Err(AppError::InvalidCredentials),
    };
    if matches!(login, Err(AppError::InvalidCredentials)) {
        // Documented for tools that ban addresses: docs/accounts.md.
        tracing::info!(address = %address.ip(), "login failed");
    } else if let Some(limits) = limits {
        limits.uncount_login(address, email.as_ref());
    }
    Ok(login)
}
