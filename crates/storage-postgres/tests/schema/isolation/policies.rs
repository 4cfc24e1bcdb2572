//! Policies, as described by the catalog.

use std::collections::BTreeSet;

use super::{
    ownership::{self, PUBLIC_TABLES},
    world::inhabited,
};
use crate::{
    catalog,
    support::{Migrated, connect, number, refused, texts},
};

#[tokio::test]
async fn every_table_is_either_protected_or_public_for_a_reason() {
    let database = Migrated::fresh().await;
    let tables: BTreeSet<_> =
        catalog::tables(&mut database.superuser().await).await.into_iter().collect();
    let known = ownership::all().into_iter().map(|of| of.table);
    let known: BTreeSet<_> =
        known.chain(PUBLIC_TABLES.map(|(table, _)| table)).map(str::to_owned).collect();
    assert_eq!(tables, known, "a new table needs policies, and a line in ownership.rs");
}

#[tokio::test]
async fn row_level_security_is_enabled_and_forced_on_every_protected_table() {
    let database = Migrated::fresh().await;
    let sql = "SELECT relname::text FROM pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                 AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY 1";
    let unprotected = texts(&mut database.superuser().await, sql).await;
    let mut public = PUBLIC_TABLES.map(|(table, _)| table);
    public.sort_unstable();
    assert_eq!(unprotected, public);
}

#[tokio::test]
async fn policies_check_what_is_written_as_well_as_what_is_read() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT polname::text FROM pg_policy
               WHERE (polcmd IN ('*', 'w', 'r', 'd') AND polqual IS NULL)
                  OR (polcmd IN ('*', 'w', 'a') AND polwithcheck IS NULL)
                  OR NOT polpermissive";
    assert_eq!(texts(&mut connection, sql).await, [""; 0]);
    for of in ownership::all() {
        let sql = format!(
            "SELECT count(*) FROM pg_policy WHERE polrelid = '{}'::regclass AND polcmd = '*'
               AND polroles = '{{0}}'",
            of.table
        );
        assert_eq!(number(&mut connection, &sql).await, 1, "{} has one policy for all", of.table);
    }
}

#[tokio::test]
async fn what_shows_more_than_a_context_is_only_for_the_owner_and_never_for_the_run_time_role() {
    let database = Migrated::fresh().await;
    let sql = "SELECT DISTINCT r.rolname::text FROM pg_policy p
               JOIN pg_roles r ON r.oid = ANY (p.polroles)";
    assert_eq!(texts(&mut database.superuser().await, sql).await, ["larder_owner"]);
}

#[tokio::test]
async fn functions_with_the_owners_rights_have_a_fixed_search_path_and_few_may_call_them() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT proname::text FROM pg_proc
               WHERE pronamespace = 'public'::regnamespace AND prosecdef
                 AND NOT 'search_path=public, pg_temp' = ANY (proconfig)";
    assert_eq!(texts(&mut connection, sql).await, [""; 0]);
    let sql = "SELECT proname::text FROM pg_proc
               WHERE pronamespace = 'public'::regnamespace AND prosecdef
                 AND has_function_privilege('larder_schema_tests', oid, 'EXECUTE') ORDER BY 1";
    assert_eq!(
        texts(&mut connection, sql).await,
        [
            "account_of_resource",
            "begin_account_erasure",
            "begin_device_erasure",
            "begin_household_erasure",
            "change_heads",
            "continue_erasure",
            "dead_deliveries",
            "due_deliveries",
            "due_households",
            "households_after",
            "maintain_reading_weeks",
            "open_deletions",
            "open_erasures",
            "record_tag_accesses",
            "resources_behind",
            "revive_dead_deliveries",
            "sweep_deletions",
            "sweep_erasures",
            "sweep_expired",
            "sweep_photos",
            "sweep_telemetry",
        ]
    );
}

#[tokio::test]
async fn the_owner_sees_nothing_without_a_context_either_and_cannot_dump_half_of_it_by_accident() {
    let database = inhabited().await;
    let mut owner = connect(&database.owner_url).await;
    for of in ownership::all() {
        let sql = format!("SELECT count(*) FROM {} WHERE NOT ({})", of.table, of.also_seen);
        assert_eq!(number(&mut owner, &sql).await, 0, "{}", of.table);
    }
    // The first statement of `pg_dump`.
    let (code, _) = refused(&mut owner, "SET row_security = off; SELECT FROM users").await;
    assert_eq!(code, "42501");
}
