//! Resources, relationships, unique values and grants: each list uses an index in its order, and
//! each look-up a key.

use super::{
    plan::{PLANNING, Plan},
    statements::{plan_of, statement},
    stock::{ACCOUNT, stocked},
};
use crate::support::{run, texts};

/// In the middle of the large account's tree, and its parent.
const BOX: &str = "urn:pp:Home.Box::40000000-0000-4000-8000-000000012340";
const PARENT: &str = "urn:pp:Home.Room::40000000-0000-4000-8000-000000001234";
const USER: &str = "urn:pp:System.User::20000000-0000-4000-8000-000000000040";

/// Whether a table is scanned with this index and condition.
fn asks(plan: &Plan, index: &str, condition: &str) -> bool {
    let is = |name: &Option<String>| name.as_deref() == Some(index);
    plan.scans.iter().any(|scan| is(&scan.index) && scan.condition.contains(condition))
}

#[tokio::test]
async fn lists_are_read_in_their_order_from_an_index_beginning_where_the_page_does() {
    let mut runtime = stocked().await;
    for (text, values, index, condition) in [
        (
            "WHERE r.account_urn = $1 AND r.urn > $2 AND r.urn < $3",
            format!("'{ACCOUNT}', '{BOX}', 'v', 50"),
            "resources_account_urn_urn_key",
            "urn > ",
        ),
        (
            "WHERE c.account_urn = $1 AND c.parent_urn = $2 AND c.child_urn > $3",
            format!("'{ACCOUNT}', '{PARENT}', '{BOX}', 50"),
            "idx_parent_child_relationships_children",
            "child_urn > ",
        ),
        (
            "WHERE m.account_urn = $1 AND m.collection_urn = $2 AND m.member_urn > $3",
            format!("'{ACCOUNT}', '{PARENT}', '{BOX}', 50"),
            "collection_member_relationships_pkey",
            "member_urn > ",
        ),
        (
            "WHERE m.account_urn = $1 AND m.member_urn = $2 AND m.collection_urn > $3",
            format!("'{ACCOUNT}', '{BOX}', '{PARENT}', 50"),
            "idx_collection_member_relationships_collections",
            "collection_urn > ",
        ),
        (
            "WHERE g.account_urn = $1 AND (g.resource_urn, g.principal_urn) > ($2, $3)",
            format!("'{ACCOUNT}', '{BOX}', '{USER}', 50"),
            "grants_pkey",
            "ROW(",
        ),
        (
            "WHERE g.account_urn = $1 AND g.resource_urn = $2 AND (g.resource_urn",
            format!("'{ACCOUNT}', '{BOX}', '{BOX}', '{USER}', 50"),
            "grants_pkey",
            "resource_urn = ",
        ),
        (
            "WHERE g.account_urn = $1 AND g.principal_urn = $2 AND g.resource_urn >= $3",
            format!("'{ACCOUNT}', '{USER}', '{BOX}', '{USER}', 50"),
            "idx_grants_principal",
            "resource_urn >= ",
        ),
    ] {
        let statement = statement(text);
        for planning in PLANNING {
            run(&mut runtime, planning).await;
            let plan = plan_of(&mut runtime, &statement, &values).await;
            assert!(!plan.sorts, "{planning}: {text} {plan:#?}");
            assert_eq!(plan.read_whole(), [""; 0], "{planning}: {text} {plan:#?}");
            assert!(asks(&plan, index, condition), "{planning}: {text} {plan:#?}");
        }
    }
}

#[tokio::test]
async fn one_thing_is_found_by_its_key_and_what_is_above_it_step_by_step() {
    let mut runtime = stocked().await;
    for (text, values, index, condition) in [
        (
            "types::Instant\" FROM resources r WHERE r.account_urn = $1 AND r.urn = $2",
            format!("'{ACCOUNT}', '{BOX}'"),
            "resources_account_urn_urn_key",
            "urn = ",
        ),
        (
            "h.value = ANY (ARRAY[$4, $5])",
            format!("'{ACCOUNT}', 'Home.Box', 'serial', 'Number 12340', 'number 12340', 'pp'"),
            "unique_key_values_pkey",
            "value = ANY",
        ),
        (
            "SELECT next.parent_urn, a.distance + 1",
            format!("'{ACCOUNT}', '{BOX}', 50"),
            "parent_child_relationships_pkey",
            "child_urn = a.urn",
        ),
        (
            "types::Instant\" FROM grants g WHERE g.account_urn = $1 AND g.resource_urn = $2 AND g.principal_urn = $3",
            format!("'{ACCOUNT}', '{BOX}', '{USER}'"),
            "grants_pkey",
            "principal_urn = ",
        ),
    ] {
        let statement = statement(text);
        for planning in PLANNING {
            run(&mut runtime, planning).await;
            let plan = plan_of(&mut runtime, &statement, &values).await;
            assert_eq!(plan.read_whole(), [""; 0], "{planning}: {text} {plan:#?}");
            assert!(asks(&plan, index, condition), "{planning}: {text} {plan:#?}");
        }
    }
}

/// EXPLAIN does not show statements inside a function; the server's statistics count its scans.
#[tokio::test]
async fn what_functions_do_with_trees_and_grants_goes_by_indexes_alone() {
    for planning in PLANNING {
        let mut runtime = stocked().await;
        run(&mut runtime, planning).await;
        for (call, answer) in [
            // At least itself and the five above it.
            (
                format!("SELECT count(*) > 5 FROM authorizing_urns('{USER}', '{BOX}', 10000)"),
                "true",
            ),
            (
                format!("SELECT cardinality(subtree_leaves_first('{ACCOUNT}', '{PARENT}', 1000))"),
                "11",
            ),
            (
                format!(
                    "SELECT cardinality(subtree_in_preorder('{ACCOUNT}', '{PARENT}', '{BOX}', 1000))"
                ),
                "9",
            ),
            (format!("SELECT attach_resource('{ACCOUNT}', '{BOX}', '{PARENT}', now())"), "cycle"),
            (format!("SELECT version FROM locked_resource('{ACCOUNT}', '{BOX}')"), "1"),
        ] {
            let sql = format!("SELECT ({call})::text");
            assert_eq!(texts(&mut runtime, &sql).await, [answer], "{planning}: {call}");
        }
        let read = "SELECT relname::text FROM pg_stat_xact_user_tables
                    WHERE seq_tup_read > 0 AND relname ~ '^(resources|grants|.*_relationships|unique_key_values)$'";
        assert_eq!(texts(&mut runtime, read).await, [""; 0], "{planning}");
    }
}
