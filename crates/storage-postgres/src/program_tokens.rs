//! Tokens for programs: a row each.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{ProgramTokenId, ProgramTokenPosition, TokenName, TokenScopes, UserId};
use larder_storage::{CreateProgramToken, Page, ProgramToken, ProgramTokens, Result};
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

struct ProgramTokenRow {
    id: Uuid,
    user_id: Uuid,
    name: String,
    scopes: Vec<String>,
    token_hash: String,
    created_at: Instant,
    last_used_at: Option<Instant>,
    expires_at: Option<Instant>,
}

impl ProgramTokenRow {
    fn into_token(self) -> Result<ProgramToken> {
        let misfit =
            |column, reason: String| misfit(format!("program_tokens {}", self.id), column, reason);
        let scopes = TokenScopes::parse(self.scopes.iter().map(String::as_str));
        Ok(ProgramToken {
            id: domain_id(self.id),
            user: domain_id(self.user_id),
            name: TokenName::parse_stored(&self.name).map_err(|e| misfit("name", e.to_string()))?,
            scopes: scopes.map_err(|e| misfit("scopes", e.to_string()))?,
            token_hash: self.token_hash,
            created_at: self.created_at.0,
            last_used_at: self.last_used_at.map(|at| at.0),
            expires_at: self.expires_at.map(|at| at.0),
        })
    }
}

#[async_trait]
impl ProgramTokens for PostgresStore {
    async fn create_program_token(
        &self,
        new: &ProgramToken,
        limit: u32,
    ) -> Result<CreateProgramToken> {
        self.retry(|| self.insert_program_token(new, limit)).await
    }

    async fn find_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
    ) -> Result<Option<ProgramToken>> {
        self.retry(|| self.read_program_token(user, token)).await
    }

    async fn list_program_tokens(
        &self,
        user: UserId,
        after: Option<&ProgramTokenPosition>,
        limit: usize,
    ) -> Result<Page<ProgramToken, ProgramTokenPosition>> {
        self.retry(|| self.read_program_tokens(user, after, limit)).await
    }

    async fn note_program_token_use(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<()> {
        self.retry(|| self.set_last_use(user, token, at)).await
    }

    async fn revoke_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
        _at: Timestamp,
    ) -> Result<bool> {
        self.retry(|| self.delete_program_token(user, token)).await
    }
}

impl PostgresStore {
    /// Locks the person's row, so that their tokens are counted one at a time.
    async fn insert_program_token(
        &self,
        new: &ProgramToken,
        limit: u32,
    ) -> Result<CreateProgramToken, Failure> {
        let mut transaction = self.database.write(&Context::of_user(new.user)).await?;
        sqlx::query!("SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE", uuid(new.user))
            .fetch_optional(&mut transaction)
            .await?;
        let count = sqlx::query_scalar!(
            r#"SELECT count(*) AS "count!" FROM program_tokens WHERE user_id = $1"#,
            uuid(new.user)
        );
        if count.fetch_one(&mut transaction).await? >= i64::from(limit) {
            return Ok(CreateProgramToken::LimitReached);
        }
        let scopes: Vec<_> = new.scopes.iter().map(|scope| scope.as_str().to_owned()).collect();
        sqlx::query!(
            "INSERT INTO program_tokens
             (id, user_id, name, scopes, token_hash, created_at, last_used_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            uuid(new.id),
            uuid(new.user),
            new.name.as_str(),
            &scopes,
            new.token_hash,
            Instant(new.created_at) as _,
            new.last_used_at.map(Instant) as _,
            new.expires_at.map(Instant) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(CreateProgramToken::Created)
    }

    async fn read_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
    ) -> Result<Option<ProgramToken>, Failure> {
        let mut transaction = self.database.read(&Context::of_user(user)).await?;
        let row = sqlx::query_as!(
            ProgramTokenRow,
            r#"SELECT id, user_id, name, scopes, token_hash, created_at AS "created_at: Instant",
                      last_used_at AS "last_used_at: Instant", expires_at AS "expires_at: Instant"
               FROM program_tokens WHERE id = $1 AND user_id = $2"#,
            uuid(token),
            uuid(user),
        );
        let row = row.fetch_optional(&mut transaction).await?;
        Ok(row.map(ProgramTokenRow::into_token).transpose()?)
    }

    async fn read_program_tokens(
        &self,
        user: UserId,
        after: Option<&ProgramTokenPosition>,
        limit: usize,
    ) -> Result<Page<ProgramToken, ProgramTokenPosition>, Failure> {
        // The first page begins after all that can be: see the lists of tags.
        let (made_before, id_below) =
            after.map_or((Timestamp::MAX, Uuid::nil()), |after| (after.created_at, uuid(after.id)));
        let mut transaction = self.database.read(&Context::of_user(user)).await?;
        let rows = sqlx::query_as!(
            ProgramTokenRow,
            r#"SELECT id, user_id, name, scopes, token_hash, created_at AS "created_at: Instant",
                      last_used_at AS "last_used_at: Instant", expires_at AS "expires_at: Instant"
               FROM program_tokens WHERE user_id = $1 AND (created_at, id) < ($2, $3)
               ORDER BY created_at DESC, id DESC LIMIT $4"#,
            uuid(user),
            Instant(made_before) as _,
            id_below,
            one_more(limit),
        );
        let rows = rows.fetch_all(&mut transaction).await?;
        let tokens =
            rows.into_iter().map(ProgramTokenRow::into_token).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(tokens, limit, ProgramToken::position))
    }

    async fn set_last_use(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<(), Failure> {
        let mut transaction = self.database.write(&Context::of_user(user)).await?;
        sqlx::query!(
            "UPDATE program_tokens SET last_used_at = $3 WHERE id = $1 AND user_id = $2",
            uuid(token),
            uuid(user),
            Instant(at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }

    async fn delete_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
    ) -> Result<bool, Failure> {
        let mut transaction = self.database.write(&Context::of_user(user)).await?;
        let revoked = sqlx::query!(
            "DELETE FROM program_tokens WHERE id = $1 AND user_id = $2",
            uuid(token),
            uuid(user),
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(revoked.rows_affected() == 1)
    }
}
