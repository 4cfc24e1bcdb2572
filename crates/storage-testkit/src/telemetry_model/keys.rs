//! API keys.

use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, whole_seconds};
use larder_storage::{FleetScope, NewApiKey};

use super::TelemetryModel;

impl TelemetryModel {
    /// Creates a key.
    pub fn add_key(&mut self, scope: FleetScope, new: &NewApiKey) -> ApiKey {
        let key = ApiKey {
            id: new.id,
            household: scope.household(),
            hash: new.hash,
            created_at: whole_seconds(new.at),
            last_used_at: None,
            is_active: true,
            description: new.description.clone(),
        };
        self.keys.insert(key.id, key.clone());
        key
    }

    /// All keys, newest first.
    pub fn keys(&self, scope: FleetScope) -> Vec<ApiKey> {
        let seen = self.keys.values().filter(|key| scope.sees(key.household));
        let mut keys: Vec<_> = seen.cloned().collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.position()));
        keys
    }

    /// Revokes a key.
    pub fn revoke(&mut self, scope: FleetScope, id: ApiKeyId) -> Option<ApiKey> {
        let key = self.keys.get_mut(&id).filter(|key| scope.sees(key.household))?;
        key.is_active = false;
        Some(key.clone())
    }

    /// The key with this hash.
    pub fn key_with(&self, hash: &ApiKeyHash) -> Option<&ApiKey> {
        self.keys.values().find(|key| key.hash == *hash)
    }

    /// Notes a use, at most every five minutes.
    pub fn note_use(&mut self, id: ApiKeyId, at: Timestamp) {
        if let Some(key) = self.keys.get_mut(&id).filter(|key| key.is_use_worth_noting(at)) {
            key.last_used_at = Some(whole_seconds(at));
        }
    }
}
