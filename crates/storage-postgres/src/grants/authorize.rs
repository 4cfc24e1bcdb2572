//! Access checks and explanations: one call reads all relevant grants, and the domain decides.

use std::collections::HashMap;

use larder_domain::{Access, Ascent, GrantedActions, MAX_AUTHORIZING_URNS, NodeFacts, Urn};
use larder_storage::{AccessRequest, Result};

use super::row::read_actions;
use crate::{
    PostgresStore, context::Context, failure::Failure, resources::read_urn,
    transaction::Transaction,
};

/// A resource on the way up or, without a URN, the account.
struct AboveRow {
    account_urn: String,
    urn: Option<String>,
    parent_urn: Option<String>,
    conveying: Option<Vec<String>>,
    actions: Option<Vec<String>>,
}

/// The principal's grants on a resource and its ancestors.
struct Above {
    account: Urn,
    facts: HashMap<Urn, NodeFacts>,
    on_account: Option<GrantedActions>,
}

impl PostgresStore {
    pub(super) async fn access(
        &self,
        request: AccessRequest<'_>,
    ) -> Result<Option<Access>, Failure> {
        let mut transaction = match self.database.single().await? {
            Some(alone) => alone,
            None => self.database.read(&Context::of_server()).await?,
        };
        let rows = transaction.authorizing_urns(request).await?;
        let Some(above) = Above::of(rows)? else { return Ok(None) };
        let mut ascent = Ascent::new(request.urn.clone(), request.action.clone());
        while ascent.frontier().len() > 0 {
            if let Some(access) = ascent.advance(&above.account, &above.facts) {
                return Ok(Some(access));
            }
        }
        let implied = request.implied.filter(|(account, _)| **account == above.account);
        let mut on_account = above.on_account.iter().chain(implied.map(|(_, actions)| actions));
        let by_account = |held| ascent.by_account(request.urn, &above.account, held);
        Ok(on_account.find_map(by_account))
    }
}

impl Transaction {
    async fn authorizing_urns(
        &mut self,
        request: AccessRequest<'_>,
    ) -> Result<Vec<AboveRow>, Failure> {
        let rows = sqlx::query_as!(
            AboveRow,
            r#"SELECT account_urn AS "account_urn!", urn, parent_urn, conveying, actions
               FROM authorizing_urns($1, $2, $3)"#,
            request.principal.as_str(),
            request.urn.as_str(),
            i32::try_from(MAX_AUTHORIZING_URNS).unwrap_or(i32::MAX),
        );
        Ok(rows.fetch_all(self).await?)
    }
}

impl Above {
    /// `None` if there is no such resource.
    fn of(rows: Vec<AboveRow>) -> Result<Option<Self>> {
        let Some(first) = rows.first() else { return Ok(None) };
        let account = read_urn("resources", "account_urn", &first.account_urn)?;
        let (mut facts, mut on_account) = (HashMap::with_capacity(rows.len()), None);
        for row in rows {
            let granted =
                row.actions.map(|actions| read_actions("grants", &actions)).transpose()?;
            let Some(urn) = row.urn else {
                on_account = granted;
                continue;
            };
            let read = |column: &'static str| {
                let record = format!("resources {urn}");
                move |text: String| read_urn(&record, column, &text)
            };
            let parent = row.parent_urn.map(read("parent_urn")).transpose()?;
            let conveying = row.conveying.into_iter().flatten().map(read("collection_urn"));
            let conveying = conveying.collect::<Result<_>>()?;
            let urn = read_urn("resources", "urn", &urn)?;
            facts.insert(urn, NodeFacts { parent, conveying, granted });
        }
        Ok(Some(Self { account, facts, on_account }))
    }
}
