//! Whom a household's notifications concern.

use larder_storage::{Audience, Result, SystemScope};

use super::{HouseholdRow, query_household};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
};

impl PostgresStore {
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
