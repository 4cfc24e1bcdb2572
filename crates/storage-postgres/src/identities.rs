//! External identities of existing accounts.

use jiff::Timestamp;
use larder_domain::UserId;
use larder_storage::{ExternalIdentity, LinkIdentity};

use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid};

impl PostgresStore {
    pub(super) async fn read_identity(
        &self,
        user: UserId,
    ) -> Result<Option<ExternalIdentity>, Failure> {
        let mut transaction = self.database.read(&Context::of_user(user)).await?;
        let identity = sqlx::query_as!(
            ExternalIdentity,
            "SELECT issuer, subject FROM external_identities WHERE user_id = $1",
            uuid(user),
        );
        Ok(identity.fetch_optional(&mut transaction).await?)
    }

    /// The account is locked, so that concurrent attempts find each other's identity.
    pub(super) async fn link(
        &self,
        user: UserId,
        identity: &ExternalIdentity,
        at: Timestamp,
    ) -> Result<LinkIdentity, Failure> {
        let Some(mut transaction) = self.own_account(user, at).await? else {
            return Ok(LinkIdentity::NotFound);
        };
        let current = sqlx::query_as!(
            ExternalIdentity,
            "SELECT issuer, subject FROM external_identities WHERE user_id = $1",
            uuid(user),
        );
        match current.fetch_optional(&mut transaction).await? {
            Some(current) if current == *identity => return Ok(LinkIdentity::Linked),
            Some(_) => return Ok(LinkIdentity::HasAnother),
            None => {}
        }
        let insert = sqlx::query!(
            "INSERT INTO external_identities (issuer, subject, user_id) VALUES ($1, $2, $3)",
            identity.issuer,
            identity.subject,
            uuid(user),
        );
        match insert.execute(&mut transaction).await.map_err(Failure::from) {
            Err(Failure::Constraint(name)) if name == "external_identities_pkey" => {
                return Ok(LinkIdentity::Taken);
            }
            inserted => inserted?,
        };
        transaction.commit().await?;
        Ok(LinkIdentity::Linked)
    }

    pub(super) async fn unlink(&self, user: UserId, at: Timestamp) -> Result<bool, Failure> {
        let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(false) };
        let deleted = sqlx::query!(
            "DELETE FROM external_identities WHERE user_id = $1
             AND EXISTS (SELECT FROM users WHERE id = $1 AND password_hash IS NOT NULL)",
            uuid(user),
        );
        let is_unlinked = deleted.execute(&mut transaction).await?.rows_affected() == 1;
        transaction.commit().await?;
        Ok(is_unlinked)
    }
}
