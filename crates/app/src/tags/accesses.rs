//! How often the pages of tags are opened: gathered here and written together, so that a page costs no write.

use std::{
    collections::{HashMap, hash_map::Entry},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use larder_domain::UrlId;
use larder_storage::{StorageError, TagAccesses, Tags};

use crate::{App, Result, completion::complete_even_if_cancelled};

/// Tags written to the store per call. Failed ones are retried.
const AT_ONCE: usize = 100;

/// Counts not written to the store yet. Only existing tags are counted, which bounds their number.
#[derive(Default)]
pub(crate) struct AccessCounter {
    untold: Mutex<HashMap<UrlId, TagAccesses>>,
    /// Held during a flush, so that waiting for it includes everything counted before.
    telling: tokio::sync::Mutex<()>,
}

impl AccessCounter {
    pub(crate) fn count(&self, accesses: TagAccesses) {
        add(&mut self.untold(), accesses);
    }

    /// Writes everything to the store. Failed counts are kept for the next time.
    async fn flush(&self, storage: &dyn Tags) -> Result<(), StorageError> {
        let _telling = self.telling.lock().await;
        let all: Vec<TagAccesses> = mem::take(&mut *self.untold()).into_values().collect();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(AT_ONCE));
            if let Err(error) = storage.record_accesses(now).await {
                let mut untold = self.untold();
                for accesses in rest {
                    add(&mut untold, *accesses);
                }
                return Err(error);
            }
            rest = later;
        }
        Ok(())
    }

    fn untold(&self) -> MutexGuard<'_, HashMap<UrlId, TagAccesses>> {
        // Numbers in a map are whole after a panic, too.
        self.untold.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(untold: &mut HashMap<UrlId, TagAccesses>, accesses: TagAccesses) {
    match untold.entry(accesses.url) {
        Entry::Vacant(first) => _ = first.insert(accesses),
        Entry::Occupied(mut known) => {
            let known = known.get_mut();
            known.count += accesses.count;
            known.last_at = known.last_at.max(accesses.last_at);
        }
    }
}

impl App {
    /// Writes the page views of tags since the last time. To be called every second, and at the
    /// end. It completes even if the caller is cancelled: otherwise counts would be lost.
    pub async fn flush_accesses(&self) -> Result<()> {
        let (accesses, storage) = (Arc::clone(&self.accesses), Arc::clone(&self.storage));
        Ok(complete_even_if_cancelled(async move { accesses.flush(&*storage).await }).await??)
    }
}

#[cfg(test)]
#[path = "accesses_tests.rs"]
mod tests;
