//! Members of a household. Changes lock the household's row, so that of two admins who step down
//! concurrently, the second sees that they are the last.

use larder_domain::{Email, HouseholdId, InviteCode, Member, PersonName, Role, UserId};
use larder_storage::{
    ChangeMember, HouseholdScope, RemoveMember, ReplaceInviteCode, Result, Write,
};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

struct MemberRow {
    id: Uuid,
    name: String,
    email: String,
    role: String,
    joined_at: Instant,
}

impl MemberRow {
    fn into_member(self) -> Result<Member> {
        let misfit = |column, reason: String| misfit(format!("users {}", self.id), column, reason);
        Ok(Member {
            user: domain_id(self.id),
            name: PersonName::parse_stored(&self.name)
                .map_err(|e| misfit("name", e.to_string()))?,
            email: Email::parse_stored(&self.email).map_err(|e| misfit("email", e.to_string()))?,
            role: self.role.parse().map_err(|e| misfit("role", format!("{e}")))?,
            joined_at: self.joined_at.0,
        })
    }
}

impl PostgresStore {
    pub(super) async fn members_of(&self, scope: HouseholdScope) -> Result<Vec<Member>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        transaction.members(scope.household()).await
    }

    pub(super) async fn give_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let members = transaction.lock_members(scope).await?;
        let Some(mut member) = find(&members, user) else { return Ok(ChangeMember::NotFound) };
        if member.role == role {
            return Ok(ChangeMember::Done(member));
        }
        if is_last_admin(&members, &member) {
            return Ok(ChangeMember::LastAdmin);
        }
        sqlx::query!("UPDATE users SET role = $2 WHERE id = $1", uuid(user), role.as_str())
            .execute(&mut transaction)
            .await?;
        transaction.commit().await?;
        member.role = role;
        Ok(ChangeMember::Done(member))
    }

    pub(super) async fn take_out(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let members = transaction.lock_members(scope).await?;
        let Some(member) = find(&members, user) else { return Ok(RemoveMember::NotFound) };
        if is_last_admin(&members, &member) {
            return Ok(RemoveMember::LastAdmin);
        }
        transaction.extend(Context::default().departing(user)).await?;
        sqlx::query!(
            "UPDATE users
             SET household_id = NULL, role = NULL, joined_at = NULL, moving_items = false
             WHERE id = $1",
            uuid(user),
        )
        .execute(&mut transaction)
        .await?;
        match transaction.set_invite_code(scope, code, write).await? {
            ReplaceInviteCode::Replaced(_) => {}
            ReplaceInviteCode::Taken => return Ok(RemoveMember::InviteCodeTaken),
            ReplaceInviteCode::NotFound => return Ok(RemoveMember::NotFound),
        }
        transaction.commit().await?;
        Ok(RemoveMember::Removed(member))
    }
}

impl Transaction {
    /// The members, in the order of their ids.
    pub(super) async fn members(&mut self, household: HouseholdId) -> Result<Vec<Member>, Failure> {
        let rows = sqlx::query_as!(
            MemberRow,
            r#"SELECT id, name, email, role AS "role!", joined_at AS "joined_at!: Instant"
               FROM users WHERE household_id = $1 ORDER BY id"#,
            uuid(household),
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(MemberRow::into_member).collect::<Result<_>>()?)
    }

    /// Locks and returns the members.
    async fn lock_members(&mut self, scope: HouseholdScope) -> Result<Vec<Member>, Failure> {
        sqlx::query!(
            "SELECT FROM households WHERE id = $1 FOR NO KEY UPDATE",
            uuid(scope.household())
        )
        .execute(&mut *self)
        .await?;
        self.members(scope.household()).await
    }
}

fn find(members: &[Member], user: UserId) -> Option<Member> {
    members.iter().find(|member| member.user == user).cloned()
}

fn is_last_admin(members: &[Member], member: &Member) -> bool {
    let is_other_admin = |other: &Member| other.role == Role::Admin && other.user != member.user;
    member.role == Role::Admin && !members.iter().any(is_other_admin)
}
