//! A tag as its holder sees it.

use larder_domain::{Item, NfcUrl, UrlId};
use larder_storage::{HeldTag, Result};

use super::row::query_tags;
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::uuid,
    items::{ItemRow, query_items},
    transaction::Transaction,
};

impl PostgresStore {
    pub(super) async fn held_tag(&self, url: UrlId) -> Result<Option<HeldTag>, Failure> {
        let mut transaction = self.database.read(&Context::of_url(url)).await?;
        let row = query_tags!("SELECT", "FROM nfc_urls t WHERE t.url_id = $1", url.reveal(),);
        let Some(row) = row.fetch_optional(&mut transaction).await? else { return Ok(None) };
        let tag = row.into_tag()?;
        transaction.extend(Context::default().household(tag.household)).await?;
        let item = transaction.item_of_tag(&tag).await?;
        Ok(Some(HeldTag { tag, item }))
    }
}

impl Transaction {
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
