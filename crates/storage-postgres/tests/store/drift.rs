//! Past the ports of a database: possible and impossible corruptions, and what is left of
//! something, as a superuser sees it.

use async_trait::async_trait;
use larder_storage::Drift;
use larder_storage_testkit::{DriftTarget, PastPorts};
use sqlx::{Connection as _, PgConnection};

/// Foreign key and not-null violations.
const FOREIGN_KEY: &str = "23503";
const NOT_NULL: &str = "23502";

/// The superuser, who is bound by constraints but not by policies.
pub(crate) struct Superuser {
    pub(crate) url: String,
}

#[async_trait]
impl PastPorts for Superuser {
    /// Only the names on tags are copies. Constraints protect links and enrolments, and pending
    /// entries are counted on demand.
    async fn make_drift(&self, target: &DriftTarget) -> Drift {
        let mut superuser = PgConnection::connect(&self.url).await.unwrap();
        let rename = sqlx::query("UPDATE nfc_urls SET item_name = 'Cream' WHERE url_id = $1")
            .bind(target.tag.id.reveal());
        assert_eq!(rename.execute(&mut superuser).await.unwrap().rows_affected(), 1);

        let dangle =
            sqlx::query("UPDATE shopping_list_items SET item_id = $1::uuid WHERE id = $2::uuid")
                .bind(target.missing_item.to_string())
                .bind(target.entry.to_string());
        refused(dangle.execute(&mut superuser).await, FOREIGN_KEY);

        let withdraw =
            sqlx::query("UPDATE households SET next_daily_at = NULL WHERE id = $1::uuid")
                .bind(target.household.to_string());
        refused(withdraw.execute(&mut superuser).await, NOT_NULL);
        superuser.close().await.unwrap();
        Drift { tag_names: 1, ..Drift::default() }
    }

    async fn traces_of(&self, texts: &[String]) -> Vec<String> {
        let mut superuser = PgConnection::connect(&self.url).await.unwrap();
        let tables = "SELECT format('%I', c.relname) FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'";
        let tables: Vec<String> =
            sqlx::query_scalar(tables).fetch_all(&mut superuser).await.unwrap();
        let mut traces = Vec::new();
        for table in tables {
            let rows = format!("SELECT t::text FROM {table} t WHERE t::text ILIKE ANY ($1)");
            let patterns: Vec<String> = texts.iter().map(|text| format!("%{text}%")).collect();
            let found = sqlx::query_scalar(sqlx::AssertSqlSafe(rows)).bind(patterns);
            let found: Vec<String> = found.fetch_all(&mut superuser).await.unwrap();
            traces.extend(found.into_iter().map(|row| format!("{table}: {row}")));
        }
        superuser.close().await.unwrap();
        traces
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(outcome: Result<T, sqlx::Error>, code: &str) {
    let error = outcome.unwrap_err();
    let said = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    assert_eq!(said.as_deref(), Some(code), "{error}");
}
