//! Tags and taps. Lock order: the item first, then its tags in order of their ids.

mod change;
mod rotate;
mod row;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    HouseholdId, Item, ItemId, ItemName, NfcUrl, Quantity, TagLabel, TagPatch, TagPosition,
    TapDirection, UrlId,
};
use larder_storage::{
    HeldTag, HouseholdScope, NewTag, NewTap, Page, Result, RotateTag, StorageError, TagAccesses,
    Tags, Tap, TapDone, UpdateTag, Write, WriteKind,
};
use row::{TagRow, query_tags};

use crate::{
    PostgresStore,
    context::Context,
    database::one_more,
    failure::Failure,
    ids::{inventory_id, uuid},
    items::{ItemRow, query_items},
    json,
    transaction::Transaction,
    types::Instant,
};

#[async_trait]
impl Tags for PostgresStore {
    async fn add_tag(
        &self,
        scope: HouseholdScope,
        tag: &NewTag,
        write: Write<'_>,
    ) -> Result<Option<NfcUrl>> {
        self.retry(|| async move {
            let context = Context::of_member(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            transaction.claim(scope.actor(), write).await?;
            // Locked, so that the item is not renamed before the commit.
            let row = query_tags!(
                "WITH item AS (
                     SELECT i.name FROM inventory_items i WHERE i.household_id = $2 AND i.id = $3
                     FOR SHARE
                 )
                 INSERT INTO nfc_urls AS t
                     (url_id, household_id, item_id, item_name, label, step, created_by, created_at)
                 SELECT $1, $2, $3, item.name, $4, $5::bigint / 100.0, $6, $7 FROM item
                 RETURNING",
                "",
                tag.id.reveal(),
                uuid(scope.household()),
                uuid(tag.item),
                tag.label.as_ref().map(TagLabel::as_str),
                tag.step.hundredths(),
                uuid(scope.actor()),
                Instant(write.at) as _,
            );
            let row = row.fetch_optional(&mut transaction).await?;
            let Some(tag) = row.map(TagRow::into_tag).transpose()? else { return Ok(None) };
            transaction.commit_with(scope.actor(), write, WriteKind::TAG_ADDED, &tag).await?;
            Ok(Some(tag))
        })
        .await
    }

    async fn list_item_tags(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        self.retry(|| async move {
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
                one_more(limit),
            );
            page(rows.fetch_all(&mut transaction).await?, limit)
        })
        .await
    }

    async fn list_tags(
        &self,
        scope: HouseholdScope,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        self.retry(|| async move {
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
                one_more(limit),
            );
            page(rows.fetch_all(&mut transaction).await?, limit)
        })
        .await
    }

    async fn rotate_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag> {
        self.retry(|| self.replace_tag(scope, item, old, new, write)).await
    }

    async fn update_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        patch: &TagPatch,
        write: Write<'_>,
    ) -> Result<UpdateTag> {
        self.retry(|| self.change_tag(scope, url, patch, write)).await
    }

    async fn delete_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        write: Write<'_>,
    ) -> Result<bool> {
        self.retry(|| self.remove_tag(scope, url, write)).await
    }

    async fn find_held_tag(&self, url: UrlId) -> Result<Option<HeldTag>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_url(url)).await?;
            let row = query_tags!("SELECT", "FROM nfc_urls t WHERE t.url_id = $1", url.reveal(),);
            let Some(row) = row.fetch_optional(&mut transaction).await? else { return Ok(None) };
            let tag = row.into_tag()?;
            transaction.extend(Context::default().household(tag.household)).await?;
            let item = transaction.item_of_tag(&tag).await?;
            Ok(Some(HeldTag { tag, item }))
        })
        .await
    }

    async fn tap(&self, tap: NewTap<'_>) -> Result<Tap> {
        // One call of a function that finds the tag, detects a repeated nonce, and adjusts the
        // quantity. Four round trips, one more than other adjustments, because the URL is a
        // parameter.
        let outcome = self.retry(|| async move {
            let context = Context::of_url(tap.url).at(tap.at);
            let mut transaction = self.database.write(&context).await?;
            let direction = match tap.direction {
                TapDirection::Take => -1,
                TapDirection::PutBack => 1,
            };
            let row = sqlx::query!(
                r#"SELECT result AS "result!", item::text, applied_hundredths
                   FROM tap_tag($1, $2, $3, $4)"#,
                tap.nonce.as_str(),
                direction,
                Quantity::MAX.hundredths(),
                Instant(tap.remember_until) as _,
            )
            .fetch_one(&mut transaction)
            .await?;
            let item = || item_of(row.item.as_deref());
            let applied = || row.applied_hundredths.ok_or_else(|| defect("tells what was applied"));
            Ok(match row.result.as_str() {
                "done" => {
                    let (item, applied_hundredths) = (item()?, applied()?);
                    transaction.commit().await?;
                    Tap::Done(TapDone { item, applied_hundredths, is_repeated: false })
                }
                "repeated" => Tap::Done(TapDone {
                    item: item()?,
                    applied_hundredths: applied()?,
                    is_repeated: true,
                }),
                "unknown" => Tap::Unknown,
                "rotated" => Tap::Rotated,
                "deleted" => Tap::ItemDeleted,
                "overflow" => Tap::Overflow(item()?),
                _ => return Err(defect("has one of six results").into()),
            })
        });
        let outcome = outcome.await?;
        if let Tap::Done(TapDone { item, is_repeated: false, .. }) = &outcome {
            self.live.changed(inventory_id(item.owner));
        }
        Ok(outcome)
    }

    async fn record_accesses(&self, accesses: &[TagAccesses]) -> Result<()> {
        if accesses.is_empty() {
            return Ok(());
        }
        self.retry(|| async move {
            let households: Vec<_> = accesses.iter().map(|of| uuid(of.household)).collect();
            let items: Vec<_> = accesses.iter().map(|of| uuid(of.item)).collect();
            let urls: Vec<_> = accesses.iter().map(|of| of.url.reveal()).collect();
            let counts: Vec<_> =
                accesses.iter().map(|of| i64::try_from(of.count).unwrap_or(i64::MAX)).collect();
            let last: Vec<_> = accesses.iter().map(|of| Instant(of.last_at)).collect();
            let mut transaction = self.database.write(&Context::of_server()).await?;
            sqlx::query!(
                "SELECT record_tag_accesses($1, $2, $3, $4, $5)",
                &households,
                &items,
                &urls,
                &counts,
                last as _,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        })
        .await
    }
}

impl Transaction {
    /// Brings the tags of an item, which is locked, to its new name.
    pub(crate) async fn rename_tags(
        &mut self,
        household: HouseholdId,
        item: ItemId,
        name: &ItemName,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "WITH named AS (
                 SELECT url_id FROM nfc_urls WHERE household_id = $1 AND item_id = $2
                 ORDER BY url_id FOR NO KEY UPDATE
             )
             UPDATE nfc_urls t SET item_name = $3 FROM named WHERE t.url_id = named.url_id",
            uuid(household),
            uuid(item),
            name.as_str(),
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// The item of a tag whose household is in the context; `None` if it was deleted.
    async fn item_of_tag(&mut self, tag: &NfcUrl) -> Result<Option<Item>, Failure> {
        let row = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.household_id = $1 AND i.id = $2",
            uuid(tag.household),
            uuid(tag.item),
        );
        Ok(row.fetch_optional(self).await?.map(ItemRow::into_item).transpose()?)
    }
}

/// Exclusive start of a page; the first starts beyond every possible tag. Passed as values, because
/// below a policy the planner does not use a condition with COALESCE as an index range.
fn beginning(after: Option<&TagPosition>) -> (Instant, String) {
    after.map_or((Instant(Timestamp::MAX), String::new()), |after| {
        (Instant(after.created_at), after.id.reveal())
    })
}

fn page(rows: Vec<TagRow>, limit: usize) -> Result<Page<NfcUrl, TagPosition>, Failure> {
    let tags = rows.into_iter().map(TagRow::into_tag).collect::<Result<Vec<_>>>()?;
    Ok(Page::cut(tags, limit, TagPosition::of))
}

fn item_of(image: Option<&str>) -> Result<Item> {
    let image = image.ok_or_else(|| defect("tells what the item is"))?;
    json::decode(image)
}

fn defect(promise: &str) -> StorageError {
    StorageError::Defect(format!("a tap {promise}"))
}
