//! Progress of jobs that iterate over everything.

use larder_storage::Result;

use crate::{PostgresStore, context::Context, failure::Failure};

impl PostgresStore {
    pub(super) async fn bookmark(&self, job: &str) -> Result<Option<String>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let place = sqlx::query_scalar!("SELECT place FROM bookmarks WHERE job = $1", job);
        Ok(place.fetch_optional(&mut transaction).await?)
    }

    pub(super) async fn set_bookmark(&self, job: &str, place: Option<&str>) -> Result<(), Failure> {
        let mut transaction = self.database.write(&Context::of_server()).await?;
        if let Some(place) = place {
            let put = sqlx::query!(
                "INSERT INTO bookmarks (job, place) VALUES ($1, $2)
                 ON CONFLICT (job) DO UPDATE SET place = EXCLUDED.place",
                job,
                place,
            );
            put.execute(&mut transaction).await?;
        } else {
            let take_out = sqlx::query!("DELETE FROM bookmarks WHERE job = $1", job);
            take_out.execute(&mut transaction).await?;
        }
        transaction.commit().await
    }
}
