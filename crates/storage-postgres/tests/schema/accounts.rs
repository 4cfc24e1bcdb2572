//! The first account, and the columns that only its owner changes.

use larder_storage_postgres::migrate::{UpOptions, down, up};

use crate::{
    isolation::world::inhabited,
    support::{Migrated, number, texts},
};

const FIRST: &str = "SELECT count(*) FROM first_account";

fn role() -> UpOptions {
    let runtime_role = Some("larder_schema_tests".to_owned());
    UpOptions { runtime_role, ..UpOptions::default() }
}

#[tokio::test]
async fn a_database_from_before_has_its_first_account_only_if_it_has_any() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    down(&database.owner_url, 11).await.unwrap();
    up(&database.owner_url, &role()).await.unwrap();
    assert_eq!(number(&mut superuser, FIRST).await, 1);
    let confirmed = "SELECT DISTINCT format('%s %s %s', email_confirmed_at, mail_day, mail_count)
                     FROM users";
    assert_eq!(texts(&mut superuser, confirmed).await, ["  0"], "nobody's address is confirmed");

    let mut superuser = Migrated::fresh().await.superuser().await;
    assert_eq!(number(&mut superuser, FIRST).await, 0);
}
