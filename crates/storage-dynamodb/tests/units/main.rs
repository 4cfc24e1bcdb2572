//! The cost of every operation, counted on DynamoDB Local and compared with the table in
//! `docs/dynamodb.md`, so that a change which makes one more expensive is noticed.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's helpers fail by panicking, and play the part of authorization"
)]

mod documented;
mod family;
mod row;
mod operations {
    pub(crate) mod accounts;
    pub(crate) mod grants;
    pub(crate) mod households;
    pub(crate) mod items;
    pub(crate) mod lists;
    pub(crate) mod notices;
    pub(crate) mod places;
    pub(crate) mod program_tokens;
    pub(crate) mod resources;
    pub(crate) mod shopping;
    pub(crate) mod tags;
    pub(crate) mod telemetry;
}

use family::Family;

#[tokio::test]
async fn every_operation_costs_what_the_documentation_says() {
    let family = Family::open("units-").await;
    operations::accounts::measure(&family).await;
    operations::households::measure(&family).await;
    operations::places::measure(&family).await;
    Box::pin(operations::items::measure(&family)).await;
    operations::shopping::measure(&family).await;
    operations::tags::measure(&family).await;
    operations::notices::measure(&family).await;
    operations::telemetry::measure(&family).await;
    operations::resources::measure(&family).await;
    operations::lists::measure(&family).await;
    operations::items::measure_opening(&family).await;
    operations::notices::measure_listing(&family).await;
    operations::program_tokens::measure(&family).await;
    let counted = family.into_rows();
    let documented = documented::rows();
    let differences = documented::differences(&documented, &counted);
    assert!(
        differences.is_empty(),
        "{}\n\nThe table as counted, for docs/dynamodb.md:\n\n{}",
        differences.join("\n"),
        documented::table(&counted)
    );
}

#[test]
fn every_port_method_that_asks_the_database_has_a_row() {
    let documented = documented::rows();
    let methods = documented::port_methods();
    assert!(methods.len() > 70, "the ports have more methods than {methods:?}");
    let missing: Vec<_> = methods
        .iter()
        .filter(|method| !documented.iter().any(|row| row.method == **method))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
}
