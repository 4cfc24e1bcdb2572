//! A cache of API keys: every request of a device needs its key, and keys rarely change.

use std::sync::Arc;

use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, HouseholdId};
use larder_storage::{Cache, Lookup, ReadAt, Ticket};

/// How long it may go unnoticed that another server has revoked a key, or erased its household.
const LIFETIME_S: i64 = 10;
/// About 4 MB when full.
const MAX_ENTRIES: usize = 10_000;

/// When the read of a key began.
pub(super) type KeyTicket = Ticket<ReadAt<LIFETIME_S>>;

/// Valid keys by their hash. Invalid ones are not cached, so that they cannot fill the memory.
pub(super) struct KeyCache(Cache<ApiKeyHash, Arc<ApiKey>, ReadAt<LIFETIME_S>>);

/// One use of a valid key.
pub(super) struct KeyUse {
    /// The key as the store has it.
    pub(super) key: Arc<ApiKey>,
    /// Whether this use must be recorded in the store. True once: the next use sees it as recorded.
    pub(super) is_worth_noting: bool,
}

impl KeyCache {
    pub(super) fn new() -> Self {
        Self(Cache::new(MAX_ENTRIES))
    }

    /// Uses the key with this hash, if it is cached.
    pub(super) fn use_key(
        &self,
        hash: &ApiKeyHash,
        now: Timestamp,
    ) -> Lookup<KeyUse, ReadAt<LIFETIME_S>> {
        self.0.look_up_with(hash, ReadAt(now), |cached| {
            let key = Arc::clone(cached);
            let is_worth_noting = key.is_use_worth_noting(now);
            if is_worth_noting {
                Arc::make_mut(cached).last_used_at = Some(now);
            }
            KeyUse { key, is_worth_noting }
        })
    }

    /// Whether this key was valid when it was last read, however long ago: then it is not a guess.
    pub(super) fn was_valid(&self, hash: &ApiKeyHash) -> bool {
        self.0.peek(hash, |_| ()).is_some()
    }

    pub(super) fn ticket(&self, now: Timestamp) -> KeyTicket {
        self.0.ticket(ReadAt(now))
    }

    pub(super) fn insert(&self, ticket: KeyTicket, key: &Arc<ApiKey>) {
        self.0.insert(ticket, key.hash, Arc::clone(key));
    }

    /// Removes a key that has become invalid. One that was never valid must not invalidate
    /// anything: otherwise guessing would keep valid keys out of the cache.
    pub(super) fn remove_invalid(&self, hash: &ApiKeyHash) {
        if self.was_valid(hash) {
            self.0.invalidate(hash);
        }
    }

    /// Removes all keys of a household.
    pub(super) fn revoke_all(&self, household: HouseholdId) {
        self.0.invalidate_where(|key| key.household == Some(household));
    }

    /// Removes a key that was revoked here. Linear, because keys are rarely revoked and often used.
    pub(super) fn revoke(&self, id: ApiKeyId) {
        self.0.invalidate_where(|key| key.id == id);
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn key(number: u8) -> Arc<ApiKey> {
        Arc::new(ApiKey {
            id: ApiKeyId::from_random([number; 16]),
            household: None,
            hash: ApiKeyHash::from_bytes([number; 32]),
            created_at: NOW,
            last_used_at: Some(NOW),
            is_active: true,
            description: None,
        })
    }

    fn with(keys: &[Arc<ApiKey>], now: Timestamp) -> KeyCache {
        let cache = KeyCache::new();
        for key in keys {
            cache.insert(cache.ticket(now), key);
        }
        cache
    }

    fn use_key(cache: &KeyCache, key: &ApiKey, now: Timestamp) -> Option<KeyUse> {
        match cache.use_key(&key.hash, now) {
            Lookup::Hit(used) => Some(used),
            Lookup::Miss(_) => None,
        }
    }

    #[test]
    fn a_use_is_worth_noting_every_five_minutes_and_once() {
        let later = NOW + SignedDuration::from_mins(5);
        let cache = with(&[key(1)], later);
        let first = use_key(&cache, &key(1), later).unwrap();
        assert!(first.is_worth_noting);
        assert_eq!(first.key.last_used_at, Some(NOW), "as the store has it");
        assert!(!use_key(&cache, &key(1), later).unwrap().is_worth_noting);
    }

    #[test]
    fn a_revoked_key_is_invalid_and_a_guess_at_once_and_others_are_not() {
        let cache = with(&[key(1), key(2)], NOW);
        cache.revoke(key(1).id);
        assert!(use_key(&cache, &key(1), NOW).is_none());
        assert!(!cache.was_valid(&key(1).hash));
        assert!(use_key(&cache, &key(2), NOW).is_some_and(|used| used.key.id == key(2).id));
    }

    #[test]
    fn a_key_is_cached_for_ten_seconds_and_no_guess_until_the_store_says_that_it_is_invalid() {
        let cache = with(&[key(1)], NOW);
        let after = |ms| use_key(&cache, &key(1), NOW + SignedDuration::from_millis(ms)).is_some();
        assert_eq!((after(9_999), after(10_000)), (true, false));
        assert!(cache.was_valid(&key(1).hash));
        assert!(!cache.was_valid(&key(2).hash));
        cache.remove_invalid(&key(1).hash);
        assert!(!cache.was_valid(&key(1).hash));
    }

    #[test]
    fn guessing_keys_does_not_keep_valid_ones_out_of_the_cache() {
        let cache = KeyCache::new();
        let ticket = cache.ticket(NOW);
        cache.remove_invalid(&key(2).hash);
        cache.insert(ticket, &key(1));
        assert!(use_key(&cache, &key(1), NOW).is_some());
    }
}
