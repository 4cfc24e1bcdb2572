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
/// Created only by [`App::authenticate_device`]. Cheap to clone.
#[derive(Clone)]
pub struct DeviceCaller(Arc<ApiKey>);

impl DeviceCaller {
    /// The key, by the name that may be shown.
    pub fn key_id(&self) -> ApiKeyId {
        self.0.id
    }

    /// The owner of its devices; `None`: the operator.
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

/// Hashes keys, and caches valid ones.
pub(crate) struct DeviceKeys {
    /// SHA-256 that has read the pepper.
    peppered: Sha256,
    pub(super) cache: KeyCache,
}

impl DeviceKeys {
    /// Without the pepper, which is in no database, stored hashes are useless.
    pub(crate) fn new(pepper: &[u8]) -> Self {
        Self { peppered: Sha256::new_with_prefix(pepper), cache: KeyCache::new() }
    }

    /// Forgets the keys of a household, which is being erased.
    pub(crate) fn revoke_all(&self, household: HouseholdId) {
        self.cache.revoke_all(household);
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

    /// Whether the store may be queried for a key that was never valid here.
    fn check_guess(&self) -> Result<(), Self::Exceeded>;

    /// The store has no such key, or it was revoked.
    fn count_guess(&self);

    /// Whether one more request with this key is allowed.
    fn check_request(&self, key: ApiKeyId) -> Result<(), Self::Exceeded>;
}

impl App {
    /// The device with this key, within the limits. The store is queried only if the key is not
    /// cached.
    pub async fn authenticate_device<L: DeviceLimits>(
        &self,
        secret: &ApiKeySecret,
        limits: &L,
    ) -> Result<DeviceCaller, L::Exceeded> {
        let (hash, cache) = (self.device_keys.hash(secret), &self.device_keys.cache);
        let caller = match cache.use_key(&hash, self.now()) {
            Lookup::Hit(used) => self.admit(used),
            Lookup::Miss(ticket) => {
                // A key that was valid here is not a guess: many devices with valid keys may share
                // an address.
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

    /// Records a key's use without delaying the device. A failure does no harm: half a minute later
    /// the key is loaded again, and its use recorded then.
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
