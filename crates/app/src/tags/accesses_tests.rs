use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{HouseholdId, ItemId, NfcUrl, TagPatch, TagPosition};
use larder_storage::{
    HeldTag, HouseholdScope, NewTag, NewTap, Page, RotateTag, Tap, UpdateTag, Write,
};

use super::*;

/// A store that only accepts counts, and only sometimes.
#[derive(Default)]
struct FlakyTags {
    is_down: AtomicBool,
    calls: Mutex<Vec<Vec<TagAccesses>>>,
}

#[async_trait]
impl Tags for FlakyTags {
    async fn record_accesses(&self, accesses: &[TagAccesses]) -> larder_storage::Result<()> {
        if self.is_down.load(Ordering::Relaxed) {
            return Err(StorageError::Unavailable("down".into()));
        }
        self.calls.lock().unwrap().push(accesses.to_vec());
        Ok(())
    }

    async fn add_tag(
        &self,
        _: HouseholdScope,
        _: &NewTag,
        _: Write<'_>,
    ) -> larder_storage::Result<Option<NfcUrl>> {
        unreachable!("only counts are told")
    }

    async fn list_item_tags(
        &self,
        _: HouseholdScope,
        _: ItemId,
        _: Option<&TagPosition>,
        _: usize,
    ) -> larder_storage::Result<Page<NfcUrl, TagPosition>> {
        unreachable!("only counts are told")
    }

    async fn list_tags(
        &self,
        _: HouseholdScope,
        _: Option<&TagPosition>,
        _: usize,
    ) -> larder_storage::Result<Page<NfcUrl, TagPosition>> {
        unreachable!("only counts are told")
    }

    async fn rotate_tag(
        &self,
        _: HouseholdScope,
        _: ItemId,
        _: UrlId,
        _: UrlId,
        _: Write<'_>,
    ) -> larder_storage::Result<RotateTag> {
        unreachable!("only counts are told")
    }

    async fn update_tag(
        &self,
        _: HouseholdScope,
        _: UrlId,
        _: &TagPatch,
        _: Write<'_>,
    ) -> larder_storage::Result<UpdateTag> {
        unreachable!("only counts are told")
    }

    async fn delete_tag(
        &self,
        _: HouseholdScope,
        _: UrlId,
        _: Write<'_>,
    ) -> larder_storage::Result<bool> {
        unreachable!("only counts are told")
    }

    async fn find_held_tag(&self, _: UrlId) -> larder_storage::Result<Option<HeldTag>> {
        unreachable!("only counts are told")
    }

    async fn tap(&self, _: NewTap<'_>) -> larder_storage::Result<Tap> {
        unreachable!("only counts are told")
    }
}

fn opened(tag: u8, second: i64) -> TagAccesses {
    TagAccesses {
        household: HouseholdId::fixed(1),
        item: ItemId::fixed(2),
        url: UrlId::from_random([tag; 16]),
        count: 1,
        last_at: Timestamp::from_second(second).unwrap(),
    }
}

#[tokio::test]
async fn a_tag_is_told_once_with_its_count_and_latest_time() {
    let (counter, store) = (AccessCounter::default(), FlakyTags::default());
    for accesses in [opened(1, 5), opened(1, 9), opened(1, 7)] {
        counter.count(accesses);
    }
    counter.flush(&store).await.unwrap();
    counter.flush(&store).await.unwrap();
    let told = store.calls.lock().unwrap();
    assert_eq!(*told, [[TagAccesses { count: 3, ..opened(1, 9) }]]);
}

#[tokio::test]
async fn what_the_store_does_not_take_is_told_with_the_next() {
    let (counter, store) = (AccessCounter::default(), FlakyTags::default());
    counter.count(opened(1, 5));
    store.is_down.store(true, Ordering::Relaxed);
    assert!(counter.flush(&store).await.is_err());
    counter.count(opened(1, 6));
    store.is_down.store(false, Ordering::Relaxed);
    counter.flush(&store).await.unwrap();
    let told = store.calls.lock().unwrap();
    assert_eq!(*told, [[TagAccesses { count: 2, ..opened(1, 6) }]]);
}

#[tokio::test]
async fn many_tags_are_told_in_parts_and_none_twice() {
    let (counter, store) = (AccessCounter::default(), FlakyTags::default());
    for tag in 0..=255 {
        counter.count(opened(tag, 1));
    }
    counter.flush(&store).await.unwrap();
    let told = store.calls.lock().unwrap();
    assert_eq!(told.iter().map(Vec::len).collect::<Vec<_>>(), [100, 100, 56]);
    let mut tags: Vec<_> = told.concat().into_iter().map(|accesses| accesses.url).collect();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 256);
}
