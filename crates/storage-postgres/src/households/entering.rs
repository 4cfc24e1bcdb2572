//! Creating a household, joining one, and invite codes.

use larder_domain::{Household, HouseholdId, InviteCode, Role, UserId};
use larder_storage::{
    CreateHousehold, HouseholdScope, JoinHousehold, ReplaceInviteCode, Result, Write, WriteKind,
};

use super::{HouseholdRow, query_household};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

const INVITE_CODE_INDEX: &str = "idx_households_invite_code";

impl PostgresStore {
    pub(super) async fn found(
        &self,
        new: &Household,
        creator: UserId,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<CreateHousehold, Failure> {
        let context = Context::of_user(creator).household(new.id).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(creator, write).await?;
        if !transaction.lock_unattached(creator).await? {
            return Ok(CreateHousehold::AlreadyInHousehold);
        }
        let household = sqlx::query!(
            "INSERT INTO households
             (id, name, time_zone, currency, created_by, invite_code, created_at, updated_at,
              next_daily_at, auto_list)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)",
            uuid(new.id),
            new.name.as_str(),
            new.zone.name(),
            new.currency.as_str(),
            uuid(new.created_by),
            new.invite_code.as_str(),
            Instant(new.created_at) as _,
            new.auto_list.0,
        );
        match household.execute(&mut transaction).await.map_err(Failure::from) {
            Err(Failure::Constraint(name)) if name == INVITE_CODE_INDEX => {
                return Ok(CreateHousehold::InviteCodeTaken);
            }
            inserted => inserted?,
        };
        transaction.enter(new.id, creator, Role::Admin, move_items, write).await?;
        transaction.commit_with(creator, write, WriteKind::HOUSEHOLD_CREATED, new).await?;
        Ok(CreateHousehold::Created)
    }

    pub(super) async fn join(
        &self,
        id: HouseholdId,
        code: &InviteCode,
        user: UserId,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<JoinHousehold, Failure> {
        let context = Context::of_user(user).invite_code(code).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(user, write).await?;
        if !transaction.lock_unattached(user).await? {
            return Ok(JoinHousehold::AlreadyInHousehold);
        }
        let Some(household) = transaction.lock_invited(id, code).await? else {
            return Ok(JoinHousehold::InviteNotFound);
        };
        // Only now has the user proved to belong here.
        transaction.extend(Context::default().household(id)).await?;
        transaction.enter(id, user, Role::Member, move_items, write).await?;
        transaction.commit_with(user, write, WriteKind::HOUSEHOLD_JOINED, &household).await?;
        Ok(JoinHousehold::Joined(household))
    }

    pub(super) async fn recode(
        &self,
        scope: HouseholdScope,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<ReplaceInviteCode, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let household = match transaction.set_invite_code(scope, code, write).await? {
            ReplaceInviteCode::Replaced(household) => household,
            refused => return Ok(refused),
        };
        let kind = WriteKind::INVITE_CODE_REPLACED;
        transaction.commit_with(scope.actor(), write, kind, &household).await?;
        Ok(ReplaceInviteCode::Replaced(household))
    }
}

impl Transaction {
    /// Replaces the household's invite code.
    pub(super) async fn set_invite_code(
        &mut self,
        scope: HouseholdScope,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<ReplaceInviteCode, Failure> {
        let row = query_household!(
            "UPDATE households SET invite_code = $2, updated_at = $3 WHERE id = $1 RETURNING",
            "",
            uuid(scope.household()),
            code.as_str(),
            Instant(write.at) as _,
        );
        match row.fetch_optional(self).await.map_err(Failure::from) {
            Err(Failure::Constraint(name)) if name == INVITE_CODE_INDEX => {
                Ok(ReplaceInviteCode::Taken)
            }
            updated => Ok(match updated? {
                Some(row) => ReplaceInviteCode::Replaced(row.into_household()?),
                None => ReplaceInviteCode::NotFound,
            }),
        }
    }

    /// Locks a user without a household; `false` if they have one, or do not exist. The lock does
    /// not conflict with foreign-key references.
    async fn lock_unattached(&mut self, user: UserId) -> Result<bool, Failure> {
        let row = sqlx::query_scalar!(
            "SELECT household_id FROM users WHERE id = $1 FOR NO KEY UPDATE",
            uuid(user),
        );
        Ok(matches!(row.fetch_optional(self).await?, Some(None)))
    }

    /// The household, if the invite code is its own; it stays valid until the transaction ends.
    pub(crate) async fn lock_invited(
        &mut self,
        id: HouseholdId,
        code: &InviteCode,
    ) -> Result<Option<Household>, Failure> {
        let row = query_household!(
            "SELECT",
            "FROM households WHERE id = $1 AND invite_code = $2 FOR SHARE",
            uuid(id),
            code.as_str(),
        );
        Ok(row.fetch_optional(self).await?.map(HouseholdRow::into_household).transpose()?)
    }

    /// Makes a user a member.
    pub(crate) async fn enter(
        &mut self,
        household: HouseholdId,
        user: UserId,
        role: Role,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE users SET household_id = $2, role = $3, joined_at = $4, moving_items = $5
             WHERE id = $1",
            uuid(user),
            uuid(household),
            role.as_str(),
            Instant(write.at) as _,
            move_items,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
