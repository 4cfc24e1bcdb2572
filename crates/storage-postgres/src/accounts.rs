//! People and their logins.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Email, Membership, PersonName, SessionId, User, UserId};
use larder_storage::{
    Accounts, CreateUser, Credentials, ExternalIdentity, NewUser, Result, Rotation, Session,
};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

#[async_trait]
impl Accounts for PostgresStore {
    async fn create_user(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser> {
        self.database.retry(|| self.register(new, at)).await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>> {
        let row = self.database.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_user(id)).await?;
            let row = sqlx::query!(
                r#"SELECT email, name, created_at AS "created_at: Instant",
                          household_id, role, moving_items
                   FROM users WHERE id = $1"#,
                uuid(id),
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        let Some(row) = row.await? else { return Ok(None) };
        let misfit = |column, reason: String| misfit(format!("users {id}"), column, reason);
        let membership = match (row.household_id, row.role) {
            (Some(household), Some(role)) => Some(Membership {
                household: domain_id(household),
                role: role.parse().map_err(|e| misfit("role", format!("{e}")))?,
            }),
            _ => None,
        };
        Ok(Some(User {
            id,
            email: Email::parse(&row.email).map_err(|e| misfit("email", e.to_string()))?,
            name: PersonName::parse(&row.name).map_err(|e| misfit("name", e.to_string()))?,
            created_at: row.created_at.0,
            membership,
            is_moving_items: row.moving_items,
        }))
    }

    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>> {
        let row = self.database.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_email(email)).await?;
            let row = sqlx::query!(
                "SELECT id, password_hash FROM users WHERE email_folded = fn_folded_key($1)",
                email.folded(),
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        Ok(row
            .await?
            .map(|row| Credentials { user: domain_id(row.id), password_hash: row.password_hash }))
    }

    async fn find_user_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<UserId>> {
        let id = self.database.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_identity(identity)).await?;
            let id = sqlx::query_scalar!(
                "SELECT user_id FROM external_identities WHERE issuer = $1 AND subject = $2",
                identity.issuer,
                identity.subject,
            );
            Ok(id.fetch_optional(&mut transaction).await?)
        });
        Ok(id.await?.map(domain_id))
    }

    async fn create_session(&self, new: &Session, at: Timestamp) -> Result<()> {
        let create = || async move {
            let mut transaction = self.database.write(&Context::of_user(new.user)).await?;
            sqlx::query!(
                "INSERT INTO refresh_tokens
                 (id, user_id, token_hash, created_at, updated_at, expires_at)
                 VALUES ($1, $2, $3, $4, $4, $5)",
                uuid(new.id),
                uuid(new.user),
                new.token_hash,
                Instant(at) as _,
                Instant(new.expires_at) as _,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        };
        self.database.retry(create).await
    }

    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &Session,
        at: Timestamp,
    ) -> Result<Rotation> {
        self.database.retry(|| self.rotate(presented_hash, next, at)).await
    }

    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        _at: Timestamp,
    ) -> Result<()> {
        let end = || async move {
            let mut transaction = self.database.write(&Context::of_user(user)).await?;
            sqlx::query!(
                "DELETE FROM refresh_tokens WHERE id = $1 AND user_id = $2 AND token_hash = $3",
                uuid(session),
                uuid(user),
                presented_hash,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        };
        self.database.retry(end).await
    }
}

impl PostgresStore {
    async fn register(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser, Failure> {
        let mut transaction = self.database.write(&Context::of_user(new.id).at(at)).await?;
        let user = sqlx::query!(
            "INSERT INTO users (id, email, email_folded, name, password_hash, created_at)
             VALUES ($1, $2, fn_folded_key($3), $4, $5, $6)",
            uuid(new.id),
            new.email.as_str(),
            new.email.folded(),
            new.name.as_str(),
            new.password_hash,
            Instant(at) as _,
        );
        match user.execute(&mut transaction).await.map_err(Failure::from) {
            Err(Failure::Constraint(name)) if name == "users_email_folded_key" => {
                return Ok(CreateUser::EmailTaken);
            }
            inserted => inserted?,
        };
        if let Some(identity) = &new.identity {
            let identity = sqlx::query!(
                "INSERT INTO external_identities (issuer, subject, user_id) VALUES ($1, $2, $3)",
                identity.issuer,
                identity.subject,
                uuid(new.id),
            );
            match identity.execute(&mut transaction).await.map_err(Failure::from) {
                Err(Failure::Constraint(name)) if name == "external_identities_pkey" => {
                    return Ok(CreateUser::IdentityTaken);
                }
                inserted => inserted?,
            };
        }
        transaction.commit().await?;
        Ok(CreateUser::Created)
    }

    /// The row is locked first: of several who present one token, each sees what the one before it left.
    async fn rotate(
        &self,
        presented_hash: &str,
        next: &Session,
        at: Timestamp,
    ) -> Result<Rotation, Failure> {
        let mut transaction = self.database.write(&Context::of_user(next.user)).await?;
        let newest_hash = sqlx::query_scalar!(
            "SELECT token_hash FROM refresh_tokens
             WHERE id = $1 AND user_id = $2 AND expires_at > $3 FOR UPDATE",
            uuid(next.id),
            uuid(next.user),
            Instant(at) as _,
        )
        .fetch_optional(&mut transaction)
        .await?;
        let rotation = match newest_hash {
            None => return Ok(Rotation::Unknown),
            Some(newest) if newest == presented_hash => {
                sqlx::query!(
                    "UPDATE refresh_tokens SET token_hash = $2, updated_at = $3, expires_at = $4
                     WHERE id = $1",
                    uuid(next.id),
                    next.token_hash,
                    Instant(at) as _,
                    Instant(next.expires_at) as _,
                )
                .execute(&mut transaction)
                .await?;
                Rotation::Rotated
            }
            Some(_) => {
                sqlx::query!("DELETE FROM refresh_tokens WHERE id = $1", uuid(next.id))
                    .execute(&mut transaction)
                    .await?;
                Rotation::Reused
            }
        };
        transaction.commit().await?;
        Ok(rotation)
    }
}
