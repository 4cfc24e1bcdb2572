//! Erasing households, accounts and devices: the functions of the schema do it, because the run-time
//! role has no right to.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use larder_domain::{DeletionId, Erasure, ErasureKind, HardwareId, LAST_LOOK_AFTER, UserId};
use larder_storage::{EraseAccount, Erasures, FleetScope, HouseholdScope, Result};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

/// How many rows one batch deletes, about.
const BATCH: i32 = 1000;
/// How long a finished erasure can be queried.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

#[async_trait]
impl Erasures for PostgresStore {
    async fn erase_household(
        &self,
        scope: HouseholdScope,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>> {
        let (household, actor) = (uuid(scope.household()), scope.actor());
        let erasure = Erasure::begin(id, ErasureKind::Household, Some(actor), at);
        let dead_code = &erasure.dead_code();
        let has_begun = self.retry_change(household, || async move {
            let mut transaction = self.database.write(&Context::of_member(scope).at(at)).await?;
            let begun = sqlx::query_scalar!(
                r#"SELECT begin_household_erasure($1, $2, $3, $4, $5) AS "begun!""#,
                uuid(id),
                household,
                uuid(actor),
                dead_code.as_str(),
                Instant(at) as _,
            );
            let begun = begun.fetch_one(&mut transaction).await?;
            transaction.commit().await?;
            Ok(begun)
        });
        Ok(has_begun.await?.then_some(erasure))
    }

    async fn erase_account(
        &self,
        user: UserId,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<EraseAccount> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_user(user).at(at)).await?;
            let outcome = sqlx::query_scalar!(
                r#"SELECT begin_account_erasure($1, $2, $3) AS "outcome!""#,
                uuid(id),
                uuid(user),
                Instant(at) as _,
            );
            let outcome = outcome.fetch_one(&mut transaction).await?;
            transaction.commit().await?;
            Ok(match outcome.as_str() {
                "begun" => {
                    EraseAccount::Begun(Erasure::begin(id, ErasureKind::Account, Some(user), at))
                }
                "member" => EraseAccount::InHousehold,
                _ => EraseAccount::NotFound,
            })
        })
        .await
    }

    async fn erase_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        by: Option<UserId>,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_fleet(scope).at(at)).await?;
            let begun = sqlx::query_scalar!(
                r#"SELECT begin_device_erasure($1, $2, $3, $4, $5) AS "begun!""#,
                uuid(id),
                device.to_string(),
                scope.household().map(uuid),
                by.map(uuid),
                Instant(at) as _,
            );
            let begun = begun.fetch_one(&mut transaction).await?;
            transaction.commit().await?;
            Ok(begun.then(|| Erasure::begin(id, ErasureKind::Device, by, at)))
        })
        .await
    }

    async fn continue_erasure(&self, id: DeletionId, at: Timestamp) -> Result<Option<Erasure>> {
        self.retry(|| self.erase_some_more(uuid(id), at)).await
    }

    async fn find_erasure(&self, by: Option<UserId>, id: DeletionId) -> Result<Option<Erasure>> {
        let context = by.map_or_else(|| Context::of_devices(None), Context::of_user);
        let context = &context;
        self.retry(|| async move {
            let mut transaction = self.database.read(context).await?;
            let row = sqlx::query_as!(
                ErasureRow,
                r#"SELECT kind AS "kind!", begun_by, removed AS "removed!",
                     started_at AS "started_at!: Instant", finished_at AS "finished_at: Instant"
                   FROM erasures WHERE id = $1 AND begun_by IS NOT DISTINCT FROM $2"#,
                uuid(id),
                by.map(uuid),
            );
            let found = row.fetch_optional(&mut transaction).await?;
            let erasure = found.map(|row| row.into_erasure(uuid(id))).transpose()?;
            let forgotten = self.clock.now() - REMEMBERED;
            Ok(erasure.filter(|one| one.finished_at.is_none_or(|at| at > forgotten)))
        })
        .await
    }
}

impl PostgresStore {
    async fn erase_some_more(&self, id: Uuid, at: Timestamp) -> Result<Option<Erasure>, Failure> {
        let mut transaction = self.database.write(&Context::of_server().at(at)).await?;
        let row = sqlx::query_as!(
            ErasureRow,
            r#"SELECT kind AS "kind!", begun_by, removed AS "removed!",
                 started_at AS "started_at!: Instant", finished_at AS "finished_at: Instant"
               FROM continue_erasure($1, $2, $3, $4)"#,
            id,
            BATCH,
            Instant(at - LAST_LOOK_AFTER) as _,
            Instant(at) as _,
        );
        let row = row.fetch_optional(&mut transaction).await?;
        transaction.commit().await?;
        Ok(row.map(|row| row.into_erasure(id)).transpose()?)
    }

    /// Continues open erasures until they are finished or have to wait for their last look. Returns
    /// the number of those that went on.
    pub(crate) async fn resume_erasures(&self, at: Timestamp, limit: usize) -> Result<u64> {
        let open = self.retry(|| self.open_erasures(limit)).await?;
        let mut resumed = 0;
        for id in open {
            let mut before = None;
            while let Some(now) = self.retry(|| self.erase_some_more(id, at)).await? {
                let has_finished = now.finished_at.is_some();
                if has_finished || before == Some(now.removed) {
                    resumed += u64::from(has_finished);
                    break;
                }
                before = Some(now.removed);
            }
        }
        Ok(resumed)
    }

    async fn open_erasures(&self, limit: usize) -> Result<Vec<Uuid>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let limit = i32::try_from(limit).unwrap_or(i32::MAX);
        let open = sqlx::query_scalar!(r#"SELECT open_erasures($1) AS "id!""#, limit);
        Ok(open.fetch_all(&mut transaction).await?)
    }
}

struct ErasureRow {
    kind: String,
    begun_by: Option<Uuid>,
    removed: i64,
    started_at: Instant,
    finished_at: Option<Instant>,
}

impl ErasureRow {
    fn into_erasure(self, id: Uuid) -> Result<Erasure> {
        let record = format!("erasures {id}");
        let kind = ErasureKind::parse(&self.kind);
        Ok(Erasure {
            id: domain_id(id),
            kind: kind.ok_or_else(|| misfit(&record, "kind", "is no kind of erasure"))?,
            begun_by: self.begun_by.map(domain_id),
            removed: u64::try_from(self.removed).map_err(|e| misfit(&record, "removed", e))?,
            started_at: self.started_at.0,
            finished_at: self.finished_at.map(|at| at.0),
        })
    }
}
