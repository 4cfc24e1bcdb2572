//! Lots of one name from before there were products: what they say becomes the product's, and going
//! back and forth loses nothing of it.

use larder_storage_postgres::migrate::{UpOptions, down, up};
use sqlx::PgConnection;

use crate::{
    isolation::world::{ATTACKER, HOUSEHOLD, USER, inhabited},
    support::{begin_as, run, texts},
};

/// The last schema without products.
const BEFORE: i64 = 13;

/// Three lots with other spellings, dates, thresholds and shops, and notifications of two of them and
/// of one that is gone.
async fn add_lots(superuser: &mut PgConnection) {
    let lot = |number: u8, name: &str, until: &str, threshold: &str, shop: &str| {
        format!(
            "INSERT INTO inventory_items (id, household_id, name, name_folded, quantity, unit,
               category_id, expiration_date, low_stock_threshold, preferred_store_id, created_by,
               created_at, updated_by)
             VALUES ('00000000-0000-4000-8000-00000000000{number}', '{HOUSEHOLD}', '{name}', 'milk',
               1, 'L', '1a4de400-0000-4000-8000-000000000009', {until}, {threshold}, {shop}, '{USER}',
               '2026-01-0{number}T00:00:00Z', '{USER}');"
        )
    };
    let notification = |number: u8| {
        format!(
            "INSERT INTO notifications (id, household_id, item_id, item_name, kind, quantity,
               threshold, unit, created_at)
             VALUES (gen_random_uuid(), '{HOUSEHOLD}', '00000000-0000-4000-8000-00000000000{number}',
               'milk {number}', 'low_stock', 1, 2, 'L', '2026-02-0{number}T00:00:00Z');"
        )
    };
    let shop = format!("(SELECT id FROM stores WHERE household_id = '{HOUSEHOLD}')");
    let statements = [
        lot(1, "Milk", "'2031-03-01'", "2", "NULL"),
        lot(2, "MILK", "'2031-03-05'", "NULL", &shop),
        lot(3, "milk", "NULL", "5", "NULL"),
        notification(1),
        notification(3),
        notification(4),
    ];
    let begin = begin_as(&ATTACKER);
    run(superuser, &format!("{begin}; {} COMMIT", statements.concat())).await;
}

async fn lots(superuser: &mut PgConnection) -> Vec<String> {
    let sql =
        "SELECT concat_ws(' ', i.name, i.expiration_date, i.low_stock_threshold, btrim(s.name))
               FROM inventory_items i LEFT JOIN stores s ON s.id = i.preferred_store_id
               WHERE i.name_folded = 'milk' ORDER BY i.created_at";
    texts(superuser, sql).await
}

async fn products(superuser: &mut PgConnection) -> Vec<String> {
    let sql =
        "SELECT concat_ws(' ', p.name, p.unit, p.low_stock_threshold, btrim(s.name), count(i.id))
               FROM products p LEFT JOIN stores s ON s.id = p.preferred_store_id
               LEFT JOIN inventory_items i ON i.product_id = p.id
               WHERE p.name_folded = 'milk' GROUP BY p.id, s.name";
    texts(superuser, sql).await
}

/// The open notifications, each with the number of lots that its product has.
async fn open(superuser: &mut PgConnection) -> Vec<String> {
    let sql = "SELECT concat_ws(' ', n.item_name,
                 (SELECT count(*) FROM inventory_items i WHERE i.product_id = n.product_id))
               FROM notifications n WHERE n.resolved_at IS NULL AND n.item_name LIKE 'milk %'
               ORDER BY n.created_at";
    texts(superuser, sql).await
}

#[tokio::test]
async fn what_lots_of_one_name_say_becomes_the_products_and_stays() {
    let database = inhabited().await;
    let mut superuser = database.superuser().await;
    let role = Some("larder_schema_tests".to_owned());
    let options = UpOptions { runtime_role: role, ..UpOptions::default() };
    down(&database.owner_url, BEFORE).await.unwrap();
    add_lots(&mut superuser).await;

    let known = ["Milk L 5.00 market 3"];
    let told = ["Milk 2031-03-01 5.00 market", "Milk 2031-03-05 5.00 market", "Milk 5.00 market"];
    // The oldest notification of the three lots is that of the product.
    let one = ["milk 1 3"];
    for _ in 0..2 {
        up(&database.owner_url, &options).await.unwrap();
        assert_eq!(products(&mut superuser).await, known);
        assert_eq!(lots(&mut superuser).await, told);
        assert_eq!(open(&mut superuser).await, one);
        down(&database.owner_url, BEFORE).await.unwrap();
        assert_eq!(lots(&mut superuser).await, told, "an earlier program sees the same");
        let still_open = "SELECT item_name FROM notifications
                          WHERE resolved_at IS NULL AND item_name LIKE 'milk %'";
        assert_eq!(texts(&mut superuser, still_open).await, ["milk 1"]);
    }
    let versions = "SELECT version::text FROM inventory_items WHERE name_folded = 'milk'
                    ORDER BY created_at";
    assert_eq!(texts(&mut superuser, versions).await, ["2", "2", "2"], "each has changed once");
}
