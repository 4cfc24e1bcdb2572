//! Tags: making, listing and replacing them, and counting how often their pages are opened.

use std::collections::HashMap;

use async_trait::async_trait;
use larder_domain::{ItemId, NfcUrl, Owner, TagPatch, TagPosition, TagRotation, UrlId};
use larder_storage::{
    AtVersion, HeldTag, HouseholdScope, Lookup, NewTag, NewTap, Page, Result, RotateTag,
    StorageError, TagAccesses, Tags, Tap, UpdateTag, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
    rename::Named,
    tag_cache::TagPlace,
};
use crate::{
    Action, Condition, GSI1, GSI2, Key, MAX_QUERY_LIMIT, Query, Record, RecordEngine, SortKeys,
    Table,
    layout::{item, keys, tag},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Old,
    New,
}

#[async_trait]
impl<E: RecordEngine> Tags for ItemStore<E> {
    async fn add_tag(
        &self,
        scope: HouseholdScope,
        new: &NewTag,
        write: Write<'_>,
    ) -> Result<Option<NfcUrl>> {
        for _ in 0..MAX_ATTEMPTS {
            let named = self.name_of(scope.household(), new.item).await?;
            let Named::As(item_name) = &named else {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(None);
            };
            let made = NfcUrl {
                id: new.id,
                item: new.item,
                household: scope.household(),
                item_name: item_name.clone(),
                label: new.label.clone(),
                step: new.step,
                rotated: None,
                created_by: scope.actor(),
                created_at: write.at,
                last_accessed_at: None,
                access_count: 0,
            };
            let set = ChangeSet::new()
                .step(Step::Item, named.check(scope.household(), new.item))
                .put(Step::New, tag::to_record(&made), vec![Condition::NotExists]);
            let did = (WriteKind::TAG_ADDED, Step::New);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => return Ok(Some(made)),
                Commit::Failed(Step::Item, _) => {}
                Commit::Failed(_, _) => return Err(taken()),
            }
        }
        Err(contention("making a tag"))
    }

    async fn list_item_tags(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        let pk = keys::family_pk(scope.household());
        let records = self.all_under(pk, &keys::item_tags_prefix(item)).await?;
        let mut tags = records.iter().map(tag::from_record).collect::<Result<Vec<_>>>()?;
        tags.retain(|tag| after.is_none_or(|after| TagPosition::of(tag) < *after));
        tags.sort_unstable_by_key(|tag| std::cmp::Reverse(TagPosition::of(tag)));
        Ok(Page::cut(tags, limit, TagPosition::of))
    }

    async fn list_tags(
        &self,
        scope: HouseholdScope,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        // A position lacks the item, which a start key would need: the page starts with the tag at
        // the position instead, and skips it.
        let sort = after.map_or(SortKeys::Any, |after| {
            let last = keys::tag_created_sk(after.created_at, after.id);
            SortKeys::Between(keys::CREATED_PREFIX.to_owned(), last)
        });
        let (table, pk) = (Table::InventoryManagement, keys::urls_pk(scope.household()));
        let at_once = (limit + 2).min(MAX_QUERY_LIMIT);
        let query = Query::new(table, pk, sort, at_once).by(GSI2).backward();
        let is_behind = |tag: &NfcUrl| after.is_none_or(|after| TagPosition::of(tag) < *after);
        let read = |record: &Record| Ok(Some(tag::from_record(record)?).filter(is_behind));
        self.page_of(query, limit, read, TagPosition::of).await
    }

    async fn rotate_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag> {
        let key = keys::tag(scope.household(), item, old);
        let rotation = TagRotation { at: write.at, by: scope.actor() };
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&key).await? else {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(RotateTag::NotFound);
            };
            let seen = tag::from_record(&record)?;
            if !seen.is_active() {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(RotateTag::AlreadyRotated(seen));
            }
            let named = self.name_of(scope.household(), item).await?;
            let made = successor(&seen, new, &named, rotation);
            let replaced = NfcUrl { rotated: Some(rotation), ..seen.clone() };
            let set = ChangeSet::new()
                .update(Step::Old, key.clone(), tag::is_as_seen(&seen), tag::rotated(rotation))
                .step(Step::Item, named.check(scope.household(), item))
                .put(Step::New, tag::to_record(&made), vec![Condition::NotExists]);
            let did = (WriteKind::tag_rotated(&replaced), Step::New);
            let outcome = self.commit(scope.actor(), write, set, Some(did)).await;
            // Also after a failure, whose outcome may be unknown.
            self.held_tags.invalidate(&old);
            match outcome? {
                Commit::Done(_) => {
                    let (old, new) = (Box::new(replaced), Box::new(made));
                    return Ok(RotateTag::Rotated { old, new });
                }
                Commit::Failed(Step::New, _) => return Err(taken()),
                // Its page was opened, or it was changed, replaced or deleted, or its item renamed:
                // retry.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("replacing a tag"))
    }

    async fn update_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        patch: &TagPatch,
        write: Write<'_>,
    ) -> Result<UpdateTag> {
        self.change_tag(scope, url, patch, write).await
    }

    async fn delete_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        write: Write<'_>,
    ) -> Result<bool> {
        self.remove_tag(scope, url, write).await
    }

    async fn find_held_tag(&self, url: UrlId) -> Result<Option<HeldTag>> {
        let Some(place) = self.find_place_of(url).await? else { return Ok(None) };
        let pk = keys::family_pk(place.household);
        let version = self.engine.partition_version(Table::InventoryManagement, &pk).await?;
        let cached = version.map(|version| self.held_tags.look_up(&url, AtVersion(version)));
        let ticket = match cached {
            Some(Lookup::Hit(held)) => return Ok(Some(held)),
            Some(Lookup::Miss(ticket)) => Some(ticket),
            None => None,
        };
        let tag_key = keys::tag(place.household, place.item, url);
        let item_key = keys::item(Owner::Household(place.household), place.item);
        let (tag, item) = tokio::try_join!(self.get(&tag_key), self.get(&item_key))?;
        let Some(tag) = tag else { return Ok(None) };
        let item = item.as_ref().map(item::from_record).transpose()?;
        let held = HeldTag { tag: tag::from_record(&tag)?, item };
        if let Some(ticket) = ticket {
            self.held_tags.insert(ticket, url, held.clone());
        }
        Ok(Some(held))
    }

    async fn tap(&self, tap: NewTap<'_>) -> Result<Tap> {
        match self.find_place_of(tap.url).await? {
            Some(place) => self.tap_tag(place, tap).await,
            None => Ok(Tap::Unknown),
        }
    }

    async fn record_accesses(&self, accesses: &[TagAccesses]) -> Result<()> {
        let Some(at) = accesses.iter().map(|accesses| accesses.last_at).max() else {
            return Ok(());
        };
        let write = Write::at(at);
        let together = together(accesses);
        self.commit_each(Actor::System, write, &together, |(key, accesses)| Action::Update {
            table: Table::InventoryManagement,
            key: key.clone(),
            when: vec![Condition::Exists],
            changes: tag::accessed(accesses.count, accesses.last_at),
        })
        .await?;
        Ok(())
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The household and item of a tag, which never change, and its step, which may have. Whether it
    /// is still active, or still there, a lagging index may not show.
    pub(super) async fn find_place_of(&self, url: UrlId) -> Result<Option<TagPlace>> {
        let ticket = match self.tag_places.look_up(&url, ()) {
            Lookup::Hit(place) => return Ok(Some(place)),
            Lookup::Miss(ticket) => ticket,
        };
        let (table, pk) = (Table::InventoryManagement, keys::url_pk(url));
        let query = Query::under(table, pk, keys::ITEM_PREFIX, 1).by(GSI1);
        let records: Vec<Record> = self.engine.query(&query).await?.records;
        let Some(record) = records.first() else { return Ok(None) };
        let place = TagPlace::of(&tag::from_record(record)?);
        self.tag_places.insert(ticket, url, place);
        Ok(Some(place))
    }
}

/// The replacement of a tag.
fn successor(seen: &NfcUrl, id: UrlId, named: &Named, rotation: TagRotation) -> NfcUrl {
    let item_name = match named {
        Named::As(name) => name.clone(),
        Named::Deleted => seen.item_name.clone(),
    };
    NfcUrl {
        id,
        item_name,
        created_by: rotation.by,
        created_at: rotation.at,
        last_accessed_at: None,
        access_count: 0,
        ..seen.clone()
    }
}

/// The sum of the accesses of each tag: a transaction changes a record once.
fn together(accesses: &[TagAccesses]) -> Vec<(Key, TagAccesses)> {
    let mut sums: HashMap<Key, TagAccesses> = HashMap::with_capacity(accesses.len());
    for one in accesses {
        let key = keys::tag(one.household, one.item, one.url);
        sums.entry(key)
            .and_modify(|sum| {
                sum.count += one.count;
                sum.last_at = sum.last_at.max(one.last_at);
            })
            .or_insert(*one);
    }
    sums.into_iter().collect()
}

/// 122 random bits do not collide: the caller passed the same ones twice.
fn taken() -> StorageError {
    StorageError::Defect("duplicate address of a tag".to_owned())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::HouseholdId;

    use super::*;

    #[test]
    fn accesses_of_one_tag_are_told_once_with_their_sum_and_the_last_time() {
        let second = |second| Timestamp::from_second(second).unwrap();
        let access = |url: u8, count, at| TagAccesses {
            household: HouseholdId::fixed(1),
            item: ItemId::fixed(2),
            url: UrlId::from_random([url; 16]),
            count,
            last_at: second(at),
        };
        let mut sums: Vec<_> = together(&[access(1, 2, 9), access(2, 1, 5), access(1, 3, 7)])
            .into_iter()
            .map(|(_, sum)| sum)
            .collect();
        sums.sort_by_key(|sum| sum.count);
        assert_eq!(sums, [access(2, 1, 5), access(1, 5, 9)]);
    }
}
