//! API keys: admins create and revoke those of their household, the operator their own.

use std::sync::Arc;

use larder_domain::{ApiKey, ApiKeyId, ApiKeyPosition, ApiKeySecret, KeyDescription};
use larder_storage::{FleetScope, NewApiKey, Page};

use super::FleetCaller;
use crate::{App, AppError, Result, authorize, completion::complete_even_if_cancelled};

/// A new key, with its text, which is not stored.
#[derive(Debug)]
pub struct MadeApiKey {
    /// The stored form.
    pub key: ApiKey,
    /// The text that devices send.
    pub secret: ApiKeySecret,
}

impl App {
    /// Creates a key. Devices can use it at once on this server, even if the store's indexes lag.
    pub async fn make_api_key(
        &self,
        caller: &FleetCaller,
        description: Option<KeyDescription>,
    ) -> Result<MadeApiKey> {
        let scope = scope_of_keys(caller)?.ok_or(AppError::HouseholdRequired)?;
        let secret = ApiKeySecret::from_random(self.entropy.bytes());
        let at = self.now();
        let hash = self.device_keys.hash(&secret);
        let new = NewApiKey { id: self.entropy.id(), hash, description, at };
        let ticket = self.device_keys.cache.ticket(at);
        let key = self.storage.add_api_key(scope, &new).await?;
        self.device_keys.cache.insert(ticket, &Arc::new(key.clone()));
        Ok(MadeApiKey { key, secret })
    }

    /// A page of keys, newest first, revoked ones included.
    pub async fn api_keys(
        &self,
        caller: &FleetCaller,
        after: Option<&ApiKeyPosition>,
        limit: usize,
    ) -> Result<Page<ApiKey, ApiKeyPosition>> {
        match scope_of_keys(caller)? {
            Some(scope) => Ok(self.storage.list_api_keys(scope, after, limit).await?),
            None => Ok(Page::EMPTY),
        }
    }

    /// Revokes a key permanently: on this server it stops working before this returns. It completes
    /// even if the request is cancelled, and the key is removed from the cache after a failure too,
    /// whose outcome may be unknown.
    pub async fn revoke_api_key(&self, caller: &FleetCaller, id: ApiKeyId) -> Result<()> {
        let scope = scope_of_keys(caller)?.ok_or(AppError::ApiKeyNotFound)?;
        let (storage, keys) = (Arc::clone(&self.storage), Arc::clone(&self.device_keys));
        let revoked = complete_even_if_cancelled(async move {
            let revoked = storage.revoke_api_key(scope, id).await;
            keys.cache.revoke(id);
            revoked
        });
        revoked.await??.map(|_| ()).ok_or(AppError::ApiKeyNotFound)
    }
}

/// The caller's fleet, whose keys only admins and the operator may see; `None` in individual mode, where there are
/// none.
fn scope_of_keys(caller: &FleetCaller) -> Result<Option<FleetScope>> {
    authorize::unless_alone(authorize::fleet_administration(caller))
}

#[cfg(test)]
mod tests {
    use larder_domain::Role;

    use super::*;
    use crate::{caller::tests::caller, telemetry::operator::tests::operator};

    #[test]
    fn only_admins_and_the_operator_have_to_do_with_keys_and_people_on_their_own_have_none() {
        let person = |role| FleetCaller::Person(caller(role));
        assert!(scope_of_keys(&person(Some(Role::Admin))).unwrap().is_some());
        let refused = scope_of_keys(&person(Some(Role::Member)));
        assert!(matches!(refused, Err(AppError::AdminRequired)));
        assert!(scope_of_keys(&person(None)).unwrap().is_none());
        let own = scope_of_keys(&operator()).unwrap().unwrap();
        assert_eq!(own.household(), None);
    }
}
