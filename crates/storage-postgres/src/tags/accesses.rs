//! How often pages of tags were opened, for any number of households at once.

use larder_storage::{Result, TagAccesses};

use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid, types::Instant};

impl PostgresStore {
    pub(super) async fn count_accesses(&self, accesses: &[TagAccesses]) -> Result<(), Failure> {
        let households: Vec<_> = accesses.iter().map(|of| uuid(of.household)).collect();
        let items: Vec<_> = accesses.iter().map(|of| uuid(of.item)).collect();
        let urls: Vec<_> = accesses.iter().map(|of| of.url.reveal()).collect();
        let counts: Vec<_> =
            accesses.iter().map(|of| i64::try_from(of.count).unwrap_or(i64::MAX)).collect();
        let last: Vec<_> = accesses.iter().map(|of| Instant(of.last_at)).collect();
        let mut transaction = self.database.write(&Context::of_server()).await?;
        sqlx::query!(
            "SELECT record_tag_accesses($1, $2, $3, $4, $5)",
            &households,
            &items,
            &urls,
            &counts,
            last as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }
}
