//! Taps and page views of tags, as the database does them.

use sqlx::PgConnection;

use crate::{
    isolation::world::{HOUSEHOLD, OTHER_HOUSEHOLD, OTHER_URL_ID, URL_ID, USER, inhabited},
    support::{begin_as, number, refused, run, texts},
};

/// Taps in its own transaction: result, remaining quantity, and applied delta.
async fn tap(runtime: &mut PgConnection, settings: &[(&str, &str)], nonce: &str) -> String {
    run(runtime, &begin_as(&[settings, &[("at", "2031-05-06T07:08:09.123Z")]].concat())).await;
    let sql = format!(
        "SELECT concat_ws(' ', result, item->>'quantity', applied_hundredths)
         FROM tap_tag('{nonce}', -1, 9999999999, '2031-05-07T07:08:09Z')"
    );
    let came = texts(runtime, &sql).await.remove(0);
    run(runtime, "COMMIT").await;
    came
}

#[tokio::test]
async fn a_tap_needs_nothing_but_the_address_and_happens_once_per_nonce() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    let held = [("url_id", URL_ID)];
    assert_eq!(tap(&mut runtime, &held, "first-tap").await, "done 0.00 -100");
    assert_eq!(tap(&mut runtime, &held, "first-tap").await, "repeated 0.00 -100");
    assert_eq!(tap(&mut runtime, &held, "other-tap").await, "done 0.00 0");
    assert_eq!(tap(&mut runtime, &[("url_id", OTHER_URL_ID)], "first-tap").await, "done 0.00 -100");

    // The audit row has no user, and `updated_by` is unchanged.
    let sql = format!(
        "SELECT concat_ws(' ', action, COALESCE(changed_by::text, 'nobody'), changed_at AT TIME ZONE 'UTC',
           new_values->>'version', new_values->>'updated_by' = '{USER}')
         FROM inventory_audit WHERE inventory_id = '{HOUSEHOLD}' ORDER BY sequence OFFSET 1"
    );
    let trail = texts(&mut database.superuser().await, &sql).await;
    assert_eq!(trail, ["UPDATE nobody 2031-05-06 07:08:09.123 2 t"]);
}

#[tokio::test]
async fn without_an_address_that_somebody_knows_there_is_nothing_to_tap() {
    let database = inhabited().await;
    let mut runtime = database.runtime().await;
    assert_eq!(tap(&mut runtime, &[], "first-tap").await, "unknown");
    assert_eq!(tap(&mut runtime, &[("url_id", "")], "first-tap").await, "unknown");
    assert_eq!(tap(&mut runtime, &[("household_id", HOUSEHOLD)], "first-tap").await, "unknown");
    let unknown = [("url_id", "0ccccccccccccccccccccc")];
    assert_eq!(tap(&mut runtime, &unknown, "first-tap").await, "unknown");
}

/// The statement that records `times` views of one tag's page.
fn opened(household: &str, url: &str, times: u32, last: &str) -> String {
    format!(
        "SELECT record_tag_accesses(ARRAY[household_id], ARRAY[item_id], ARRAY['{url}'], ARRAY[{times}],
           ARRAY['{last}'::timestamptz])
         FROM tags WHERE household_id = '{household}'"
    )
}

#[tokio::test]
async fn a_rotated_tag_stays_rotated() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let set = |at: &str, by: &str| {
        format!(
            "UPDATE nfc_urls SET rotated_at = {at}, rotated_by = {by} WHERE url_id = '{URL_ID}'"
        )
    };
    run(&mut superuser, &set("NULL", "NULL")).await;
    run(&mut superuser, &set("now()", &format!("'{USER}'"))).await;
    let (code, text) = refused(&mut superuser, &set("NULL", "NULL")).await;
    assert_eq!(
        (code.as_str(), text.as_str()),
        ("23514", "a rotated tag cannot become active again")
    );
    run(&mut superuser, &set("now()", &format!("'{USER}'"))).await;
}

#[tokio::test]
async fn page_views_of_any_household_are_counted_and_show_nothing() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let mut runtime = database.runtime().await;
    // The owners of the tags, which the run-time role has from showing their pages.
    let sql = "SELECT format('(%L::uuid, %L::uuid)', household_id, item_id) FROM nfc_urls";
    let known = texts(&mut superuser, sql).await.join(", ");
    let tags = format!("CREATE TEMP TABLE tags (household_id, item_id) AS VALUES {known}");
    run(&mut runtime, &tags).await;
    for told in [
        opened(HOUSEHOLD, URL_ID, 1, "2031-01-01T00:00:00Z"),
        opened(OTHER_HOUSEHOLD, OTHER_URL_ID, 5, "2031-01-02T00:00:00Z"),
        // An earlier view reported later does not turn the time back.
        opened(OTHER_HOUSEHOLD, OTHER_URL_ID, 1, "2030-01-01T00:00:00Z"),
        // A wrong household, and an unknown tag.
        opened(HOUSEHOLD, OTHER_URL_ID, 100, "2032-01-01T00:00:00Z"),
        opened(HOUSEHOLD, "0ccccccccccccccccccccc", 100, "2032-01-01T00:00:00Z"),
    ] {
        run(&mut runtime, &told).await;
    }
    assert_eq!(number(&mut runtime, "SELECT count(*) FROM nfc_urls").await, 0);
    let counts = "SELECT concat_ws(' ', url_id, access_count, last_accessed_at AT TIME ZONE 'UTC')
                  FROM nfc_urls ORDER BY 1";
    let expected = [
        format!("{URL_ID} 1 2031-01-01 00:00:00"),
        format!("{OTHER_URL_ID} 6 2031-01-02 00:00:00"),
    ];
    assert_eq!(texts(&mut superuser, counts).await, expected);
}

#[tokio::test]
async fn what_breaks_a_rule_of_tags_is_refused() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    for (set, code) in [
        ("url_id = 'short'", "23514"),
        ("url_id = '0aaaaaaaaaaaaaaaaaaaa_'", "23514"),
        ("label = repeat('x', 51)", "22001"),
        ("step = 0", "23514"),
        ("step = 1000.01", "23514"),
        ("rotated_at = now()", "23514"),
        ("rotated_by = created_by", "23514"),
        ("access_count = -1", "23514"),
    ] {
        let sql = format!("UPDATE nfc_urls SET {set} WHERE household_id = '{HOUSEHOLD}'");
        assert_eq!(refused(&mut superuser, &sql).await.0, code, "{set}");
    }
}
