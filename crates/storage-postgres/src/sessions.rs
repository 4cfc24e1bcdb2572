//! Logins: one row each, of which the newest secret is the only good one.

use jiff::Timestamp;
use larder_domain::{SessionId, SessionKind, SessionLabel, SessionPosition, UserId};
use larder_storage::{NextToken, Page, Result, Rotation, Session};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    database::one_more,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

struct SessionRow {
    id: Uuid,
    user_id: Uuid,
    kind: String,
    label: String,
    token_hash: String,
    created_at: Instant,
    updated_at: Instant,
    expires_at: Instant,
}

impl SessionRow {
    fn into_session(self) -> Result<Session> {
        let misfit =
            |column, reason: String| misfit(format!("refresh_tokens {}", self.id), column, reason);
        Ok(Session {
            id: domain_id(self.id),
            user: domain_id(self.user_id),
            kind: self.kind.parse().map_err(|e| misfit("kind", format!("{e}")))?,
            label: SessionLabel::parse(&self.label).map_err(|e| misfit("label", e.to_string()))?,
            token_hash: self.token_hash,
            began_at: self.created_at.0,
            last_used_at: self.updated_at.0,
            expires_at: self.expires_at.0,
        })
    }
}

impl PostgresStore {
    pub(crate) async fn begin_session(&self, new: &Session) -> Result<(), Failure> {
        let mut transaction = self.database.write(&Context::of_user(new.user)).await?;
        sqlx::query!(
            "INSERT INTO refresh_tokens
             (id, user_id, kind, label, token_hash, created_at, updated_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            uuid(new.id),
            uuid(new.user),
            new.kind.as_str(),
            new.label.as_str(),
            new.token_hash,
            Instant(new.began_at) as _,
            Instant(new.last_used_at) as _,
            Instant(new.expires_at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }

    pub(crate) async fn read_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<Option<Session>, Failure> {
        let mut transaction = self.database.read(&Context::of_user(user)).await?;
        let row = sqlx::query_as!(
            SessionRow,
            r#"SELECT id, user_id, kind, label, token_hash, created_at AS "created_at: Instant",
                      updated_at AS "updated_at: Instant", expires_at AS "expires_at: Instant"
               FROM refresh_tokens WHERE id = $1 AND user_id = $2 AND expires_at > $3"#,
            uuid(session),
            uuid(user),
            Instant(at) as _,
        );
        let row = row.fetch_optional(&mut transaction).await?;
        Ok(row.map(SessionRow::into_session).transpose()?)
    }

    pub(crate) async fn read_sessions(
        &self,
        user: UserId,
        after: Option<&SessionPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Session, SessionPosition>, Failure> {
        // The first page begins after all that can be: see the lists of tags.
        let (began_before, id_below) =
            after.map_or((Timestamp::MAX, Uuid::nil()), |after| (after.began_at, uuid(after.id)));
        let mut transaction = self.database.read(&Context::of_user(user)).await?;
        let rows = sqlx::query_as!(
            SessionRow,
            r#"SELECT id, user_id, kind, label, token_hash, created_at AS "created_at: Instant",
                      updated_at AS "updated_at: Instant", expires_at AS "expires_at: Instant"
               FROM refresh_tokens
               WHERE user_id = $1 AND (created_at, id) < ($2, $3) AND expires_at > $4
               ORDER BY created_at DESC, id DESC LIMIT $5"#,
            uuid(user),
            Instant(began_before) as _,
            id_below,
            Instant(at) as _,
            one_more(limit),
        );
        let rows = rows.fetch_all(&mut transaction).await?;
        let sessions =
            rows.into_iter().map(SessionRow::into_session).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(sessions, limit, Session::position))
    }

    pub(crate) async fn lengthen_session(
        &self,
        user: UserId,
        session: SessionId,
        expires_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let mut transaction = self.database.write(&Context::of_user(user)).await?;
        let extended = sqlx::query!(
            "UPDATE refresh_tokens SET updated_at = $3, expires_at = $4
             WHERE id = $1 AND user_id = $2 AND expires_at > $3",
            uuid(session),
            uuid(user),
            Instant(at) as _,
            Instant(expires_at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(extended.rows_affected() == 1)
    }

    /// Locks the row first, so that concurrent uses of one token are serialized.
    pub(crate) async fn rotate(
        &self,
        presented_hash: &str,
        next: &NextToken,
        at: Timestamp,
    ) -> Result<Rotation, Failure> {
        let mut transaction = self.database.write(&Context::of_user(next.user)).await?;
        let newest_hash = sqlx::query_scalar!(
            "SELECT token_hash FROM refresh_tokens
             WHERE id = $1 AND user_id = $2 AND kind = $3 AND expires_at > $4 FOR UPDATE",
            uuid(next.session),
            uuid(next.user),
            SessionKind::Tokens.as_str(),
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
                    uuid(next.session),
                    next.token_hash,
                    Instant(at) as _,
                    Instant(next.expires_at) as _,
                )
                .execute(&mut transaction)
                .await?;
                Rotation::Rotated
            }
            Some(_) => {
                sqlx::query!("DELETE FROM refresh_tokens WHERE id = $1", uuid(next.session))
                    .execute(&mut transaction)
                    .await?;
                Rotation::Reused
            }
        };
        transaction.commit().await?;
        Ok(rotation)
    }

    pub(crate) async fn end_proved_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
    ) -> Result<(), Failure> {
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
    }

    pub(crate) async fn end_own_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let mut transaction = self.database.write(&Context::of_user(user)).await?;
        let ended = sqlx::query!(
            "DELETE FROM refresh_tokens WHERE id = $1 AND user_id = $2 AND expires_at > $3",
            uuid(session),
            uuid(user),
            Instant(at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(ended.rows_affected() == 1)
    }
}
