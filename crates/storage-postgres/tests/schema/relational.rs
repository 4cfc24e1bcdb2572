//! Constraints of the relational store, which bind every role.

use sqlx::PgConnection;

use crate::{
    isolation::world::{ACCOUNT, ATTACKER, OTHER_ACCOUNT, SECRET, box_in_room, inhabited, room},
    support::{begin_as, number, refused, run},
};

/// Runs a statement that must fail, in its own transaction, and returns the error's code and text.
async fn refusal(connection: &mut PgConnection, sql: &str) -> (String, String) {
    run(connection, "SAVEPOINT before").await;
    let answer = refused(connection, sql).await;
    run(connection, "ROLLBACK TO before").await;
    answer
}

fn resource(urn: &str, account: &str) -> String {
    format!(
        "INSERT INTO resources (urn, account_urn, schema_version, attributes, created_at, updated_at)
         VALUES ('{urn}', '{account}', 1, '{{}}', now(), now())"
    )
}

#[tokio::test]
async fn a_resource_has_a_urn_and_attributes_that_are_an_object() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    run(&mut superuser, "BEGIN").await;
    let good = "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b";
    let long_type = format!("urn:pp:{}::0195ff0e-e2e7-7408-8379-52f6cf939e7b", "A".repeat(201));
    for urn in [
        "",
        "urn:pp:Home.Room:0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:pp:home::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:pp:Home..Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:PP:Home::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:-p:Home::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:pp:Home::0195FF0E-e2e7-7408-8379-52f6cf939e7b",
        "urn:pp:Home::0195ff0ee2e7740883 7952f6cf939e7b",
        "urn:pp:Hôme::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
        "urn:pp:Home::0195ff0e-e2e7-7408-8379-52f6cf939e7b\n",
        long_type.as_str(),
    ] {
        let (code, text) = refusal(&mut superuser, &resource(urn, ACCOUNT)).await;
        // Unparsable values fail before the check.
        assert!(["23514", "22P02"].contains(&code.as_str()), "{urn:?}: {code} {text}");
    }
    assert_eq!(run(&mut superuser, &resource(good, ACCOUNT)).await, 1);
    for set in ["attributes = '[]'", "attributes = '1'", "version = 0", "schema_version = 0"] {
        let sql = format!("UPDATE resources SET {set} WHERE urn = '{good}'");
        assert_eq!(refusal(&mut superuser, &sql).await.0, "23514", "{set}");
    }
}

#[tokio::test]
async fn both_ends_of_a_relationship_exist_in_its_account() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    run(&mut superuser, "BEGIN").await;
    let nothing = "urn:pp:Home.Room::d0000000-0000-7000-8000-000000000001";
    let (mine, theirs) = (room('a'), room('b'));
    for (one, other) in
        [(mine.as_str(), nothing), (nothing, &mine), (&mine, &theirs), (&theirs, &mine)]
    {
        for account in [ACCOUNT, OTHER_ACCOUNT] {
            for sql in [
                format!(
                    "INSERT INTO parent_child_relationships VALUES ('{one}', '{other}', '{account}', now())"
                ),
                format!(
                    "INSERT INTO collection_member_relationships
                     VALUES ('{account}', '{one}', '{other}', true, now())"
                ),
            ] {
                assert_eq!(refusal(&mut superuser, &sql).await.0, "23503", "{sql}");
            }
        }
    }
    for sql in [
        format!(
            "INSERT INTO parent_child_relationships VALUES ('{mine}', '{mine}', '{ACCOUNT}', now())"
        ),
        format!(
            "INSERT INTO collection_member_relationships VALUES ('{ACCOUNT}', '{mine}', '{mine}', true, now())"
        ),
    ] {
        assert_eq!(refusal(&mut superuser, &sql).await.0, "23514", "{sql}");
    }
    let second_parent = format!(
        "INSERT INTO parent_child_relationships VALUES ('{}', '{mine}', '{ACCOUNT}', now())",
        box_in_room('a'),
    );
    assert_eq!(refusal(&mut superuser, &second_parent).await.0, "23505");
    let (code, text) =
        refusal(&mut superuser, &format!("DELETE FROM resources WHERE urn = '{mine}'")).await;
    assert_eq!(code, "23503", "a parent with children stays: {text}");
}

#[tokio::test]
async fn what_names_a_resource_goes_with_it() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let (room, box_in_room) = (room('a'), box_in_room('a'));
    run(&mut superuser, &format!("DELETE FROM resources WHERE urn = '{box_in_room}'")).await;
    run(&mut superuser, &format!("DELETE FROM resources WHERE urn = '{room}'")).await;
    for (table, left) in [
        ("resources", 0),
        ("parent_child_relationships", 0),
        ("collection_member_relationships", 0),
        ("unique_key_values", 0),
        ("resource_photos", 0),
        // That on the account itself.
        ("grants", 1),
    ] {
        let sql = format!("SELECT count(*) FROM {table} WHERE account_urn = '{ACCOUNT}'");
        assert_eq!(number(&mut superuser, &sql).await, left, "{table}");
        let sql = format!("SELECT count(*) FROM {table} WHERE account_urn = '{OTHER_ACCOUNT}'");
        assert!(number(&mut superuser, &sql).await > 0, "{table}");
    }
}

#[tokio::test]
async fn unique_values_and_grants_are_of_resources_of_their_account_and_well_formed() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    run(&mut superuser, "BEGIN").await;
    let (mine, theirs) = (box_in_room('a'), box_in_room('b'));
    let key = |kind: &str, name: &str, value: &str, given: &str, folded: bool, holder: &str| {
        format!(
            "INSERT INTO unique_key_values VALUES ('{kind}', '{name}', '{value}', '{given}', {folded}, '{holder}',
             '{ACCOUNT}', now(), now())"
        )
    };
    let long = "x".repeat(601);
    for (sql, code) in [
        (key("Home.Box", "serial", "x", "x", false, &theirs), "23503"),
        (key("Home.Room", "serial", "x", "x", false, &mine), "23514"),
        (key("Home.Box", "1serial", "x", "x", false, &mine), "23514"),
        (key("Home.Box", "serial", "x", "X", false, &mine), "23514"),
        (key("Home.Box", "serial", &long, &long, false, &mine), "23514"),
        (key("Home.Box", "serial", "a ", "a ", false, &mine), "23505"),
    ] {
        assert_eq!(refusal(&mut superuser, &sql).await.0, code, "{sql}");
    }
    assert_eq!(run(&mut superuser, &key("Home.Box", "serial", "x", "X", true, &mine)).await, 1);
    let grant = |on: &str, actions: &str| {
        format!(
            "INSERT INTO grants VALUES ('{ACCOUNT}', '{on}', '{ACCOUNT}', {actions}, now(), now())"
        )
    };
    for (sql, code) in [
        (grant(&theirs, "ARRAY['read']"), "23503"),
        (grant(OTHER_ACCOUNT, "ARRAY['read']"), "23503"),
        (grant(&mine, "ARRAY[]::text[]"), "23514"),
        (grant(&mine, "ARRAY['Read']"), "23514"),
        (grant(&mine, "ARRAY['read', NULL]"), "23514"),
        (grant(&mine, "ARRAY['']"), "23514"),
        (grant(&mine, "array_fill('read'::text, ARRAY[17])"), "23514"),
    ] {
        assert_eq!(refusal(&mut superuser, &sql).await.0, code, "{sql}");
    }
    assert_eq!(run(&mut superuser, &grant(&mine, "ARRAY['*', 'stock:take']")).await, 1);
}

/// URNs and unique values are unique across accounts; a conflict reveals only that one is taken.
#[tokio::test]
async fn a_taken_name_or_value_of_another_account_is_refused_without_telling_whose_it_is() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    run(&mut runtime, &begin_as(&ATTACKER)).await;
    let (code, text) = refusal(&mut runtime, &resource(&room('b'), ACCOUNT)).await;
    assert_eq!(code, "23505", "{text}");
    let value = format!("b {SECRET}");
    let sql = format!(
        "INSERT INTO unique_key_values VALUES ('Home.Box', 'serial', '{value}', '{value}', false, '{}',
         '{ACCOUNT}', now(), now())",
        box_in_room('a'),
    );
    let (code, text) = refusal(&mut runtime, &sql).await;
    assert_eq!(code, "23505", "{text}");
    assert!(!text.contains(OTHER_ACCOUNT) && !text.contains(&box_in_room('b')), "{text}");
    assert_eq!(run(&mut runtime, &format!("{sql} ON CONFLICT DO NOTHING")).await, 0);
    let holder = "SELECT count(*) FROM unique_key_values WHERE value LIKE 'b %'";
    assert_eq!(number(&mut runtime, holder).await, 0);
}

#[tokio::test]
async fn functions_across_accounts_tell_names_and_nothing_else() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let sql = "SELECT count(*) FROM resources_behind('', '', 100)";
    assert_eq!(number(&mut runtime, sql).await, 4);
    assert_eq!(number(&mut runtime, "SELECT count(*) FROM open_deletions(100)").await, 2);
    for table in ["resources", "resource_deletions"] {
        let sql = format!("SELECT count(*) FROM {table}");
        assert_eq!(number(&mut runtime, &sql).await, 0, "{table} is as hidden as before");
    }
}
