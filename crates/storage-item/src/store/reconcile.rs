//! Finding and repairing inconsistencies in a household. Not needed in normal operation: it is for
//! records older than a rule, and for unforeseen defects.
//!
//! Writes continue meanwhile. Records are read in an order in which a concurrent change looks
//! consistent, and repaired only if they are still wrong; only actual repairs are counted.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use larder_domain::{HouseholdId, ItemId, Owner, ProductId};
use larder_storage::{Drift, Result, SystemScope, Write};

use super::{
    ItemStore,
    change_set::{Actor, ChangeSet, Commit},
};
use crate::{
    Action, Condition, Key, Number, Record, RecordEngine, Table,
    layout::{
        fields::Fields,
        household, item,
        job::{Job, LotsJob, Work},
        keys, shopping, tag,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Family,
    Link,
    Item,
}

/// A household's items and everything that refers to them, read in this order: an item that an
/// entry refers to but that is missing was deleted, not just added.
struct Holdings {
    links: Vec<Record>,
    /// How many pending entries restock each item that has an entry.
    pending: BTreeMap<ItemId, u64>,
    /// The name and the product of each item.
    items: BTreeMap<ItemId, (String, Option<ProductId>)>,
    /// The items whose tags have another name.
    misnamed: BTreeSet<ItemId>,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn reconcile_household(
        &self,
        scope: SystemScope,
        at: Timestamp,
    ) -> Result<Drift> {
        let household = scope.household();
        let Some(family) = self.get(&keys::family(household)).await? else {
            return Ok(Drift::default());
        };
        let mut drift =
            Drift { unenrolled: self.enroll(household, &family, at).await?, ..Drift::default() };
        let holdings = self.holdings(household).await?;
        for item in &holdings.misnamed {
            let product = holdings.items.get(item).and_then(|(_, product)| *product);
            if !self.is_being_named(household, *item, product).await? {
                drift.tag_names += self.correct_tag_names(household, *item, at).await?;
            }
        }
        for item in holdings.pending.keys().filter(|item| !holdings.items.contains_key(item)) {
            if !self.is_open(Work::Unlink, household, *item).await? {
                drift.dangling_links +=
                    self.unlink_entries(Actor::System, household, *item, at).await?;
            }
        }
        drift.link_counts = self.correct_counts(household, &holdings, at).await?;
        Ok(drift)
    }

    /// Schedules the daily job of a household, if it is missing; returns how many were.
    async fn enroll(&self, household: HouseholdId, family: &Record, at: Timestamp) -> Result<u64> {
        if household::is_enrolled(household, family)? {
            return Ok(0);
        }
        let name = household::NEXT_DAILY_AT;
        let unchanged = family.get(name).map_or_else(
            || Condition::Absent(name.into()),
            |held| Condition::Equals(name.into(), held.clone()),
        );
        let (key, changes) = (keys::family(household), household::next_day(household, at));
        let set = ChangeSet::new().update(Step::Family, key, vec![unchanged], changes);
        self.repair(set, at).await
    }

    async fn holdings(&self, household: HouseholdId) -> Result<Holdings> {
        let pk = keys::family_pk(household);
        let links = self.all_under(pk.clone(), keys::SHOPPING_LINK_PREFIX).await?;
        let entries = self.all_under(pk.clone(), keys::SHOPPING_PREFIX).await?;
        let records = self.all_under(pk, keys::ITEM_PREFIX).await?;
        let mut pending = BTreeMap::new();
        for entry in &entries {
            let entry = shopping::from_record(entry)?;
            if let Some(item) = entry.item {
                *pending.entry(item).or_default() += u64::from(entry.is_pending_for(item));
            }
        }
        let all =
            |entity| records.iter().filter(move |record| record.text("entityType") == Some(entity));
        let name = |record: &Record| {
            let fields = Fields(record);
            let product = fields.optional_id("productId")?;
            Ok((fields.id("itemId")?, (fields.text("name")?.to_owned(), product)))
        };
        let items: BTreeMap<ItemId, (String, Option<ProductId>)> =
            all(item::ENTITY).map(name).collect::<Result<_>>()?;
        let mut misnamed = BTreeSet::new();
        for record in all(tag::ENTITY) {
            let tag = tag::from_record(record)?;
            if items.get(&tag.item).is_some_and(|(name, _)| name != tag.item_name.as_str()) {
                misnamed.insert(tag.item);
            }
        }
        Ok(Holdings { links, pending, items, misnamed })
    }

    /// Corrects the counts of pending entries, and returns how many were wrong.
    async fn correct_counts(
        &self,
        household: HouseholdId,
        holdings: &Holdings,
        at: Timestamp,
    ) -> Result<u64> {
        let mut corrected = 0;
        let mut counted = BTreeSet::new();
        for link in &holdings.links {
            let item = Fields(link).id("itemId")?;
            counted.insert(item);
            let (held, version) = shopping::link_from_record(link)?;
            let key = keys::shopping_link(household, item);
            let version = Number::from(i64::try_from(version).unwrap_or(i64::MAX));
            let unchanged = vec![Condition::Equals("version".into(), version.into())];
            let pending = holdings.pending.get(&item).copied().unwrap_or(0);
            if !holdings.items.contains_key(&item) {
                let set = ChangeSet::new()
                    .delete(Step::Link, key, unchanged)
                    .step(Step::Item, check_item(household, item, Condition::NotExists));
                corrected += self.repair(set, at).await?;
            } else if u64::try_from(held) != Ok(pending) {
                let changes = shopping::pending_corrected(pending);
                let set = ChangeSet::new().update(Step::Link, key, unchanged, changes);
                corrected += self.repair(set, at).await?;
            }
        }
        let uncounted = holdings.pending.iter().filter(|(item, pending)| {
            **pending > 0 && !counted.contains(item) && holdings.items.contains_key(item)
        });
        for (item, pending) in uncounted {
            let link = shopping::link_record(household, *item, *pending);
            let set = ChangeSet::new()
                .put(Step::Link, link, vec![Condition::NotExists])
                .step(Step::Item, check_item(household, *item, Condition::Exists));
            corrected += self.repair(set, at).await?;
        }
        Ok(corrected)
    }

    /// Whether the tags of an item are about to get its name.
    async fn is_being_named(
        &self,
        household: HouseholdId,
        item: ItemId,
        product: Option<ProductId>,
    ) -> Result<bool> {
        if let Some(product) = product {
            let job = LotsJob { owner: Owner::Household(household), product };
            if self.get(&job.key()).await?.is_some() {
                return Ok(true);
            }
        }
        self.is_open(Work::Rename, household, item).await
    }

    /// Whether this work on an item is in progress or waits to be resumed: then nothing is wrong.
    async fn is_open(&self, work: Work, household: HouseholdId, item: ItemId) -> Result<bool> {
        Ok(self.get(&Job { work, household, item }.key()).await?.is_some())
    }

    /// 1 if it was repaired, 0 if it has changed by itself.
    async fn repair(&self, set: ChangeSet<Step>, at: Timestamp) -> Result<u64> {
        let commit = self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(u64::from(matches!(commit, Commit::Done(_))))
    }
}

fn check_item(household: HouseholdId, item: ItemId, condition: Condition) -> Action {
    let key: Key = keys::item(Owner::Household(household), item);
    Action::Check { table: Table::InventoryManagement, key, when: vec![condition] }
}
