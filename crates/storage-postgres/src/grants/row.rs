//! Rows of `grants` as grants.

use std::fmt::Display;

use larder_domain::{AccessAction, Grant, GrantedActions};
use larder_storage::Result;

use crate::{items::misfit, resources::read_urn, types::Instant};

/// A row.
pub(super) struct GrantRow {
    pub(super) account_urn: String,
    pub(super) resource_urn: String,
    pub(super) principal_urn: String,
    pub(super) actions: Vec<String>,
    pub(super) created_at: Instant,
    pub(super) updated_at: Instant,
}

/// `query_as!` with the columns of a [`GrantRow`] between two pieces of SQL; the table is `g`.
macro_rules! query_grants {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::grants::row::GrantRow,
            $before
                + r#" g.account_urn, g.resource_urn, g.principal_urn, g.actions,
                g.created_at AS "created_at: crate::types::Instant",
                g.updated_at AS "updated_at: crate::types::Instant" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(super) use query_grants;

impl GrantRow {
    pub(super) fn into_grant(self) -> Result<Grant> {
        let record = format!("grants {} on {}", self.principal_urn, self.resource_urn);
        Ok(Grant {
            principal: read_urn(&record, "principal_urn", &self.principal_urn)?,
            on: read_urn(&record, "resource_urn", &self.resource_urn)?,
            account: read_urn(&record, "account_urn", &self.account_urn)?,
            actions: read_actions(&record, &self.actions)?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

pub(super) fn read_actions(record: &str, actions: &[String]) -> Result<GrantedActions> {
    let misfit = |reason: &dyn Display| misfit(record, "actions", reason);
    let actions = actions.iter().map(|action| AccessAction::parse(action));
    let actions = actions.collect::<Result<Vec<_>, _>>().map_err(|e| misfit(&e))?;
    GrantedActions::new(actions).map_err(|e| misfit(&e))
}

/// Actions as stored in the column.
pub(super) fn texts(actions: &GrantedActions) -> Vec<String> {
    actions.iter().map(|action| action.as_str().to_owned()).collect()
}
