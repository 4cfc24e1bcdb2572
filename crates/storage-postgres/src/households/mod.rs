//! Households. Joining is in `entering`; changing and leaving in `members`.

mod entering;
mod members;

use async_trait::async_trait;
use larder_domain::{
    AutoList, Currency, Household, HouseholdId, HouseholdName, HouseholdPatch, InviteCode, ItemId,
    Member, Role, User, UserId, Whose, Zone,
};
use larder_storage::{
    Audience, ChangeMember, CreateHousehold, HouseholdScope, Households, JoinHousehold, MoveItem,
    MoveReport, RemoveMember, ReplaceInviteCode, Result, SystemScope, Write,
};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

/// A row of `households`.
#[derive(Debug)]
struct HouseholdRow {
    id: Uuid,
    name: String,
    time_zone: String,
    currency: String,
    auto_list: bool,
    invite_code: String,
    created_by: Uuid,
    created_at: Instant,
}

/// `query_as!` with the columns of a [`HouseholdRow`] between two pieces of SQL.
macro_rules! query_household {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            HouseholdRow,
            $before
                + r#" id, name, time_zone, currency, auto_list, invite_code, created_by,
                      created_at AS "created_at: crate::types::Instant" "#
                + $after
            $(, $argument)*
        )
    };
}

use query_household;

impl HouseholdRow {
    fn into_household(self) -> Result<Household> {
        let misfit =
            |column, reason: String| misfit(format!("households {}", self.id), column, reason);
        Ok(Household {
            id: domain_id(self.id),
            name: HouseholdName::parse_stored(&self.name)
                .map_err(|e| misfit("name", e.to_string()))?,
            zone: Zone::parse(&self.time_zone).map_err(|e| misfit("time_zone", e.to_string()))?,
            currency: Currency::parse(&self.currency)
                .map_err(|e| misfit("currency", e.to_string()))?,
            auto_list: AutoList(self.auto_list),
            invite_code: InviteCode::parse(&self.invite_code)
                .map_err(|e| misfit("invite_code", e.to_string()))?,
            created_by: domain_id(self.created_by),
            created_at: self.created_at.0,
        })
    }
}

#[async_trait]
impl Households for PostgresStore {
    async fn create_household(
        &self,
        household: &Household,
        creator: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<CreateHousehold> {
        self.retry_change(uuid(household.id), || {
            self.found(household, creator.id, move_items, write)
        })
        .await
    }

    async fn find_household(&self, scope: HouseholdScope) -> Result<Option<Household>> {
        let row = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_member(scope)).await?;
            let row = query_household!(
                "SELECT",
                "FROM households WHERE id = $1",
                uuid(scope.household())
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        row.await?.map(HouseholdRow::into_household).transpose()
    }

    async fn find_invited_household(&self, code: &InviteCode) -> Result<Option<HouseholdId>> {
        let id = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_invite_code(code)).await?;
            let id = sqlx::query_scalar!(
                "SELECT id FROM households WHERE invite_code = $1",
                code.as_str(),
            );
            Ok(id.fetch_optional(&mut transaction).await?)
        });
        Ok(id.await?.map(domain_id))
    }

    async fn update_household(
        &self,
        scope: HouseholdScope,
        patch: &HouseholdPatch,
        write: Write<'_>,
    ) -> Result<Option<Household>> {
        let row = self.retry(|| async move {
            let context = Context::of_member(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            // Another zone may have another date, so the daily job is due at once.
            let row = query_household!(
                "UPDATE households SET name = COALESCE($2, name),
                     time_zone = COALESCE($3, time_zone),
                     currency = COALESCE($5, currency),
                     auto_list = COALESCE($6, auto_list),
                     next_daily_at = CASE WHEN time_zone = COALESCE($3, time_zone)
                         THEN next_daily_at ELSE $4 END,
                     updated_at = $4
                 WHERE id = $1 RETURNING",
                "",
                uuid(scope.household()),
                patch.name.as_ref().map(HouseholdName::as_str),
                patch.zone.as_ref().map(Zone::name),
                Instant(write.at) as _,
                patch.currency.map(Currency::as_str),
                patch.auto_list.map(|AutoList(is_on)| is_on),
            )
            .fetch_optional(&mut transaction)
            .await?;
            transaction.commit().await?;
            Ok(row)
        });
        let household = row.await?.map(HouseholdRow::into_household).transpose()?;
        self.live.changed(uuid(scope.household()));
        Ok(household)
    }

    async fn join_household(
        &self,
        household: HouseholdId,
        code: &InviteCode,
        user: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<JoinHousehold> {
        self.retry_change(uuid(household), || {
            self.join(household, code, user.id, move_items, write)
        })
        .await
    }

    async fn replace_invite_code(
        &self,
        scope: HouseholdScope,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<ReplaceInviteCode> {
        self.retry_change(uuid(scope.household()), || self.recode(scope, code, write)).await
    }

    async fn list_members(&self, scope: HouseholdScope) -> Result<Vec<Member>> {
        self.retry(|| self.members_of(scope)).await
    }

    async fn change_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember> {
        self.retry_change(uuid(scope.household()), || self.give_role(scope, user, role, write))
            .await
    }

    async fn remove_member(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember> {
        self.retry_change(uuid(scope.household()), || self.take_out(scope, user, code, write)).await
    }

    async fn move_item(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem> {
        self.move_one(scope, id, to, write).await
    }

    async fn move_personal_items(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        self.move_items_in(scope, write).await
    }
}

impl PostgresStore {
    /// Whom a household's notifications concern.
    pub(crate) async fn audience(&self, scope: SystemScope) -> Result<Option<Audience>, Failure> {
        let mut transaction = self.database.read(&Context::of_system(scope)).await?;
        let row =
            query_household!("SELECT", "FROM households WHERE id = $1", uuid(scope.household()));
        let Some(row) = row.fetch_optional(&mut transaction).await? else { return Ok(None) };
        let household = row.into_household()?;
        let members = transaction.members(scope.household()).await?;
        let confirmed = sqlx::query_scalar!(
            "SELECT id FROM users WHERE household_id = $1 AND email_confirmed_at IS NOT NULL",
            uuid(scope.household()),
        );
        let confirmed = confirmed.fetch_all(&mut transaction).await?;
        let confirmed = confirmed.into_iter().map(domain_id).collect();
        Ok(Some(Audience { household, members, confirmed }))
    }
}
