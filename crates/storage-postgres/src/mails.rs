//! Confirmed email addresses, and the daily mail quota.

use jiff::{Timestamp, civil::Date};
use larder_domain::{Email, UserId};

use crate::{
    PostgresStore,
    failure::Failure,
    ids::uuid,
    types::{Day, Instant},
};

impl PostgresStore {
    pub(super) async fn confirm(
        &self,
        user: UserId,
        email: &Email,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(false) };
        let confirmed = sqlx::query!(
            "UPDATE users SET email_confirmed_at = $3 WHERE id = $1 AND email = $2",
            uuid(user),
            email.as_str(),
            Instant(at) as _,
        );
        let confirmed = confirmed.execute(&mut transaction).await?.rows_affected() == 1;
        transaction.commit().await?;
        Ok(confirmed)
    }

    pub(super) async fn count(
        &self,
        user: UserId,
        day: Date,
        limit: u32,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(false) };
        let counted = sqlx::query!(
            "UPDATE users
             SET mail_day = $2,
                 mail_count = CASE WHEN mail_day = $2 THEN mail_count + 1 ELSE 1 END
             WHERE id = $1 AND CASE WHEN mail_day = $2 THEN mail_count < $3 ELSE $3 > 0 END",
            uuid(user),
            Day(day) as _,
            i64::from(limit),
        );
        let is_counted = counted.execute(&mut transaction).await?.rows_affected() == 1;
        transaction.commit().await?;
        Ok(is_counted)
    }

    pub(super) async fn uncount(
        &self,
        user: UserId,
        day: Date,
        at: Timestamp,
    ) -> Result<(), Failure> {
        let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(()) };
        sqlx::query!(
            "UPDATE users SET mail_count = mail_count - 1
             WHERE id = $1 AND mail_day = $2 AND mail_count > 0",
            uuid(user),
            Day(day) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
