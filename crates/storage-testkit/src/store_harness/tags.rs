//! Tags and taps.

use jiff::SignedDuration;
use larder_domain::{
    ItemId, NfcUrl, TagLabel, TagPosition, TagStep, TapDirection, TapNonce, UrlId,
};
use larder_storage::{HeldTag, HouseholdScope, NewTag, NewTap, RotateTag, Tap};

use super::StoreHarness;

impl StoreHarness {
    pub(crate) fn url_id(&self) -> UrlId {
        UrlId::from_random(self.bytes())
    }

    /// A tag to be, of one piece, without a label.
    pub(crate) fn new_tag(&self, item: ItemId) -> NewTag {
        NewTag { id: self.url_id(), item, label: None, step: TagStep::ONE }
    }

    /// A new tag with this step, after it has become visible to its holder.
    pub(crate) async fn tag(&self, scope: HouseholdScope, item: ItemId, step: &str) -> NfcUrl {
        let label = Some(TagLabel::parse("棚 1").unwrap());
        let new = NewTag { label, step: TagStep::parse(step).unwrap(), ..self.new_tag(item) };
        let added = self.store.add_tag(scope, &new, self.write()).await.unwrap();
        let tag = added.expect("there is such an item");
        self.until_found(tag.id).await;
        tag
    }

    /// Replaces a tag; returns the new one, after it has become visible to its holder, and the old
    /// one.
    pub(crate) async fn rotate(&self, scope: HouseholdScope, tag: &NfcUrl) -> (NfcUrl, NfcUrl) {
        let new = self.url_id();
        let rotated = self.store.rotate_tag(scope, tag.item, tag.id, new, self.write()).await;
        let RotateTag::Rotated { old, new } = rotated.unwrap() else {
            panic!("the tag is active");
        };
        self.until_found(new.id).await;
        (*old, *new)
    }

    /// Waits until the holder of a new tag finds it: the index may lag.
    async fn until_found(&self, url: UrlId) {
        self.eventually(&true, async || self.held(url).await.is_some()).await;
    }

    pub(crate) async fn held(&self, url: UrlId) -> Option<HeldTag> {
        self.store.find_held_tag(url).await.unwrap()
    }

    /// A nonce that no other tap has.
    pub(crate) fn nonce(&self) -> TapNonce {
        TapNonce::parse(&UrlId::from_random(self.bytes()).reveal()).unwrap()
    }

    /// A tap to be, remembered for a day.
    pub(crate) fn new_tap<'a>(
        &self,
        url: UrlId,
        direction: TapDirection,
        nonce: &'a TapNonce,
    ) -> NewTap<'a> {
        let at = self.write().at;
        NewTap { url, direction, nonce, remember_until: at + SignedDuration::from_hours(24), at }
    }

    pub(crate) async fn tap(&self, url: UrlId, direction: TapDirection, nonce: &TapNonce) -> Tap {
        self.store.tap(self.new_tap(url, direction, nonce)).await.unwrap()
    }

    /// The answer to a tap with a new nonce.
    pub(crate) async fn take(&self, url: UrlId) -> Tap {
        self.tap(url, TapDirection::Take, &self.nonce()).await
    }

    /// Every tag of one item (or of all), read page by page.
    pub(crate) async fn tags(
        &self,
        scope: HouseholdScope,
        item: Option<ItemId>,
        limit: usize,
    ) -> Vec<NfcUrl> {
        let mut tags = Vec::new();
        let mut after: Option<TagPosition> = None;
        loop {
            let page = match item {
                Some(item) => self.store.list_item_tags(scope, item, after.as_ref(), limit).await,
                None => self.store.list_tags(scope, after.as_ref(), limit).await,
            };
            let page = page.unwrap();
            assert!(page.items.len() <= limit, "a page holds at most what was asked for");
            assert!(
                page.next.is_none() || !page.items.is_empty(),
                "no page is empty while more follow"
            );
            tags.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return tags,
            }
        }
    }
}
