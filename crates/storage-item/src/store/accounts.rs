//! People and their logins.

use std::cmp::Reverse;

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Email, Member, Role, SessionId, SessionKind, SessionPosition, User, UserId, UserPatch,
};
use larder_storage::{
    Accounts, Admission, CreateUser, Credentials, ExternalIdentity, LinkIdentity, NewUser,
    NextToken, Page, Result, Rotation, Session, Write,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Change, Condition, MAX_QUERY_LIMIT, Number, Record, RecordEngine, Table,
    layout::{
        fields::{Fields, timestamp_text},
        household, keys, member, session, unique, user,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    First,
    Family,
    User,
    Email,
    Identity,
    Member,
    Session,
}

/// The change set of a registration. Admission comes first, so that its refusal is reported before
/// any other.
fn registration(new: &NewUser, is_first: bool, at: Timestamp) -> ChangeSet<Step> {
    let mut set = ChangeSet::new();
    if is_first {
        set = set.step(Step::First, unique::first_account().take(new.id, at));
    }
    if let Admission::Invited { household, code } = &new.admission {
        let (name, email) = (new.name.clone(), new.email.clone());
        let joining = Member { user: new.id, name, email, role: Role::Member, joined_at: at };
        let (code_is_good, count) = household::one_member_more(code);
        set = set.update(Step::Family, keys::family(*household), code_is_good, count).put(
            Step::Member,
            member::to_record(*household, &joining),
            vec![],
        );
    }
    set = set.step(Step::Email, unique::email(&new.email).take(new.id, at)).put(
        Step::User,
        user::to_record(new, at),
        vec![Condition::NotExists],
    );
    match &new.identity {
        Some(identity) => set.step(Step::Identity, unique::identity(identity).take(new.id, at)),
        None => set,
    }
}

fn registered(outcome: &Commit<Step>) -> CreateUser {
    match outcome {
        Commit::Done(_) => CreateUser::Created,
        Commit::Failed(Step::First | Step::Family, _) => CreateUser::NotAdmitted,
        Commit::Failed(Step::Identity, _) => CreateUser::IdentityTaken,
        Commit::Failed(_, _) => CreateUser::EmailTaken,
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Any existing user, found by scanning the whole table.
    async fn find_anybody(&self) -> Result<Option<UserId>> {
        let mut start = None;
        loop {
            let table = Table::InventoryManagement;
            let page = self.engine.scan(table, start.as_ref(), MAX_QUERY_LIMIT).await?;
            let is_user = |record: &&Record| record.text("entityType") == Some(user::ENTITY);
            if let Some(record) = page.records.iter().find(is_user) {
                return Ok(Some(Fields(record).id("userId")?));
            }
            match page.next {
                Some(next) => start = Some(next),
                None => return Ok(None),
            }
            // Reads run on this thread: let others run in between.
            tokio::task::yield_now().await;
        }
    }
}

#[async_trait]
impl<E: RecordEngine> Accounts for ItemStore<E> {
    async fn create_user(&self, new: &NewUser, at: Timestamp) -> Result<CreateUser> {
        let must_be_first = new.admission == Admission::FirstAccount;
        if must_be_first && self.has_accounts().await? {
            return Ok(CreateUser::NotAdmitted);
        }
        // A registration that finds no accounts claims to be the first; of concurrent ones, one
        // succeeds.
        let first = unique::first_account();
        let is_first = must_be_first || self.get_unique(&first.key()).await?.is_none();
        match self.commit(new.id, Write::at(at), registration(new, is_first, at), None).await? {
            Commit::Failed(Step::First, _) if !must_be_first => {
                let second = registration(new, false, at);
                Ok(registered(&self.commit(new.id, Write::at(at), second, None).await?))
            }
            outcome => Ok(registered(&outcome)),
        }
    }

    async fn has_accounts(&self) -> Result<bool> {
        if self.get_unique(&unique::first_account().key()).await?.is_some() {
            return Ok(true);
        }
        let Some(somebody) = self.find_anybody().await? else { return Ok(false) };
        // The store is older than this record. Writing it saves further searches.
        let at = self.clock.now();
        let first = unique::first_account().take(somebody, at);
        let set = ChangeSet::new().step(Step::First, first);
        self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(true)
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

    async fn find_identity(&self, user: UserId) -> Result<Option<ExternalIdentity>> {
        Ok(self.get(&keys::user(user)).await?.as_ref().and_then(user::identity))
    }

    async fn link_identity(
        &self,
        user: UserId,
        identity: &ExternalIdentity,
        at: Timestamp,
    ) -> Result<LinkIdentity> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::user(user)).await? else {
                return Ok(LinkIdentity::NotFound);
            };
            match user::identity(&record) {
                Some(current) if current == *identity => return Ok(LinkIdentity::Linked),
                Some(_) => return Ok(LinkIdentity::HasAnother),
                None => {}
            }
            let (unlinked, linked) = (user::has_identity(None), user::identified(Some(identity)));
            let set = ChangeSet::new()
                .step(Step::Identity, unique::identity(identity).take(user, at))
                .update(Step::User, keys::user(user), unlinked, linked);
            match self.commit(user, Write::at(at), set, None).await? {
                Commit::Done(_) => return Ok(LinkIdentity::Linked),
                Commit::Failed(Step::Identity, Some(held))
                    if unique::holder::<UserId>(&held)? != user =>
                {
                    return Ok(LinkIdentity::Taken);
                }
                // A concurrent attempt linked it, or the account is gone.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("linking an identity"))
    }

    async fn unlink_identity(&self, user: UserId, at: Timestamp) -> Result<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::user(user)).await? else { return Ok(false) };
            let Some(identity) = user::identity(&record) else { return Ok(false) };
            // Once there is a password, there always is one.
            if Fields(&record).optional_text("passwordHash")?.is_none() {
                return Ok(false);
            }
            let (same, unlinked) = (user::has_identity(Some(&identity)), user::identified(None));
            let set = ChangeSet::new()
                .step(Step::Identity, unique::identity(&identity).release(user))
                .update(Step::User, keys::user(user), same, unlinked);
            if let Commit::Done(_) = self.commit(user, Write::at(at), set, None).await? {
                return Ok(true);
            }
        }
        Err(contention("unlinking an identity"))
    }

    async fn update_user(&self, user: UserId, patch: &UserPatch, at: Timestamp) -> Result<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_user(user).await? else { return Ok(false) };
            let household = current.membership.map(|membership| membership.household);
            let belongs_there = household.map_or_else(
                || Condition::Absent("familyId".into()),
                |household| Condition::Equals("familyId".into(), household.to_string().into()),
            );
            let (key, changes) = (keys::user(user), user::changes(patch));
            let mut set = ChangeSet::new().update(Step::User, key, vec![belongs_there], changes);
            if let (Some(household), Some(name)) = (household, &patch.name) {
                let (key, when) = (keys::member(household, user), vec![Condition::Exists]);
                set = set.update(Step::Member, key, when, vec![user::renamed(name)]);
            }
            match self.commit(user, Write::at(at), set, None).await? {
                Commit::Done(_) => return Ok(true),
                // They joined or left a household meanwhile.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a user"))
    }

    async fn confirm_email(&self, user: UserId, email: &Email, at: Timestamp) -> Result<bool> {
        let has_address = vec![Condition::Equals("email".into(), email.as_str().into())];
        let confirmed = Change::Set(user::EMAIL_CONFIRMED_AT.into(), timestamp_text(at).into());
        let (key, changes) = (keys::user(user), vec![confirmed]);
        let set = ChangeSet::new().update(Step::User, key, has_address, changes);
        let outcome = self.commit(user, Write::at(at), set, None).await?;
        Ok(matches!(outcome, Commit::Done(_)))
    }

    async fn count_mail(&self, user: UserId, day: Date, limit: u32, at: Timestamp) -> Result<bool> {
        let day = day.to_string();
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::user(user)).await? else { return Ok(false) };
            let counted_on = Fields(&record).optional_text(user::MAIL_DAY)?;
            let is_today = counted_on == Some(day.as_str());
            if limit == 0 {
                return Ok(false);
            }
            let same_day = counted_on.map_or_else(
                || Condition::Absent(user::MAIL_DAY.into()),
                |counted_on| Condition::Equals(user::MAIL_DAY.into(), counted_on.into()),
            );
            let (when, changes) = if is_today {
                let fewer =
                    Condition::AtMost(user::MAIL_COUNT.into(), Number::from(i64::from(limit) - 1));
                let one_more = Change::Add(user::MAIL_COUNT.into(), Number::from(1));
                (vec![same_day, fewer], vec![one_more])
            } else {
                let first = [
                    Change::Set(user::MAIL_DAY.into(), day.as_str().into()),
                    Change::Set(user::MAIL_COUNT.into(), Number::from(1).into()),
                ];
                (vec![same_day], first.to_vec())
            };
            let set = ChangeSet::new().update(Step::User, keys::user(user), when, changes);
            match self.commit(Actor::System, Write::at(at), set, None).await? {
                Commit::Done(_) => return Ok(true),
                Commit::Failed(_, Some(current))
                    if is_today && current.text(user::MAIL_DAY) == Some(&day) =>
                {
                    return Ok(false);
                }
                // The day changed, or its count was reset concurrently.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("counting mails"))
    }

    async fn uncount_mail(&self, user: UserId, day: Date, at: Timestamp) -> Result<()> {
        let when = vec![
            Condition::Equals(user::MAIL_DAY.into(), day.to_string().into()),
            Condition::AtLeast(user::MAIL_COUNT.into(), Number::from(1)),
        ];
        let changes = vec![Change::Add(user::MAIL_COUNT.into(), Number::from(-1))];
        let set = ChangeSet::new().update(Step::User, keys::user(user), when, changes);
        self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(())
    }

    async fn set_password(&self, user: UserId, hash: &str, at: Timestamp) -> Result<bool> {
        let set = ChangeSet::new().update(
            Step::User,
            keys::user(user),
            vec![Condition::Exists],
            vec![Change::Set("passwordHash".into(), hash.into())],
        );
        let outcome = self.commit(user, Write::at(at), set, None).await?;
        Ok(matches!(outcome, Commit::Done(_)))
    }

    async fn create_session(&self, new: &Session, at: Timestamp) -> Result<()> {
        let record = session::to_record(new);
        let set = ChangeSet::new().put(Step::Session, record, vec![]);
        self.commit(new.user, Write::at(at), set, None).await?;
        Ok(())
    }

    async fn find_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<Option<Session>> {
        let record = self.get(&keys::session(user, session)).await?;
        let found = record.as_ref().map(session::from_record).transpose()?;
        Ok(found.filter(|session| session.expires_at > at))
    }

    /// Reads all of them, because their keys are in no order of time: a person has a few.
    async fn list_sessions(
        &self,
        user: UserId,
        after: Option<&SessionPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Session, SessionPosition>> {
        let records = self.all_under(keys::user_pk(user), keys::SESSION_PREFIX).await?;
        let mut sessions = records.iter().map(session::from_record).collect::<Result<Vec<_>>>()?;
        sessions.retain(|session| {
            session.expires_at > at && after.is_none_or(|after| session.position() < *after)
        });
        sessions.sort_unstable_by_key(|session| Reverse(session.position()));
        Ok(Page::cut(sessions, limit, Session::position))
    }

    async fn extend_session(
        &self,
        user: UserId,
        session: SessionId,
        expires_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool> {
        let (key, changes) = (keys::session(user, session), session::extended(expires_at, at));
        let set = ChangeSet::new().update(Step::Session, key, vec![Condition::Exists], changes);
        let outcome = self.commit(user, Write::at(at), set, None).await?;
        Ok(matches!(outcome, Commit::Done(_)))
    }

    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &NextToken,
        at: Timestamp,
    ) -> Result<Rotation> {
        let key = keys::session(next.user, next.session);
        let set = ChangeSet::new().update(
            Step::Session,
            key.clone(),
            session::has_newest(presented_hash),
            session::rotated(next, at),
        );
        let current = match self.commit(next.user, Write::at(at), set, None).await? {
            Commit::Done(_) => return Ok(Rotation::Rotated),
            Commit::Failed(_, None) => return Ok(Rotation::Unknown),
            Commit::Failed(_, Some(current)) => session::from_record(&current)?,
        };
        if current.kind == SessionKind::Browser {
            return Ok(Rotation::Unknown);
        }
        let end = ChangeSet::new().delete(Step::Session, key, vec![]);
        self.commit(next.user, Write::at(at), end, None).await?;
        Ok(Rotation::Reused)
    }

    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        at: Timestamp,
    ) -> Result<()> {
        let when = vec![session::has_secret(presented_hash)];
        let set = ChangeSet::new().delete(Step::Session, keys::session(user, session), when);
        self.commit(user, Write::at(at), set, None).await?;
        Ok(())
    }

    async fn revoke_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<bool> {
        let (key, when) = (keys::session(user, session), vec![Condition::Exists]);
        let set = ChangeSet::new().delete(Step::Session, key, when);
        let outcome = self.commit(user, Write::at(at), set, None).await?;
        Ok(matches!(outcome, Commit::Done(_)))
    }
}
