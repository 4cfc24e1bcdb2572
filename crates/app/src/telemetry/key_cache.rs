//! What is known of API keys, for a moment: every request of a device needs it, and it rarely changes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId};

/// How long a revocation that another server made may go unnoticed: 60 seconds are allowed.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(30);
/// About 4 MB when full.
const MAX_ENTRIES: usize = 10_000;

/// Keys that work, as the store gave them at most half a minute ago. Keys that do not are not kept: whoever floods a
/// server with them must not fill its memory. On this server what was forgotten stays forgotten, even if someone was
/// just loading it.
#[derive(Default)]
pub(super) struct KeyCache(Mutex<State>);

#[derive(Default)]
struct State {
    entries: HashMap<ApiKeyHash, Entry>,
    /// Counts what was forgotten, so that a load from before it is told apart from one after it.
    generation: u64,
}

struct Entry {
    key: Arc<ApiKey>,
    loaded_at: Timestamp,
}

/// What is known of a key.
pub(super) enum Lookup {
    /// It works.
    Known(KnownKey),
    /// Nothing: load it, and bring this back.
    Unknown(LoadTicket),
}

/// A key that works.
pub(super) struct KnownKey {
    /// As the store last told it.
    pub(super) key: Arc<ApiKey>,
    /// Whether the store is to be told of this use. Said once: whoever asks next is told that it is noted.
    pub(super) is_use_worth_noting: bool,
}

/// Shows when a load began. What was read before something was forgotten must not be remembered after it.
#[derive(Clone, Copy)]
pub(super) struct LoadTicket {
    generation: u64,
    began_at: Timestamp,
}

impl KeyCache {
    /// What is known of the key with this hash now.
    pub(super) fn look_up(&self, hash: &ApiKeyHash, now: Timestamp) -> Lookup {
        let mut state = self.lock();
        match state.entries.get_mut(hash) {
            Some(entry) if entry.is_fresh(now) => Lookup::Known(entry.used(now)),
            _ => Lookup::Unknown(LoadTicket { generation: state.generation, began_at: now }),
        }
    }

    /// Whether this key worked when the store was last asked, however long ago. While it is not forgotten for room,
    /// whoever shows it guesses no keys.
    pub(super) fn has_known(&self, hash: &ApiKeyHash) -> bool {
        self.lock().entries.contains_key(hash)
    }

    /// Forgets a key that works no more: another server has revoked it, for good.
    pub(super) fn has_ended(&self, hash: &ApiKeyHash) {
        self.lock().entries.remove(hash);
    }

    /// Remembers a key that works, unless anything was forgotten since the load began.
    pub(super) fn remember(&self, ticket: LoadTicket, key: &Arc<ApiKey>) {
        let mut state = self.lock();
        if state.generation != ticket.generation {
            return;
        }
        if state.entries.len() >= MAX_ENTRIES && !state.entries.contains_key(&key.hash) {
            state.entries.retain(|_, entry| entry.is_fresh(ticket.began_at));
            // All fresh: loading all of them again now and then is cheaper than keeping an order of use.
            if state.entries.len() >= MAX_ENTRIES {
                state.entries.clear();
            }
        }
        let entry = Entry { key: Arc::clone(key), loaded_at: ticket.began_at };
        state.entries.insert(key.hash, entry);
    }

    /// A ticket for a key that is about to be made.
    pub(super) fn ticket(&self, now: Timestamp) -> LoadTicket {
        LoadTicket { generation: self.lock().generation, began_at: now }
    }

    /// Forgets this key. Looks at all of them, because keys are revoked rarely and used often.
    pub(super) fn forget(&self, id: ApiKeyId) {
        let mut state = self.lock();
        state.generation += 1;
        state.entries.retain(|_, entry| entry.key.id != id);
    }

    /// No change of the state can stop halfway, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// A clock that was set back makes everything stale rather than fresh for ever.
    fn is_fresh(&self, now: Timestamp) -> bool {
        (SignedDuration::ZERO..MAX_AGE).contains(&now.duration_since(self.loaded_at))
    }

    fn used(&mut self, now: Timestamp) -> KnownKey {
        let key = Arc::clone(&self.key);
        let is_use_worth_noting = key.is_use_worth_noting(now);
        if is_use_worth_noting {
            Arc::make_mut(&mut self.key).last_used_at = Some(now);
        }
        KnownKey { key, is_use_worth_noting }
    }
}

#[cfg(test)]
#[path = "key_cache_tests.rs"]
mod tests;
