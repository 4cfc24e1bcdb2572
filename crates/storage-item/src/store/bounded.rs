//! Bounded maps for caches.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Puts an entry into a map of at most this many; a full map is cleared.
pub(super) fn put<K: Eq + Hash, V>(map: &mut HashMap<K, V>, most: usize, key: K, value: V) {
    if map.len() >= most && !map.contains_key(&key) {
        map.clear();
    }
    map.insert(key, value);
}

/// Locks a map even if a holder panicked: a failed insertion leaves the map intact.
pub(super) fn lock<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_full_starts_anew() {
        let mut map = HashMap::new();
        for n in 0..5 {
            put(&mut map, 2, n, n);
            assert!(map.len() <= 2 && map.contains_key(&n), "{n}");
        }
    }

    #[test]
    fn replacing_an_entry_of_a_full_map_keeps_the_others() {
        let mut map = HashMap::from([(1, 1), (2, 2)]);
        put(&mut map, 2, 2, 3);
        assert_eq!(map, HashMap::from([(1, 1), (2, 3)]));
    }
}
