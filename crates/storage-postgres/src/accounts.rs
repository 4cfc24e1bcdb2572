//! People and their logins.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Email, HouseholdId, Language, Membership, PersonName, Role, SessionId, SessionPosition, User,
    UserId, UserPatch, Zone,
};
use larder_storage::{
    Accounts, Admission, CreateUser, Credentials, ExternalIdentity, LinkIdentity, NewUser,
    NextToken, Page, Result, Rotation, Session, Write,
};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

#[async_trait]
impl Accounts for PostgresStore {
    async fn create_user(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser> {
        let outcome = self.retry(|| self.register(new, at)).await?;
        if let Admission::Invited { household, .. } = &new.admission {
            self.live.changed(uuid(*household));
        }
        Ok(outcome)
    }

    async fn has_accounts(&self) -> Result<bool> {
        let exists = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_server()).await?;
            let exists =
                sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM first_account) AS "exists!""#);
            Ok(exists.fetch_one(&mut transaction).await?)
        });
        exists.await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>> {
        let row = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_user(id)).await?;
            let row = sqlx::query!(
                r#"SELECT email, name, created_at AS "created_at: Instant",
                          email_confirmed_at AS "email_confirmed_at: Instant",
                          time_zone, language, household_id, role, moving_items
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
        let zone = row.time_zone.as_deref().map(Zone::parse);
        let language = row.language.as_deref().map(str::parse::<Language>);
        Ok(Some(User {
            id,
            email: Email::parse_stored(&row.email).map_err(|e| misfit("email", e.to_string()))?,
            email_confirmed_at: row.email_confirmed_at.map(|at| at.0),
            name: PersonName::parse_stored(&row.name).map_err(|e| misfit("name", e.to_string()))?,
            zone: zone.transpose().map_err(|e| misfit("time_zone", e.to_string()))?,
            language: language.transpose().map_err(|e| misfit("language", e.to_string()))?,
            created_at: row.created_at.0,
            membership,
            is_moving_items: row.moving_items,
        }))
    }

    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>> {
        let row = self.retry(|| async move {
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
        let id = self.retry(|| async move {
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

    async fn find_identity(&self, user: UserId) -> Result<Option<ExternalIdentity>> {
        self.retry(|| self.read_identity(user)).await
    }

    async fn link_identity(
        &self,
        user: UserId,
        identity: &ExternalIdentity,
        at: Timestamp,
    ) -> Result<LinkIdentity> {
        self.retry(|| self.link(user, identity, at)).await
    }

    async fn unlink_identity(&self, user: UserId, at: Timestamp) -> Result<bool> {
        self.retry(|| self.unlink(user, at)).await
    }

    async fn update_user(&self, user: UserId, patch: &UserPatch, at: Timestamp) -> Result<bool> {
        let update = || async move {
            let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(false) };
            sqlx::query!(
                "UPDATE users SET name = COALESCE($2, name),
                     time_zone = CASE WHEN $3 THEN $4 ELSE time_zone END,
                     language = CASE WHEN $5 THEN $6 ELSE language END
                 WHERE id = $1",
                uuid(user),
                patch.name.as_ref().map(PersonName::as_str),
                patch.zone.is_some(),
                patch.zone.as_ref().and_then(Option::as_ref).map(Zone::name),
                patch.language.is_some(),
                patch.language.flatten().map(Language::tag),
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await?;
            Ok(true)
        };
        self.retry(update).await
    }

    async fn confirm_email(&self, user: UserId, email: &Email, at: Timestamp) -> Result<bool> {
        self.retry(|| self.confirm(user, email, at)).await
    }

    async fn count_mail(&self, user: UserId, day: Date, limit: u32, at: Timestamp) -> Result<bool> {
        self.retry(|| self.count(user, day, limit, at)).await
    }

    async fn uncount_mail(&self, user: UserId, day: Date, at: Timestamp) -> Result<()> {
        self.retry(|| self.uncount(user, day, at)).await
    }

    async fn set_password(&self, user: UserId, hash: &str, at: Timestamp) -> Result<bool> {
        let set = || async move {
            let Some(mut transaction) = self.own_account(user, at).await? else { return Ok(false) };
            sqlx::query!("UPDATE users SET password_hash = $2 WHERE id = $1", uuid(user), hash)
                .execute(&mut transaction)
                .await?;
            transaction.commit().await?;
            Ok(true)
        };
        self.retry(set).await
    }

    async fn create_session(&self, new: &Session, _at: Timestamp) -> Result<()> {
        self.retry(|| self.begin_session(new)).await
    }

    async fn find_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<Option<Session>> {
        self.retry(|| self.read_session(user, session, at)).await
    }

    async fn list_sessions(
        &self,
        user: UserId,
        after: Option<&SessionPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Session, SessionPosition>> {
        self.retry(|| self.read_sessions(user, after, limit, at)).await
    }

    async fn extend_session(
        &self,
        user: UserId,
        session: SessionId,
        expires_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool> {
        self.retry(|| self.lengthen_session(user, session, expires_at, at)).await
    }

    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &NextToken,
        at: Timestamp,
    ) -> Result<Rotation> {
        self.retry(|| self.rotate(presented_hash, next, at)).await
    }

    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        _at: Timestamp,
    ) -> Result<()> {
        self.retry(|| self.end_proved_session(user, session, presented_hash)).await
    }

    async fn revoke_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<bool> {
        self.retry(|| self.end_own_session(user, session, at)).await
    }
}

impl PostgresStore {
    async fn register(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser, Failure> {
        let mut context = Context::of_user(new.id).at(at);
        if let Admission::Invited { code, .. } = &new.admission {
            context = context.invite_code(code);
        }
        let mut transaction = self.database.write(&context).await?;
        // Waits for a concurrent first registration.
        let first = sqlx::query!(
            "INSERT INTO first_account (created_at) VALUES ($1) ON CONFLICT DO NOTHING",
            Instant(at) as _,
        );
        let is_first = first.execute(&mut transaction).await?.rows_affected() == 1;
        let is_admitted = match &new.admission {
            Admission::Anyone => true,
            Admission::FirstAccount => is_first,
            Admission::Invited { household, code } => {
                transaction.lock_invited(*household, code).await?.is_some()
            }
        };
        if !is_admitted {
            return Ok(CreateUser::NotAdmitted);
        }
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
        if let Admission::Invited { household, .. } = &new.admission {
            transaction.extend(Context::default().household(*household)).await?;
            transaction.enter(*household, new.id, Role::Member, false, Write::at(at)).await?;
        }
        transaction.commit().await?;
        Ok(CreateUser::Created)
    }

    /// A transaction in which a user may change their own row, locked until it ends. The policies
    /// need its household.
    pub(super) async fn own_account(
        &self,
        user: UserId,
        at: Timestamp,
    ) -> Result<Option<Transaction>, Failure> {
        let mut transaction = self.database.write(&Context::of_user(user).at(at)).await?;
        let row = sqlx::query!(
            "SELECT household_id FROM users WHERE id = $1 FOR NO KEY UPDATE",
            uuid(user)
        )
        .fetch_optional(&mut transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        if let Some(household) = row.household_id {
            let household: HouseholdId = domain_id(household);
            transaction.extend(Context::default().household(household)).await?;
        }
        Ok(Some(transaction))
    }
}
