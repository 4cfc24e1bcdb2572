//! From an API key to whom it is for.

use std::{fmt, sync::Arc};

use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, ApiKeySecret, HouseholdId};
use larder_storage::Lookup;
use sha2::{Digest as _, Sha256};
use tracing::Instrument as _;

use super::key_cache::{KeyCache, KeyTicket, KeyUse};
use crate::{App, AppError, Result};

/// A device that has shown an API key that works.
///
/// Only [`App::authenticate_device`] makes one. Cheap to clone.
#[derive(Clone)]
pub struct DeviceCaller(Arc<ApiKey>);

impl DeviceCaller {
    /// The key, by the name that may be shown.
    pub fn key_id(&self) -> ApiKeyId {
        self.0.id
    }

    /// Whose devices it is for; `None`: the operator's.
    pub fn household(&self) -> Option<HouseholdId> {
        self.0.household
    }
}

/// The hash stays out of logs.
impl fmt::Debug for DeviceCaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeviceCaller").field(&self.0.id).finish()
    }
}

/// What turns keys into hashes, and a cache of valid ones.
pub(crate) struct DeviceKeys {
    /// SHA-256 that has read the pepper.
    peppered: Sha256,
    pub(super) cache: KeyCache,
}

impl DeviceKeys {
    /// Without the pepper, which no database holds, the hashes in one are of no use.
    pub(crate) fn new(pepper: &[u8]) -> Self {
        Self { peppered: Sha256::new_with_prefix(pepper), cache: KeyCache::new() }
    }

    /// SHA-256(pepper + raw key).
    pub(super) fn hash(&self, secret: &ApiKeySecret) -> ApiKeyHash {
        let digest = self.peppered.clone().chain_update(secret.reveal()).finalize();
        ApiKeyHash::from_bytes(digest.into())
    }
}

/// How often API keys may be guessed and used.
pub trait DeviceLimits: Sync {
    /// A limit is exceeded, or the key is not valid.
    type Exceeded: From<AppError>;

    /// Whether the store may be asked for a key that has not worked here.
    fn check_guess(&self) -> Result<(), Self::Exceeded>;

    /// The store has no such key, or it was revoked.
    fn count_guess(&self);

    /// Whether one more request may come with this key.
    fn check_request(&self, key: ApiKeyId) -> Result<(), Self::Exceeded>;
}

impl App {
    /// Who shows this key, within the limits. The store is asked only if the key is not cached.
    pub async fn authenticate_device<L: DeviceLimits>(
        &self,
        secret: &ApiKeySecret,
        limits: &L,
    ) -> Result<DeviceCaller, L::Exceeded> {
        let (hash, cache) = (self.device_keys.hash(secret), &self.device_keys.cache);
        let caller = match cache.use_key(&hash, self.now()) {
            Lookup::Hit(used) => self.admit(used),
            Lookup::Miss(ticket) => {
                // A key that has worked here is no guess: behind one address may be many devices whose keys are good.
                if !cache.was_valid(&hash) {
                    limits.check_guess()?;
                }
                let found = self.load_device(&hash, ticket).await;
                if matches!(found, Err(AppError::InvalidApiKey)) {
                    limits.count_guess();
                }
                found?
            }
        };
        limits.check_request(caller.key_id())?;
        Ok(caller)
    }

    async fn load_device(&self, hash: &ApiKeyHash, ticket: KeyTicket) -> Result<DeviceCaller> {
        let cache = &self.device_keys.cache;
        let found = self.storage.find_api_key(hash).await?;
        let Some(key) = found.filter(|key| key.is_active) else {
            cache.remove_invalid(hash);
            return Err(AppError::InvalidApiKey);
        };
        let key = Arc::new(key);
        cache.insert(ticket, &key);
        // Through the cache, so that of many loads at once only one notes the use. A load that was not cached leaves
        // that to the next.
        match cache.use_key(hash, self.now()) {
            Lookup::Hit(used) => Ok(self.admit(used)),
            Lookup::Miss(_) => Ok(DeviceCaller(key)),
        }
    }

    fn admit(&self, used: KeyUse) -> DeviceCaller {
        if used.is_worth_noting {
            self.note_use(Arc::clone(&used.key));
        }
        DeviceCaller(used.key)
    }

    /// Tells the store of a key's use without making the device wait. That it fails costs nobody anything: half a
    /// minute later the key is loaded again, and its use is still worth noting.
    fn note_use(&self, key: Arc<ApiKey>) {
        let (storage, now) = (Arc::clone(&self.storage), self.now());
        let work = async move {
            if let Err(error) = storage.note_api_key_use(&key, now).await {
                tracing::warn!(key = %key.id, %error, "API key use not recorded");
            }
        };
        tokio::spawn(work.in_current_span());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_sha_256_of_pepper_and_raw_key() {
        let secret = ApiKeySecret::from_random([0xab; 32]);
        let hash = DeviceKeys::new(b"pepper").hash(&secret);
        // printf 'pepper%s' "$(printf 'ab%.0s' {1..32})" | sha256sum
        let expected = "fd1d9fa1cdbfcfa861ce15a50e0f6b543dc3c2f132d15843c90addd519b0e3e3";
        assert_eq!(hash.to_string(), expected);
        assert_ne!(DeviceKeys::new(b"salt").hash(&secret), hash);
    }
}
