//! Deliveries of notifications. Due ones are found across households, by ids, numbers and times
//! only; their last errors are read in the context of each household.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use larder_domain::{Channel, HouseholdId};
use larder_storage::{Attempt, DEAD_LETTER_LIFETIME, Delivery, Result};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

/// The columns of a delivery that are visible across households.
struct DeliveryRow {
    household_id: Uuid,
    notification_id: Uuid,
    channel: String,
    attempts: i32,
    due_at: Instant,
    has_failed: bool,
}

/// `query_as!` for a function that returns [`DeliveryRow`]s.
macro_rules! select_deliveries {
    ($from:literal, $now:expr, $limit:expr) => {
        sqlx::query_as!(
            DeliveryRow,
            r#"SELECT household_id AS "household_id!", notification_id AS "notification_id!",
                   channel AS "channel!", attempts AS "attempts!", due_at AS "due_at!: Instant",
                   has_failed AS "has_failed!" "#
                + $from,
            Instant($now) as _,
            i32::try_from($limit).unwrap_or(i32::MAX),
        )
    };
}

/// The last error of deliveries, by notification and channel.
type Errors = HashMap<(Uuid, String), String>;

impl DeliveryRow {
    fn into_delivery(self, errors: &mut Errors) -> Result<Delivery> {
        let misfit = |column, reason: String| {
            misfit(format!("deliveries {} {}", self.notification_id, self.channel), column, reason)
        };
        Ok(Delivery {
            household: domain_id(self.household_id),
            notification: domain_id(self.notification_id),
            channel: Channel::parse(&self.channel)
                .ok_or_else(|| misfit("channel", "is unknown".to_owned()))?,
            attempts: u32::try_from(self.attempts)
                .map_err(|reason| misfit("attempts", reason.to_string()))?,
            due_at: self.due_at.0,
            last_error: errors.remove(&(self.notification_id, self.channel)),
        })
    }
}

impl PostgresStore {
    pub(super) async fn deliveries_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Delivery>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let rows = select_deliveries!("FROM due_deliveries($1, $2)", now, limit);
        let rows = rows.fetch_all(&mut transaction).await?;
        transaction.with_errors(rows).await
    }

    pub(super) async fn deliveries_dead(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Delivery>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let rows = select_deliveries!("FROM dead_deliveries($1, $2)", now, limit);
        let rows = rows.fetch_all(&mut transaction).await?;
        transaction.with_errors(rows).await
    }

    pub(super) async fn revive(&self, now: Timestamp) -> Result<u64, Failure> {
        let mut transaction = self.database.write(&Context::of_server()).await?;
        let revived = sqlx::query_scalar!(
            r#"SELECT revive_dead_deliveries($1) AS "revived!""#,
            Instant(now) as _,
        )
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(u64::try_from(revived).unwrap_or(0))
    }

    pub(super) async fn remember_attempt(
        &self,
        delivery: &Delivery,
        attempt: &Attempt,
    ) -> Result<(), Failure> {
        let context = Context::of_server().household(delivery.household);
        let mut transaction = self.database.write(&context).await?;
        match attempt {
            Attempt::Delivered => transaction.delivered(delivery).await?,
            Attempt::RetryAt(at, reason) => {
                transaction.failed(delivery, *at, reason, None).await?;
            }
            Attempt::Dead(at, reason) => {
                let dead_until = whole_second(*at)
                    .saturating_add(DEAD_LETTER_LIFETIME)
                    .unwrap_or(Timestamp::MAX);
                transaction.failed(delivery, *at, reason, Some(dead_until)).await?;
            }
        }
        transaction.commit().await
    }
}

/// Times after which something is forgotten are whole seconds on every engine.
fn whole_second(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

impl Transaction {
    /// The deliveries, with their last errors.
    async fn with_errors(&mut self, rows: Vec<DeliveryRow>) -> Result<Vec<Delivery>, Failure> {
        let mut failed: BTreeMap<HouseholdId, Vec<Uuid>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.has_failed) {
            failed.entry(domain_id(row.household_id)).or_default().push(row.notification_id);
        }
        let mut errors = Errors::new();
        for (household, notifications) in failed {
            self.extend(Context::default().household(household)).await?;
            let found = sqlx::query!(
                r#"SELECT notification_id, channel, last_error AS "last_error!" FROM deliveries
                   WHERE household_id = $1 AND notification_id = ANY ($2)
                   AND last_error IS NOT NULL"#,
                uuid(household),
                &notifications,
            )
            .fetch_all(&mut *self)
            .await?;
            let found = found.into_iter();
            errors.extend(found.map(|row| ((row.notification_id, row.channel), row.last_error)));
        }
        let deliveries = rows.into_iter().map(|row| row.into_delivery(&mut errors));
        Ok(deliveries.collect::<Result<_>>()?)
    }

    /// Deletes a delivery, unless another server has tried it meanwhile.
    async fn delivered(&mut self, delivery: &Delivery) -> Result<(), Failure> {
        sqlx::query!(
            "DELETE FROM deliveries WHERE household_id = $1 AND notification_id = $2
             AND channel = $3 AND attempts = $4",
            uuid(delivery.household),
            uuid(delivery.notification),
            delivery.channel.as_str(),
            attempts_of(delivery),
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Counts a failed attempt, unless another server has tried it meanwhile.
    async fn failed(
        &mut self,
        delivery: &Delivery,
        due_at: Timestamp,
        reason: &str,
        dead_until: Option<Timestamp>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE deliveries
             SET attempts = attempts + 1, due_at = $5, last_error = $6, dead_until = $7
             WHERE household_id = $1 AND notification_id = $2 AND channel = $3 AND attempts = $4",
            uuid(delivery.household),
            uuid(delivery.notification),
            delivery.channel.as_str(),
            attempts_of(delivery),
            Instant(due_at) as _,
            reason,
            dead_until.map(Instant) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}

fn attempts_of(delivery: &Delivery) -> i32 {
    i32::try_from(delivery.attempts).unwrap_or(i32::MAX)
}
