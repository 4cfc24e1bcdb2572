//! Sessions from before they had names, and changes of an account.

use larder_storage_postgres::migrate::{UpOptions, down, up};

use crate::{
    isolation::world::{HOUSEHOLD, HOUSEMATE, USER, inhabited},
    support::{begin_as, number, refused, run, texts},
};

#[tokio::test]
async fn sessions_from_before_are_nameless_ones_of_tokens() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    down(&database.owner_url, 10).await.unwrap();
    let runtime_role = Some("larder_schema_tests".to_owned());
    let options = UpOptions { runtime_role, ..UpOptions::default() };
    up(&database.owner_url, &options).await.unwrap();
    let kinds = "SELECT DISTINCT format('%s %L', kind, label) FROM refresh_tokens";
    assert_eq!(texts(&mut superuser, kinds).await, ["tokens ''"]);
}

#[tokio::test]
async fn sessions_of_browsers_go_with_the_schema_that_they_came_with() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let count = "SELECT count(*) FROM refresh_tokens";
    let before = number(&mut superuser, count).await;
    let begin = format!(
        "INSERT INTO refresh_tokens (id, user_id, kind, label, token_hash, expires_at)
         VALUES (gen_random_uuid(), '{USER}', 'browser', 'Firefox', 'hash', now() + interval '1 day')"
    );
    run(&mut superuser, &begin).await;
    down(&database.owner_url, 10).await.unwrap();
    assert_eq!(number(&mut superuser, count).await, before);
}

#[tokio::test]
async fn names_and_passwords_are_changed_by_those_whose_they_are() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let as_user = begin_as(&[("user_id", USER), ("household_id", HOUSEHOLD)]);
    for change in [
        "name = 'Other'",
        "time_zone = 'Asia/Tokyo'",
        "language = 'ja'",
        "password_hash = 'other'",
        "email_confirmed_at = now()",
        "mail_day = now()::date, mail_count = 1",
    ] {
        run(&mut runtime, &as_user).await;
        let own = format!("UPDATE users SET {change} WHERE id = '{USER}'");
        assert_eq!(run(&mut runtime, &own).await, 1);
        let other = format!("UPDATE users SET {change} WHERE id = '{HOUSEMATE}'");
        let (code, text) = refused(&mut runtime, &other).await;
        assert_eq!(code, "42501", "{change}: {text}");
        run(&mut runtime, "ROLLBACK").await;
    }
}
