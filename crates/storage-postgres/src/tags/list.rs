//! Lists of tags, newest first.

use jiff::Timestamp;
use larder_domain::{ItemId, NfcUrl, TagPosition};
use larder_storage::{HouseholdScope, Page, Result};

use super::row::{TagRow, query_tags};
use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid, types::Instant};

impl PostgresStore {
    pub(super) async fn tags_of_item(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let (made_before, id_below) = beginning(after);
        let rows = query_tags!(
            "SELECT",
            "FROM nfc_urls t
             WHERE t.household_id = $1 AND t.item_id = $2
             AND (t.created_at, t.url_id) < ($3, $4)
             ORDER BY t.created_at DESC, t.url_id DESC LIMIT $5",
            uuid(scope.household()),
            uuid(item),
            made_before as _,
            id_below,
            one_more_than(limit),
        );
        page(rows.fetch_all(&mut transaction).await?, limit)
    }

    pub(super) async fn tags_of_household(
        &self,
        scope: HouseholdScope,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let (made_before, id_below) = beginning(after);
        let rows = query_tags!(
            "SELECT",
            "FROM nfc_urls t
             WHERE t.household_id = $1
             AND (t.created_at, t.url_id) < ($2, $3)
             ORDER BY t.created_at DESC, t.url_id DESC LIMIT $4",
            uuid(scope.household()),
            made_before as _,
            id_below,
            one_more_than(limit),
        );
        page(rows.fetch_all(&mut transaction).await?, limit)
    }
}

/// Exclusive start of a page; the first starts beyond every possible tag. Passed as values, because
/// below a policy the planner does not use a condition with COALESCE as an index range.
fn beginning(after: Option<&TagPosition>) -> (Instant, String) {
    after.map_or((Instant(Timestamp::MAX), String::new()), |after| {
        (Instant(after.created_at), after.id.reveal())
    })
}

fn one_more_than(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1
}

fn page(rows: Vec<TagRow>, limit: usize) -> Result<Page<NfcUrl, TagPosition>, Failure> {
    let tags = rows.into_iter().map(TagRow::into_tag).collect::<Result<Vec<_>>>()?;
    Ok(Page::cut(tags, limit, TagPosition::of))
}
