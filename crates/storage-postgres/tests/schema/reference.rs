//! Reference data is the same on every engine.

use larder_domain::{CATEGORIES, SEEDED_LOCATIONS, text::fold};

use crate::support::{Migrated, texts};

#[tokio::test]
async fn the_categories_are_those_of_the_domain() {
    let database = Migrated::fresh().await;
    let sql = "SELECT concat_ws('|', id, name, name_en, icon, sort_order) FROM categories ORDER BY sort_order";
    let rows = texts(&mut database.runtime().await, sql).await;
    let expected = CATEGORIES
        .map(|c| format!("{}|{}|{}|{}|{}", c.id, c.name, c.name_en, c.icon, c.sort_order));
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn the_seeded_locations_are_those_of_the_domain() {
    let database = Migrated::fresh().await;
    let sql = "SELECT concat_ws('|', id, name, name_folded, name_en, icon, sort_order)
               FROM storage_locations ORDER BY sort_order";
    let rows = texts(&mut database.runtime().await, sql).await;
    let expected = SEEDED_LOCATIONS.map(|l| {
        format!("{}|{}|{}|{}|{}|{}", l.id, l.name, fold(l.name), l.name_en, l.icon, l.sort_order)
    });
    assert_eq!(rows, expected);
}
