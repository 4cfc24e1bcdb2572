//! NFC tags: admins create, change, replace and delete them, and their holders may tap.

mod accesses;
mod address;
mod tapping;

use std::collections::{BTreeSet, HashMap};

use larder_domain::{Item, ItemId, NfcUrl, TagLabel, TagPatch, TagPosition, TagStep, UrlId};
use larder_storage::{
    HouseholdScope, IdempotencyClaim, NewTag, Page, RotateTag, RotatedTag, UpdateTag,
};

use crate::{App, AppError, Caller, Result, authorize};

pub(crate) use accesses::AccessCounter;
pub(crate) use address::TagKey;
pub use address::{TagAddress, TagDigest};
pub use tapping::OpenTag;

/// A page of tags.
type TagPage = Page<NfcUrl, TagPosition>;

impl App {
    /// Creates a tag of an item of the household. Without a step, it is as the product knows it, or
    /// one.
    pub async fn add_tag(
        &self,
        caller: &Caller,
        item: ItemId,
        label: Option<TagLabel>,
        step: Option<TagStep>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<NfcUrl> {
        let scope = scope_of_tags(caller)?.ok_or(AppError::HouseholdRequired)?;
        let step = match step {
            Some(step) => step,
            None => self.usual_step(caller, item).await?.unwrap_or(TagStep::ONE),
        };
        let tag = NewTag { id: self.entropy.id(), item, label, step };
        let added = self.storage.add_tag(scope, &tag, self.write(claim)).await?;
        self.notify_tags_changed(scope.household());
        added.ok_or(AppError::ItemNotFound)
    }

    /// The step of new tags of the product that an item belongs to.
    async fn usual_step(&self, caller: &Caller, item: ItemId) -> Result<Option<TagStep>> {
        let Some(product) = self.item(caller, item).await?.product else { return Ok(None) };
        match self.product(caller, product).await {
            Ok(found) => Ok(found.product.details.step.map(|step| step.0)),
            Err(AppError::ProductNotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A page of the tags of an item, newest first, replaced ones included.
    pub async fn item_tags(
        &self,
        caller: &Caller,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<TagPage> {
        let Some(scope) = scope_of_tags(caller)? else { return Ok(TagPage::EMPTY) };
        self.flush_accesses_to_show().await;
        let page = self.storage.list_item_tags(scope, item, after, limit).await?;
        if page.items.is_empty() && after.is_none() {
            // Tags outlive their item; without any, the item itself must exist.
            self.item(caller, item).await?;
        }
        Ok(page)
    }

    /// A page of all tags of the household, newest first, replaced ones included.
    pub async fn tags(
        &self,
        caller: &Caller,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<TagPage> {
        let Some(scope) = scope_of_tags(caller)? else { return Ok(TagPage::EMPTY) };
        self.flush_accesses_to_show().await;
        Ok(self.storage.list_tags(scope, after, limit).await?)
    }

    /// Puts a new tag in the place of this one, which never works again.
    pub async fn rotate_tag(
        &self,
        caller: &Caller,
        item: ItemId,
        old: UrlId,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<RotatedTag> {
        let scope = scope_of_tags(caller)?.ok_or(AppError::TagNotFound)?;
        let (new, write) = (self.entropy.id(), self.write(claim));
        match self.storage.rotate_tag(scope, item, old, new, write).await? {
            RotateTag::Rotated { old, new } => {
                self.notify_tags_changed(scope.household());
                Ok(RotatedTag { old: *old, new: *new })
            }
            RotateTag::NotFound => Err(AppError::TagNotFound),
            RotateTag::AlreadyRotated(_) => Err(AppError::TagRotated),
        }
    }

    /// Changes the label and the step of a tag that still works.
    pub async fn update_tag(
        &self,
        caller: &Caller,
        url: UrlId,
        patch: &TagPatch,
    ) -> Result<NfcUrl> {
        let scope = scope_of_tags(caller)?.ok_or(AppError::TagNotFound)?;
        match self.storage.update_tag(scope, url, patch, self.write(None)).await? {
            UpdateTag::Updated(tag) => {
                self.notify_tags_changed(scope.household());
                Ok(*tag)
            }
            UpdateTag::NotFound => Err(AppError::TagNotFound),
            UpdateTag::Rotated => Err(AppError::TagRotated),
        }
    }

    /// Deletes a tag, replaced or not: from then on nobody knows its URL.
    pub async fn delete_tag(&self, caller: &Caller, url: UrlId) -> Result<()> {
        let scope = scope_of_tags(caller)?.ok_or(AppError::TagNotFound)?;
        let is_deleted = self.storage.delete_tag(scope, url, self.write(None)).await?;
        self.notify_tags_changed(scope.household());
        if is_deleted { Ok(()) } else { Err(AppError::TagNotFound) }
    }

    /// The items of these tags of the caller's household; those that were deleted are missing.
    pub async fn items_of_tags(
        &self,
        caller: &Caller,
        tags: &[NfcUrl],
    ) -> Result<HashMap<ItemId, Item>> {
        let Some(scope) = scope_of_tags(caller)? else { return Ok(HashMap::new()) };
        let ids: BTreeSet<ItemId> = tags.iter().map(|tag| tag.item).collect();
        let ids: Vec<ItemId> = ids.into_iter().collect();
        let items = self.storage.find_items(scope.inventory(), &ids).await?;
        Ok(items.into_iter().map(|item| (item.id, item)).collect())
    }

    /// A tag of the caller's household that works, and its item, to be shown or printed.
    pub async fn tag_to_print(&self, caller: &Caller, url: UrlId) -> Result<OpenTag> {
        let scope = scope_of_tags(caller)?.ok_or(AppError::TagNotFound)?;
        let held = self.storage.find_held_tag(url).await?;
        let held = held.filter(|held| held.tag.household == scope.household());
        OpenTag::of(held.ok_or(AppError::TagNotFound)?)
    }

    /// Includes this server's counts in a list. If that fails, the list is still useful.
    async fn flush_accesses_to_show(&self) {
        if let Err(error) = self.flush_accesses().await {
            tracing::warn!(%error, "tag accesses not written, will retry");
        }
    }
}

/// The caller's household, whose tags only admins may see; `None` in individual mode, where there
/// are none.
fn scope_of_tags(caller: &Caller) -> Result<Option<HouseholdScope>> {
    authorize::unless_alone(authorize::administration(caller))
}

#[cfg(test)]
mod tests {
    use larder_domain::Role;

    use super::*;
    use crate::caller::tests::caller;

    #[test]
    fn only_admins_have_to_do_with_tags_and_people_on_their_own_have_none() {
        assert!(scope_of_tags(&caller(Some(Role::Admin))).unwrap().is_some());
        let refused = scope_of_tags(&caller(Some(Role::Member)));
        assert!(matches!(refused, Err(AppError::AdminRequired)));
        assert!(scope_of_tags(&caller(None)).unwrap().is_none());
    }
}
