//! The days of households, and going through all of them.

use jiff::Timestamp;
use larder_domain::{HouseholdId, Zone};
use larder_storage::{DueHousehold, Result};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn households_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueHousehold>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let rows = sqlx::query!(
            r#"SELECT household_id AS "household_id!", due_at AS "due_at!: Instant"
               FROM due_households($1, $2)"#,
            Instant(now) as _,
            i32::try_from(limit).unwrap_or(i32::MAX),
        )
        .fetch_all(&mut transaction)
        .await?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let household = domain_id(row.household_id);
            if let Some(zone) = transaction.zone_of(household).await? {
                due.push(DueHousehold { household, zone, due_at: row.due_at.0 });
            }
        }
        Ok(due)
    }

    pub(super) async fn begin_next_day(
        &self,
        due: &DueHousehold,
        next: Timestamp,
    ) -> Result<(), Failure> {
        let context = Context::of_server().household(due.household);
        let mut transaction = self.database.write(&context).await?;
        sqlx::query!(
            "UPDATE households SET next_daily_at = $3 WHERE id = $1 AND next_daily_at = $2",
            uuid(due.household),
            Instant(due.due_at) as _,
            Instant(next) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }

    pub(super) async fn households_page(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>), Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let ids = sqlx::query_scalar!(
            r#"SELECT household_id AS "household_id!" FROM households_after($1, $2)"#,
            after.map(uuid),
            i32::try_from(limit).unwrap_or(i32::MAX),
        )
        .fetch_all(&mut transaction)
        .await?;
        let households: Vec<HouseholdId> = ids.into_iter().map(domain_id).collect();
        let next = households.last().copied().filter(|_| households.len() == limit);
        Ok((households, next))
    }
}

impl Transaction {
    /// The zone of a household, read in its context.
    async fn zone_of(&mut self, household: HouseholdId) -> Result<Option<Zone>, Failure> {
        self.extend(Context::default().household(household)).await?;
        let zone =
            sqlx::query_scalar!("SELECT time_zone FROM households WHERE id = $1", uuid(household))
                .fetch_optional(&mut *self)
                .await?;
        let zone = zone.map(|zone| Zone::parse(&zone)).transpose();
        let record = || format!("households {household}");
        Ok(zone.map_err(|reason| misfit(record(), "time_zone", reason))?)
    }
}
