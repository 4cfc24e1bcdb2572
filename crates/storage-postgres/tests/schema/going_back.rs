//! Going back to an earlier schema with data in the newer one.

use larder_storage_postgres::migrate::{UpOptions, down, up};

use crate::{
    isolation::world::{USER, inhabited},
    support::{NEWEST, number, run},
};

fn role() -> UpOptions {
    let runtime_role = Some("larder_schema_tests".to_owned());
    UpOptions { runtime_role, ..UpOptions::default() }
}

#[tokio::test]
async fn what_an_earlier_program_cannot_read_goes_with_the_schema_that_it_came_with() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    run(
        &mut superuser,
        &format!(
            "INSERT INTO idempotency_keys (user_id, key, request_hash, outcome, expires_at)
             SELECT '{USER}', outcome, 'hash', jsonb_build_object(outcome, '{{}}'::jsonb), now()
             FROM unnest(ARRAY['ItemAdded', 'ShoppingItemAdded', 'TagAdded', 'TagRotated',
               'NotificationAcknowledged', 'ResourceCreated']) AS outcome"
        ),
    )
    .await;
    let unknown = "SELECT count(*) FROM outbox
                   WHERE entity NOT IN ('household', 'member', 'item', 'location', 'store')";
    let known = "SELECT count(*) FROM outbox
                 WHERE entity IN ('household', 'member', 'item', 'location', 'store')";
    let kept = number(&mut superuser, known).await;
    assert!(number(&mut superuser, unknown).await >= 4);

    down(&database.owner_url, 5).await.unwrap();
    assert_eq!(number(&mut superuser, unknown).await, 0);
    assert_eq!(number(&mut superuser, known).await, kept);
    let outcomes = "SELECT count(*) FROM idempotency_keys WHERE outcome IS NOT NULL";
    assert_eq!(number(&mut superuser, outcomes).await, 1);

    up(&database.owner_url, &role()).await.unwrap();
    assert_eq!(number(&mut superuser, "SELECT count(*) FROM shopping_list_items").await, 0);
}

#[tokio::test]
async fn what_people_have_entered_stands_in_the_way_of_no_migration() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let items = "SELECT count(*) FROM inventory_items";
    let entered = number(&mut superuser, items).await;
    for version in (1..NEWEST).rev() {
        down(&database.owner_url, version).await.unwrap();
        assert_eq!(number(&mut superuser, items).await, entered, "down to {version}");
        up(&database.owner_url, &role()).await.unwrap();
        assert_eq!(number(&mut superuser, items).await, entered, "up from {version}");
    }
    down(&database.owner_url, 0).await.unwrap();
}
