//! Announces changes to other servers. `NOTIFY` serializes commits, so it never runs in the
//! transaction of a change: changes are batched for a few milliseconds and announced together.

use std::{sync::Arc, time::Duration};

use uuid::Uuid;

use super::{CHANNEL, Live, lock};
use crate::database::Database;

/// How long changes gather.
const GATHER: Duration = Duration::from_millis(15);
/// A payload must be shorter than 8,000 bytes; an id and its comma take 37.
const IDS_AT_ONCE: usize = 200;

pub(super) async fn announce(live: Arc<Live>, database: Database) {
    loop {
        live.has_unannounced.notified().await;
        tokio::time::sleep(GATHER).await;
        let inventories: Vec<Uuid> = lock(&live.unannounced).drain().collect();
        for some in inventories.chunks(IDS_AT_ONCE) {
            // A lost announcement does no harm: every server also polls.
            if let Err(error) = database.notify(CHANNEL, &payload(some)).await {
                tracing::debug!(%error, "announcing changes failed; other servers will poll");
            }
        }
    }
}

fn payload(inventories: &[Uuid]) -> String {
    inventories.iter().map(Uuid::to_string).collect::<Vec<_>>().join(",")
}

/// The ids in an announcement; invalid ones are skipped.
pub(super) fn inventories(payload: &str) -> impl Iterator<Item = Uuid> {
    payload.split(',').filter_map(|id| Uuid::try_parse(id).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_is_short_enough_and_reads_back() {
        let ids: Vec<_> = (0..IDS_AT_ONCE).map(|n| Uuid::from_u128(n as u128)).collect();
        let text = payload(&ids);
        assert!(text.len() < 8000, "{}", text.len());
        assert_eq!(inventories(&text).collect::<Vec<_>>(), ids);
        assert_eq!(inventories("nonsense,").count(), 0);
    }
}
