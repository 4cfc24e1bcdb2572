//! The keys that devices authenticate with.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, ApiKeyPosition, KeyDescription};

use crate::{FleetScope, Page, Result};

/// A key to be.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// Its name that may be shown.
    pub id: ApiKeyId,
    /// The hash by which it is found.
    pub hash: ApiKeyHash,
    /// Its purpose.
    pub description: Option<KeyDescription>,
    /// The time, stored in whole seconds.
    pub at: Timestamp,
}

/// API keys of a household, or all of them for the operator.
#[async_trait]
pub trait ApiKeys: Send + Sync {
    /// Creates a key of the scope's household, or the operator's.
    async fn add_api_key(&self, scope: FleetScope, key: &NewApiKey) -> Result<ApiKey>;

    /// A page of keys, newest first (within a second by id, descending), revoked ones included. May lag behind writes
    /// where the engine's indexes do.
    async fn list_api_keys(
        &self,
        scope: FleetScope,
        after: Option<&ApiKeyPosition>,
        limit: usize,
    ) -> Result<Page<ApiKey, ApiKeyPosition>>;

    /// Revokes a key permanently; idempotent. `None` if the scope sees no such key.
    async fn revoke_api_key(&self, scope: FleetScope, key: ApiKeyId) -> Result<Option<ApiKey>>;

    /// The key with this hash, revoked or not. Precedes authorization: the key itself is the proof.
    /// A new key may be found late if the engine's indexes lag; its revocation is never stale.
    async fn find_api_key(&self, hash: &ApiKeyHash) -> Result<Option<ApiKey>>;

    /// Notes that a key was used, unless a use less than [`larder_domain::API_KEY_USE_INTERVAL`] before is noted
    /// already. The key was found by [`ApiKeys::find_api_key`].
    async fn note_api_key_use(&self, key: &ApiKey, at: Timestamp) -> Result<()>;
}
