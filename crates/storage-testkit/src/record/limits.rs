//! Limits of every engine, which are those of the narrowest.

use larder_storage::StorageError;
use larder_storage_item::{Action, MAX_ACTIONS, MAX_RECORD_BYTES, TransactError};

use crate::EngineHarness;
use crate::engine_harness::{delete, put};

fn many(h: &EngineHarness, count: usize) -> Vec<Action> {
    (0..count).map(|n| put(h.record("L", &format!("{n:03}")))).collect()
}

fn is_too_large<T>(result: &Result<T, TransactError>) -> bool {
    matches!(result, Err(TransactError::Storage(StorageError::TooLarge(_))))
}

pub async fn r14_a_transaction_holds_what_the_engine_says_and_never_more_than_100(
    h: &EngineHarness,
) {
    let most = h.engine().max_changes().await.unwrap();
    assert!((5..=MAX_ACTIONS).contains(&most), "{most}");
    for too_many in [most + 1, MAX_ACTIONS + 1] {
        let refused = h.transact(many(h, too_many)).await;
        assert!(is_too_large(&refused), "{too_many}: {refused:?}");
    }
    assert_eq!(h.read_all(&h.query("L")).await.len(), 0);
    h.commit(many(h, most)).await;
    assert_eq!(h.read_all(&h.query("L")).await.len(), most);
}

pub async fn r14_a_transaction_touches_a_record_at_most_once(h: &EngineHarness) {
    let twice = vec![put(h.record("L", "x")), delete(h.key("L", "x"))];
    let refused = h.transact(twice).await;
    assert!(matches!(refused, Err(TransactError::Storage(StorageError::Defect(_)))), "{refused:?}");
    assert_eq!(h.get(&h.key("L", "x")).await, None);
}

pub async fn r14_a_record_holds_400_kilobytes_and_no_more(h: &EngineHarness) {
    // Room for the keys and the names.
    let fitting = h.record("L", "fits").with("text", "x".repeat(MAX_RECORD_BYTES - 1024));
    h.commit(vec![put(fitting.clone())]).await;
    assert_eq!(h.get(&h.key("L", "fits")).await, Some(fitting));
    let larger = h.record("L", "larger").with("text", "x".repeat(MAX_RECORD_BYTES));
    let refused = h.transact(vec![put(h.record("L", "beside")), put(larger)]).await;
    assert!(is_too_large(&refused), "{refused:?}");
    assert_eq!(h.get(&h.key("L", "beside")).await, None);
}

pub async fn r22_an_engine_says_that_it_is_ready(h: &EngineHarness) {
    h.engine().ready().await.unwrap();
}
