//! Hearing of the changes of other servers.

use std::{sync::Arc, time::Duration};

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::MissedTickBehavior;

use super::{CHANNEL, Live, announce::inventories};
use crate::{context::Context, database::Database, failure::Failure};

/// The interval of polling for missed changes, and of reconnecting.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// Listens on a connection of its own, for as long as the store lives.
pub(super) async fn listen(live: Arc<Live>, connection: PgConnectOptions) {
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .max_lifetime(None)
        .idle_timeout(None)
        .connect_lazy_with(connection);
    let mut again = tokio::time::interval(ASK_EVERY);
    again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        again.tick().await;
        match PgListener::connect_with(&pool).await {
            Ok(mut listener) => {
                if let Err(error) = hear(&live, &mut listener).await {
                    tracing::debug!(%error, "listening for changes interrupted, will retry");
                }
            }
            Err(error) => tracing::debug!(%error, "listening for changes failed, will retry"),
        }
    }
}

async fn hear(live: &Live, listener: &mut PgListener) -> sqlx::Result<()> {
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    while let Some(announcement) = listener.try_recv().await? {
        for inventory in inventories(announcement.payload()) {
            live.wake(inventory);
        }
    }
    Ok(())
}

/// Polls regularly: a fallback for lost announcements, and the only source behind a transaction
/// pooler.
pub(super) async fn ask_regularly(live: Arc<Live>, database: Database) {
    let mut turn = tokio::time::interval(ASK_EVERY);
    turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        turn.tick().await;
        let watched = live.watched();
        if watched.is_empty() {
            continue;
        }
        match database.retry(|| heads(&database, &watched)).await {
            Ok(heads) => live.catch_up(heads),
            Err(error) => tracing::debug!(%error, "polling for changes failed, will retry"),
        }
    }
}

/// The newest change of each inventory. The only data that the database returns without a context.
async fn heads(
    database: &Database,
    inventories: &[uuid::Uuid],
) -> Result<Vec<(uuid::Uuid, i64)>, Failure> {
    let mut transaction = database.read(&Context::of_server()).await?;
    let rows = sqlx::query!(
        r#"SELECT inventory_id AS "inventory_id!", sequence AS "sequence!"
           FROM change_heads($1)"#,
        inventories,
    )
    .fetch_all(&mut transaction)
    .await?;
    Ok(rows.into_iter().map(|row| (row.inventory_id, row.sequence)).collect())
}
