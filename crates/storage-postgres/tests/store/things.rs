//! Resources to try things with.

use larder_domain::{
    Attributes, HouseholdId, ParentChildRelationship, Resource, ResourceType, SchemaVersion,
    UniqueKeys, Urn, UrnDomain, UserId,
};
use larder_storage::{AccountScope, Clock, CreateResource, ManualClock, Resources, Write};
use larder_storage_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

pub(crate) fn scope() -> AccountScope {
    let account = Urn::of_household(HouseholdId::fixed(2));
    AccountScope::assume_authorized(account, UserId::fixed(1))
}

pub(crate) fn thing(n: u128) -> Urn {
    let resource_type = ResourceType::parse("Home.Thing").unwrap();
    Urn::new(UrnDomain::larder(), resource_type, Uuid::from_u128(n))
}

/// Creates a resource, with or without a parent.
pub(crate) async fn make(
    store: &PostgresStore,
    n: u128,
    parent: Option<u128>,
    clock: &ManualClock,
) -> CreateResource {
    let resource = Resource {
        urn: thing(n),
        account: scope().account().clone(),
        parent: parent.map(thing),
        schema_version: SchemaVersion::FIRST,
        version: 1,
        unique_keys: UniqueKeys::default(),
        attributes: Attributes::default(),
        created_at: clock.now(),
        updated_at: clock.now(),
    };
    store.create_resource(&scope(), &resource, Write::at(clock.now())).await.unwrap()
}

pub(crate) fn under(parent: u128, child: u128) -> ParentChildRelationship {
    ParentChildRelationship::new(thing(parent), thing(child)).unwrap()
}

/// A tree of `count` things from 0 on; `parent` is SQL for the number of thing `n`'s parent. Every
/// fifth has a number, and every other one is a member of thing 1,000,000, which is in no tree.
pub(crate) async fn grow(superuser_url: &str, count: u32, parent: &str) {
    let account = scope().account().clone();
    let urn = |n: &str| {
        format!("('urn:pp:Home.Thing::00000000-0000-0000-0000-' || lpad(to_hex({n}), 12, '0'))")
    };
    let (this, parent, outside) = (urn("n"), urn(parent), urn("1000000"));
    let sql = format!(
        "CREATE TEMP TABLE tree AS SELECT n FROM generate_series(0, {count} - 1) AS n;
         INSERT INTO resources (urn, account_urn, schema_version, attributes, created_at, updated_at)
           SELECT urn, '{account}', 1, '{{}}', '2026-01-01Z', '2026-01-01Z'
           FROM (SELECT {this} AS urn FROM tree UNION ALL SELECT {outside}) AS things;
         INSERT INTO parent_child_relationships
           SELECT {this}, {parent}, '{account}', now() FROM tree WHERE n > 0;
         INSERT INTO unique_key_values
           SELECT 'Home.Thing', 'number', n, n, false, {this}, '{account}', now(), now() FROM tree
           WHERE n % 5 = 0;
         INSERT INTO collection_member_relationships
           SELECT '{account}', {outside}, {this}, false, now() FROM tree WHERE n % 2 = 0;
         ANALYZE"
    );
    let mut superuser = PgConnection::connect(superuser_url).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut superuser).await.unwrap();
}

/// Numbers of rows: resources, links to parents, memberships, and unique values.
pub(crate) async fn rows(superuser_url: &str) -> Vec<i64> {
    let sql = "SELECT ARRAY[(SELECT count(*) FROM resources),
                 (SELECT count(*) FROM parent_child_relationships),
                 (SELECT count(*) FROM collection_member_relationships),
                 (SELECT count(*) FROM unique_key_values)]";
    let mut superuser = PgConnection::connect(superuser_url).await.unwrap();
    sqlx::query_scalar(sql).fetch_one(&mut superuser).await.unwrap()
}
