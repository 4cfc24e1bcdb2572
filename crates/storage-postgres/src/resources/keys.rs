//! Unique values: as JSON, and as the columns of a statement.

use std::fmt::Display;

use jiff::Timestamp;
use larder_domain::{PropertyName, UniqueKey, UniqueKeys, UniqueValue, Urn};
use larder_storage::{AccountScope, Result, TakenKey};
use serde::{Deserialize, Serialize};

use super::row::read_urn;
use crate::{failure::Failure, transaction::Transaction, types::Instant};

/// Property, value as given, and whether it is case-insensitive.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeyJson(String, String, bool);

impl KeyJson {
    pub(crate) fn of(key: &UniqueKey) -> Self {
        Self(key.property.to_string(), key.value.as_str().to_owned(), key.case_insensitive)
    }

    /// All of one resource.
    pub(crate) fn into_keys(keys: Vec<Self>) -> Result<UniqueKeys, String> {
        let text = |error: &dyn Display| error.to_string();
        let keys = keys.into_iter().map(|Self(property, value, case_insensitive)| {
            let property = PropertyName::parse(&property).map_err(|e| text(&e))?;
            let value = UniqueValue::parse(&value).map_err(|e| text(&e))?;
            Ok(UniqueKey { property, value, case_insensitive })
        });
        UniqueKeys::new(keys.collect::<Result<_, String>>()?).map_err(|e| text(&e))
    }
}

/// Keys column by column.
#[derive(Default)]
struct Columns {
    properties: Vec<String>,
    values: Vec<String>,
    given: Vec<String>,
    case_insensitive: Vec<bool>,
}

impl Columns {
    fn of(keys: &[&UniqueKey]) -> Self {
        let mut columns = Self::default();
        for key in keys {
            columns.properties.push(key.property.to_string());
            columns.values.push(key.compared());
            columns.given.push(key.value.as_str().to_owned());
            columns.case_insensitive.push(key.case_insensitive);
        }
        columns
    }
}

impl Transaction {
    /// Assigns these values to a resource, in order, which prevents deadlocks between concurrent
    /// claims; or returns the first that is taken.
    pub(super) async fn take_keys(
        &mut self,
        scope: &AccountScope,
        holder: &Urn,
        keys: &[&UniqueKey],
        at: Timestamp,
    ) -> Result<Option<TakenKey>, Failure> {
        if keys.is_empty() {
            return Ok(None);
        }
        let columns = Columns::of(keys);
        let refused = sqlx::query_scalar!(
            r#"WITH wanted AS MATERIALIZED (
                 SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::boolean[]) WITH ORDINALITY
                   AS w (key, value, given_value, case_insensitive, place)),
               taken AS (
                 INSERT INTO unique_key_values AS k
                   (resource_type, key, value, given_value, case_insensitive, associated_record_urn,
                    account_urn, created_at, updated_at)
                 SELECT split_part($2, ':', 3), w.key, w.value, w.given_value, w.case_insensitive, $2, $1,
                   $7, $7
                 FROM wanted w ORDER BY w.place
                 ON CONFLICT (resource_type, key, value) DO NOTHING
                 RETURNING k.key, k.value)
               SELECT min(w.place) FROM wanted w
               WHERE NOT EXISTS (SELECT FROM taken t WHERE t.key = w.key AND t.value = w.value)"#,
            scope.account().as_str(),
            holder.as_str(),
            &columns.properties,
            &columns.values,
            &columns.given,
            &columns.case_insensitive,
            Instant(at) as _,
        )
        .fetch_one(&mut *self)
        .await?;
        let refused = refused.and_then(|place| usize::try_from(place - 1).ok());
        let Some(key) = refused.and_then(|place| keys.get(place)) else { return Ok(None) };
        let holder = self.holder_of(scope, holder, key).await?;
        Ok(Some(TakenKey { key: (*key).clone(), holder }))
    }

    /// The holder of a value, if the account may see it.
    async fn holder_of(
        &mut self,
        scope: &AccountScope,
        wanted_by: &Urn,
        key: &UniqueKey,
    ) -> Result<Option<Urn>, Failure> {
        let holder = sqlx::query_scalar!(
            "SELECT k.associated_record_urn FROM unique_key_values k
             WHERE k.resource_type = $1 AND k.key = $2 AND k.value = $3 AND k.account_urn = $4",
            wanted_by.resource_type().as_str(),
            key.property.as_str(),
            key.compared(),
            scope.account().as_str(),
        )
        .fetch_optional(self)
        .await?;
        let record = "unique_key_values";
        Ok(holder.map(|urn| read_urn(record, "associated_record_urn", &urn)).transpose()?)
    }

    /// Releases values of a resource.
    pub(super) async fn free_keys(
        &mut self,
        scope: &AccountScope,
        holder: &Urn,
        keys: &[&UniqueKey],
    ) -> Result<(), Failure> {
        if keys.is_empty() {
            return Ok(());
        }
        let columns = Columns::of(keys);
        sqlx::query!(
            "DELETE FROM unique_key_values k
             USING unnest($3::text[], $4::text[]) AS f (key, value)
             WHERE k.account_urn = $1 AND k.associated_record_urn = $2
               AND k.key = f.key AND k.value = f.value",
            scope.account().as_str(),
            holder.as_str(),
            &columns.properties,
            &columns.values,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
