//! The two roles: one migrates, one serves.

use larder_storage_postgres::migrate::{
    Error, Password, RoleProblem, UpOptions, check_runtime_role, down, up,
};
use sqlx::PgConnection;

use crate::support::{Migrated, NEWEST, connect, empty_database, refused, run, texts};

fn role(name: &str) -> UpOptions {
    UpOptions { runtime_role: Some(name.to_owned()), ..UpOptions::default() }
}

#[tokio::test]
async fn a_new_role_can_log_in_and_do_nothing_that_it_need_not() {
    let database = empty_database().await;
    let report = up(&database.owner_url, &role("larder_new")).await.unwrap();
    assert_eq!(report.runtime_role.name, "larder_new");
    assert!(report.runtime_role.has_password);
    assert!(!format!("{report:?}").contains(&report.runtime_role.url), "{report:?}");
    let mut runtime = connect(&report.runtime_role.url).await;
    check_runtime_role(&mut runtime).await.unwrap();
    let sql = "SELECT format('%s %s %s %s %s %s', rolcanlogin, rolsuper, rolbypassrls, rolcreatedb,
                 rolcreaterole, rolreplication) FROM pg_roles WHERE rolname = current_user";
    assert_eq!(texts(&mut runtime, sql).await, ["t f f f f f"]);
    for sql in [
        "CREATE TABLE mine ()",
        "TRUNCATE inventory_items",
        "ALTER TABLE inventory_items DISABLE ROW LEVEL SECURITY",
        "DROP POLICY inventory_household_isolation ON inventory_items",
        "ALTER TABLE inventory_items DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "SET ROLE larder_owner",
        "DELETE FROM users",
        "UPDATE users SET email = email",
        "UPDATE inventory_items SET created_by = updated_by",
        "INSERT INTO outbox VALUES (gen_random_uuid(), 1, 'item', gen_random_uuid())",
        "UPDATE change_sequences SET sequence = 0",
        "DELETE FROM inventory_audit",
        "DELETE FROM categories",
        "SELECT fn_record_change(gen_random_uuid(), 'item', gen_random_uuid(), NULL, '{}')",
        "DELETE FROM _sqlx_migrations",
        "UPDATE devices SET household_id = NULL",
        "UPDATE devices SET confirmation_id = last_boot_id",
        "UPDATE api_keys SET api_key_hash = api_key_hash",
        "DELETE FROM device_readings",
        "UPDATE device_readings SET timestamp_ms = 0",
        "SELECT FROM device_readings_default",
        "INSERT INTO device_readings_default SELECT * FROM device_readings",
        "SELECT fn_drop_week(0, 0)",
        "UPDATE resources SET account_urn = account_urn",
        "UPDATE resources SET urn = urn",
        "UPDATE resources SET created_at = created_at",
        "UPDATE parent_child_relationships SET child_urn = parent_urn",
        "UPDATE unique_key_values SET value = given_value",
        "UPDATE grants SET principal_urn = resource_urn",
        "UPDATE resource_deletions SET root_urn = account_urn",
        "DELETE FROM resource_deletions",
    ] {
        let (code, text) = refused(&mut runtime, sql).await;
        assert_eq!(code, "42501", "{sql}: {text}");
    }
}

#[tokio::test]
async fn an_existing_role_keeps_its_password_until_it_is_reset() {
    let database = empty_database().await;
    let first = up(&database.owner_url, &role("larder_kept")).await.unwrap().runtime_role;
    let again = up(&database.owner_url, &role("larder_kept")).await.unwrap().runtime_role;
    assert!(!again.has_password);
    assert!(again.url.contains("//larder_kept@"), "{}", again.url);
    connect(&first.url).await;

    let reset = UpOptions { reset_password: true, ..role("larder_kept") };
    let reset = up(&database.owner_url, &reset).await.unwrap().runtime_role;
    assert_ne!(reset.url, first.url);
    connect(&reset.url).await;
    assert_login_fails(&first.url).await;

    let given = UpOptions { password: Some(Password::new("ü: 'x'\\")), ..role("larder_kept") };
    let given = up(&database.owner_url, &given).await.unwrap().runtime_role;
    assert!(given.url.contains("%C3%BC%3A%20'x'%5C@"), "{}", given.url);
    connect(&given.url).await;
    assert_login_fails(&reset.url).await;
}

async fn assert_login_fails(url: &str) {
    use sqlx::Connection;
    let error = PgConnection::connect(url).await.expect_err("the old password is void");
    let code = error.as_database_error().and_then(|error| error.code().map(String::from));
    assert_eq!(code.as_deref(), Some("28P01"), "{error}");
}

#[tokio::test]
async fn rights_that_the_role_should_not_have_are_taken_back() {
    let database = empty_database().await;
    up(&database.owner_url, &role("larder_too_much")).await.unwrap();
    let mut owner = connect(&database.owner_url).await;
    run(&mut owner, "GRANT ALL ON ALL TABLES IN SCHEMA public TO larder_too_much").await;
    run(&mut owner, "GRANT UPDATE (email) ON users TO larder_too_much").await;
    up(&database.owner_url, &role("larder_too_much")).await.unwrap();
    let sql = "SELECT has_table_privilege('larder_too_much', 'inventory_items', 'TRUNCATE')::text
               UNION ALL SELECT has_column_privilege('larder_too_much', 'users', 'email', 'UPDATE')::text
               UNION ALL SELECT has_column_privilege('larder_too_much', 'users', 'role', 'UPDATE')::text";
    assert_eq!(texts(&mut owner, sql).await, ["false", "false", "true"]);
}

#[tokio::test]
async fn an_owner_who_may_not_create_roles_is_told_what_to_run() {
    let database = empty_database().await;
    let mut superuser = connect(&database.superuser_url).await;
    run(&mut superuser, "CREATE ROLE plain_owner LOGIN PASSWORD 'plain'").await;
    let (name, url) = (&database.name, database.url("plain_owner", "plain"));
    let error = up(&url, &role("larder_absent")).await.unwrap_err();
    assert!(matches!(error, Error::MayNotCreate { .. }), "{error}");
    assert!(
        error.to_string().ends_with("GRANT CREATE ON SCHEMA public TO \"plain_owner\""),
        "{error}"
    );

    run(&mut superuser, &format!("ALTER DATABASE {name} OWNER TO plain_owner")).await;
    let error = up(&url, &role("larder_absent")).await.unwrap_err();
    assert!(matches!(error, Error::MayNotCreateRole { .. }), "{error}");
    assert!(error.to_string().contains("CREATE ROLE \"larder_absent\" LOGIN PASSWORD"), "{error}");

    run(&mut superuser, "CREATE ROLE larder_absent LOGIN PASSWORD 'made by hand'").await;
    let report = up(&url, &role("larder_absent")).await.unwrap();
    assert!(!report.runtime_role.has_password);
    let reset = UpOptions { reset_password: true, ..role("larder_absent") };
    let error = up(&url, &reset).await.unwrap_err();
    assert!(matches!(error, Error::MayNotSetPassword { .. }), "{error}");
    let mut runtime = connect(&database.url("larder_absent", "made%20by%20hand")).await;
    check_runtime_role(&mut runtime).await.unwrap();
}

#[tokio::test]
async fn a_role_that_row_level_security_does_not_bind_cannot_be_given_the_run_time_rights() {
    let database = empty_database().await;
    let mut superuser = connect(&database.superuser_url).await;
    run(&mut superuser, "CREATE ROLE unbound LOGIN BYPASSRLS").await;
    run(&mut superuser, "CREATE ROLE like_the_owner LOGIN IN ROLE larder_owner").await;
    for (name, why) in [
        ("postgres", "it is a superuser"),
        ("unbound", "it has BYPASSRLS"),
        ("larder_owner", "it owns the tables, or is a member of who does"),
        ("like_the_owner", "it owns the tables, or is a member of who does"),
    ] {
        let error = up(&database.owner_url, &role(name)).await.unwrap_err();
        assert!(
            matches!(&error, Error::UnfitRole { why: is, .. } if *is == why),
            "{name}: {error}"
        );
    }
}

#[tokio::test]
async fn a_server_refuses_to_serve_as_superuser_owner_or_beyond_row_level_security() {
    let database = Migrated::fresh().await;
    let mut superuser = database.superuser().await;
    let problem = check_runtime_role(&mut superuser).await.unwrap_err();
    assert!(matches!(&problem, RoleProblem::Superuser(name) if name == "postgres"), "{problem}");
    assert!(problem.to_string().contains("`larder migrate up` prints"), "{problem}");

    let mut owner = connect(&database.owner_url).await;
    let problem = check_runtime_role(&mut owner).await.unwrap_err();
    assert!(matches!(&problem, RoleProblem::Owner(name) if name == "larder_owner"), "{problem}");

    run(&mut superuser, "CREATE ROLE sees_all LOGIN BYPASSRLS PASSWORD 'x'").await;
    run(&mut superuser, "CREATE ROLE owns_by_membership LOGIN IN ROLE larder_owner PASSWORD 'x'")
        .await;
    run(&mut superuser, "CREATE ROLE stranger LOGIN PASSWORD 'x'").await;
    let problem = problem_of(&database, "sees_all").await;
    assert!(matches!(problem, RoleProblem::BypassesRowSecurity(_)), "{problem}");
    let problem = problem_of(&database, "owns_by_membership").await;
    assert!(matches!(problem, RoleProblem::Owner(_)), "{problem}");
    let problem = problem_of(&database, "stranger").await;
    assert!(matches!(problem, RoleProblem::NoRights(_)), "{problem}");
    assert!(problem.to_string().ends_with("--runtime-role stranger`"), "{problem}");
}

async fn problem_of(database: &Migrated, role: &str) -> RoleProblem {
    let mut connection = database.role(role, "x").await;
    check_runtime_role(&mut connection).await.expect_err("such a role must not serve")
}

#[tokio::test]
async fn a_server_refuses_a_schema_that_is_older_newer_or_other_than_its_own() {
    let database = Migrated::fresh().await;
    let mut runtime = database.runtime().await;
    check_runtime_role(&mut runtime).await.unwrap();

    down(&database.owner_url, NEWEST - 1).await.unwrap();
    let problem = check_runtime_role(&mut runtime).await.unwrap_err();
    assert!(matches!(problem, RoleProblem::NotMigrated(NEWEST)), "{problem}");
    assert!(problem.to_string().contains("run `larder migrate up --store"), "{problem}");

    let mut owner = connect(&database.owner_url).await;
    up(&database.owner_url, &role("larder_schema_tests")).await.unwrap();
    run(
        &mut owner,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (900, 'from the future', true, '\\x00', 0)",
    )
    .await;
    let problem = check_runtime_role(&mut runtime).await.unwrap_err();
    assert!(matches!(problem, RoleProblem::Newer { version: 900, newest: NEWEST }), "{problem}");

    run(&mut owner, "DELETE FROM _sqlx_migrations WHERE version = 900").await;
    run(&mut owner, "UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 3").await;
    let problem = check_runtime_role(&mut runtime).await.unwrap_err();
    assert!(matches!(problem, RoleProblem::Changed(3)), "{problem}");

    let empty = empty_database().await;
    let mut empty = connect(&empty.owner_url).await;
    let problem = check_runtime_role(&mut empty).await.unwrap_err();
    assert!(matches!(problem, RoleProblem::NotMigrated(1)), "{problem}");
}
