//! The poller: polls partitions with listeners for changes by other servers.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use larder_storage::Result;
use larder_storage_item::Key;
use tokio::time::sleep;
use tracing::{debug, warn};

use super::Watchers;
use crate::database::Database;
use crate::journal::{Place, place};
use crate::transact::Partition;

/// The longest pause while the database does not answer.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Polls until it is aborted.
pub(crate) async fn poll(database: Arc<Database>, watchers: Arc<Watchers>, interval: Duration) {
    let mut pause = interval;
    loop {
        let listened = watchers.listened();
        if listened.is_empty() {
            watchers.subscribed.notified().await;
            continue;
        }
        match look(&database, &watchers, listened).await {
            Ok(()) => {
                if pause > interval {
                    debug!("polling for changes of other servers recovered");
                }
                pause = interval;
            }
            Err(error) => {
                if pause == interval {
                    warn!(%error, "polling for changes of other servers failing, will retry");
                }
                pause = (pause * 2).min(LONGEST_PAUSE.max(interval));
            }
        }
        // Jitter, so that servers that started together do not poll together.
        sleep(pause * 3 / 4 + database.random.up_to(pause / 2)).await;
    }
}

/// Reads the next change record of each partition: usually there is none, which is cheapest.
async fn look(
    database: &Database,
    watchers: &Watchers,
    listened: Vec<(Partition, Option<u64>)>,
) -> Result<()> {
    let table = database.names.changes();
    let next = |partition: &Partition, newest: u64| {
        let (table, pk) = partition;
        Key::new(place::partition(*table, pk), Place::first(newest + 1).sort_key())
    };
    let known = listened.iter().filter_map(|(partition, newest)| Some((partition, (*newest)?)));
    let wanted: Vec<_> =
        known.map(|(partition, newest)| (table, next(partition, newest))).collect();
    let found = database.get_many(&wanted, false).await?;
    let found: HashSet<Key> = found.into_keys().map(|(_, key)| key).collect();
    for (partition, newest) in listened {
        if newest.is_none_or(|newest| found.contains(&next(&partition, newest))) {
            let last = database.journal_newest(partition.0, &partition.1).await?;
            watchers.changed(&partition, last.unwrap_or(Place::first(0)));
        }
    }
    Ok(())
}
