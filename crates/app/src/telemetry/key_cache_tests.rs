use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn numbered(number: u32) -> Arc<ApiKey> {
    let mut hash = [0; 32];
    hash[..4].copy_from_slice(&number.to_be_bytes());
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    Arc::new(ApiKey {
        id: ApiKeyId::from_random(id),
        household: None,
        hash: ApiKeyHash::from_bytes(hash),
        created_at: NOW,
        last_used_at: Some(NOW),
        is_active: true,
        description: None,
    })
}

fn known(cache: &KeyCache, key: &ApiKey, now: Timestamp) -> Option<KnownKey> {
    match cache.look_up(&key.hash, now) {
        Lookup::Known(known) => Some(known),
        Lookup::Unknown(_) => None,
    }
}

fn is_known(cache: &KeyCache, key: &ApiKey, now: Timestamp) -> bool {
    known(cache, key, now).is_some_and(|known| known.key.id == key.id)
}

fn with_one() -> (KeyCache, Arc<ApiKey>) {
    let (cache, key) = (KeyCache::default(), numbered(1));
    cache.remember(cache.ticket(NOW), &key);
    (cache, key)
}

#[test]
fn a_key_is_known_for_half_a_minute_from_the_start_of_the_load() {
    let (cache, key) = with_one();
    assert!(is_known(&cache, &key, NOW));
    assert!(is_known(&cache, &key, NOW + SignedDuration::from_millis(29_999)));
    assert!(!is_known(&cache, &key, NOW + SignedDuration::from_secs(30)));
    assert!(!is_known(&cache, &key, NOW - SignedDuration::from_millis(1)));
}

#[test]
fn a_forgotten_key_is_loaded_again_and_others_are_not() {
    let (cache, key) = with_one();
    let other = numbered(2);
    cache.remember(cache.ticket(NOW), &other);
    cache.forget(key.id);
    assert!(!is_known(&cache, &key, NOW));
    assert!(is_known(&cache, &other, NOW));
}

#[test]
fn a_load_that_began_before_the_forgetting_is_not_remembered_after_it() {
    let (cache, key) = (KeyCache::default(), numbered(1));
    let Lookup::Unknown(early) = cache.look_up(&key.hash, NOW) else {
        panic!("nothing is known yet");
    };
    cache.forget(key.id);
    cache.remember(early, &key);
    assert!(!is_known(&cache, &key, NOW));
    cache.remember(cache.ticket(NOW), &key);
    assert!(is_known(&cache, &key, NOW));
}

#[test]
fn a_use_is_worth_noting_every_five_minutes_and_once() {
    let (cache, key) = (KeyCache::default(), numbered(1));
    let later = NOW + SignedDuration::from_mins(5);
    cache.remember(cache.ticket(later), &key);
    let first = known(&cache, &key, later).unwrap();
    assert!(first.is_use_worth_noting);
    assert_eq!(first.key.last_used_at, Some(NOW), "as the store has it");
    assert!(!known(&cache, &key, later).unwrap().is_use_worth_noting);
}

#[test]
fn it_never_holds_more_than_its_bound() {
    let cache = KeyCache::default();
    for number in 0..=u32::try_from(MAX_ENTRIES).unwrap() {
        cache.remember(cache.ticket(NOW), &numbered(number));
        assert!(cache.lock().entries.len() <= MAX_ENTRIES);
    }
    assert!(is_known(&cache, &numbered(u32::try_from(MAX_ENTRIES).unwrap()), NOW));
}

#[test]
fn a_key_that_worked_is_no_guess_until_it_ends() {
    let (cache, key) = with_one();
    let later = NOW + SignedDuration::from_hours(1);
    assert!(!is_known(&cache, &key, later));
    assert!(cache.has_known(&key.hash));
    assert!(!cache.has_known(&numbered(2).hash));
    cache.has_ended(&key.hash);
    assert!(!cache.has_known(&key.hash));
}

#[test]
fn a_key_that_was_revoked_here_is_a_guess_at_once() {
    let (cache, key) = with_one();
    cache.forget(key.id);
    assert!(!cache.has_known(&key.hash));
}
