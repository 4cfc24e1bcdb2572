//! People and their logins.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Email, SessionId, User, UserId};
use larder_storage::{
    Accounts, CreateUser, Credentials, ExternalIdentity, NewUser, Result, Rotation, Session, Write,
};

use super::{
    ItemStore,
    change_set::{ChangeSet, Commit},
};
use crate::{
    Change, Condition, RecordEngine,
    layout::{
        fields::{Fields, seconds_number, timestamp_text},
        keys, session, unique, user,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    User,
    Email,
    Identity,
    Session,
}

#[async_trait]
impl<E: RecordEngine> Accounts for ItemStore<E> {
    async fn create_user(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser> {
        let mut set = ChangeSet::new()
            .step(Step::Email, unique::email(&new.email).take(new.id, at))
            .put(Step::User, user::to_record(new, at), vec![Condition::NotExists]);
        if let Some(identity) = &new.identity {
            set = set.step(Step::Identity, unique::identity(identity).take(new.id, at));
        }
        match self.commit(new.id, Write::at(at), set, None).await? {
            Commit::Done(_) => Ok(CreateUser::Created),
            Commit::Failed(Step::Identity, _) => Ok(CreateUser::IdentityTaken),
            Commit::Failed(_, _) => Ok(CreateUser::EmailTaken),
        }
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>> {
        self.get(&keys::user(id)).await?.as_ref().map(user::from_record).transpose()
    }

    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>> {
        let Some(held) = self.get_unique(&unique::email(email).key()).await? else {
            return Ok(None);
        };
        let id: UserId = unique::holder(&held)?;
        let Some(record) = self.get(&keys::user(id)).await? else { return Ok(None) };
        let password_hash = Fields(&record).optional_text("passwordHash")?.map(str::to_owned);
        Ok(Some(Credentials { user: id, password_hash }))
    }

    async fn find_user_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<UserId>> {
        let held = self.get_unique(&unique::identity(identity).key()).await?;
        held.as_ref().map(unique::holder).transpose()
    }

    async fn create_session(&self, new: &Session, at: Timestamp) -> Result<()> {
        let record = session::to_record(new, at);
        let set = ChangeSet::new().put(Step::Session, record, vec![]);
        self.commit(new.user, Write::at(at), set, None).await?;
        Ok(())
    }

    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &Session,
        at: Timestamp,
    ) -> Result<Rotation> {
        let key = keys::session(next.user, next.id);
        let set = ChangeSet::new().update(
            Step::Session,
            key.clone(),
            vec![Condition::Equals("tokenHash".into(), presented_hash.into())],
            vec![
                Change::Set("tokenHash".into(), next.token_hash.as_str().into()),
                Change::Set("updatedAt".into(), timestamp_text(at).into()),
                Change::Set("expiresAt".into(), timestamp_text(next.expires_at).into()),
                Change::Set("ttl".into(), seconds_number(next.expires_at).into()),
            ],
        );
        match self.commit(next.user, Write::at(at), set, None).await? {
            Commit::Done(_) => Ok(Rotation::Rotated),
            Commit::Failed(_, None) => Ok(Rotation::Unknown),
            Commit::Failed(_, Some(_)) => {
                let end = ChangeSet::new().delete(Step::Session, key, vec![]);
                self.commit(next.user, Write::at(at), end, None).await?;
                Ok(Rotation::Reused)
            }
        }
    }

    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        at: Timestamp,
    ) -> Result<()> {
        let when = vec![Condition::Equals("tokenHash".into(), presented_hash.into())];
        let set = ChangeSet::new().delete(Step::Session, keys::session(user, session), when);
        self.commit(user, Write::at(at), set, None).await?;
        Ok(())
    }
}
