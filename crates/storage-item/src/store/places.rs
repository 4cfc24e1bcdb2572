//! Storage locations and shops. Deleting one marks it first, which prevents new references, then
//! clears the references to it, then removes it; the next listing of the places finishes an
//! interrupted deletion.

use async_trait::async_trait;
use larder_domain::{HouseholdId, StorageLocation, StorageLocationId, Store, StoreId};
use larder_storage::{HouseholdScope, Places, Result, SavePlace, Write, WriteKind};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
    replace_item::version_is,
};
use crate::{
    Action, Change, Condition, Key, Number, Record, RecordEngine, Table,
    layout::{
        fields::timestamp_text,
        item, keys,
        places::{
            DELETING, is_deleting, location_from_record, location_to_record, store_from_record,
            store_to_record,
        },
        product, shopping,
        unique::{self, UniqueKey},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Place,
    Name,
    OldName,
}

/// The parameters of one kind of place.
struct Kind<T> {
    to_record: fn(HouseholdId, &T) -> Record,
    from_record: fn(&Record) -> Result<T>,
    /// The attribute of items that refers to it.
    reference: &'static str,
    prefix: &'static str,
    id: &'static str,
    unique_name: fn(HouseholdId, &str) -> UniqueKey,
    added: WriteKind<'static>,
    /// Whether entries of the shopping list refer to it.
    is_shopped_in: bool,
}

const LOCATION: Kind<StorageLocation> = Kind {
    to_record: location_to_record,
    from_record: location_from_record,
    reference: "storageLocationId",
    prefix: keys::LOCATION_PREFIX,
    id: "locationId",
    unique_name: unique::location_name,
    added: WriteKind::LOCATION_ADDED,
    is_shopped_in: false,
};

const STORE: Kind<Store> = Kind {
    to_record: store_to_record,
    from_record: store_from_record,
    reference: "preferredStoreId",
    prefix: keys::STORE_PREFIX,
    id: "storeId",
    unique_name: unique::store_name,
    added: WriteKind::STORE_ADDED,
    is_shopped_in: true,
};

impl<T> Kind<T> {
    fn name_of(&self, scope: HouseholdScope, record: &Record) -> UniqueKey {
        (self.unique_name)(scope.household(), record.text("name").unwrap_or_default())
    }

    fn id_of<'a>(&self, record: &'a Record) -> &'a str {
        record.text(self.id).unwrap_or_default()
    }
}

impl<E: RecordEngine> ItemStore<E> {
    async fn list_places<T>(&self, scope: HouseholdScope, kind: &Kind<T>) -> Result<Vec<T>> {
        let records = self.all_under(keys::family_pk(scope.household()), kind.prefix).await?;
        let (deleting, present): (Vec<_>, Vec<_>) = records.into_iter().partition(is_deleting);
        for record in deleting {
            self.finish_deletion(scope, kind, &record, Write::at(self.clock.now())).await?;
        }
        present.iter().map(kind.from_record).collect()
    }

    pub(super) async fn find_place(&self, key: &Key) -> Result<Option<Record>> {
        Ok(self.get(key).await?.filter(|record| !is_deleting(record)))
    }

    async fn add_place<T: Clone + Sync>(
        &self,
        scope: HouseholdScope,
        kind: &Kind<T>,
        place: &T,
        write: Write<'_>,
    ) -> Result<SavePlace<T>> {
        let record = (kind.to_record)(scope.household(), place);
        let name = kind.name_of(scope, &record).take(kind.id_of(&record), write.at);
        let set = ChangeSet::new().step(Step::Name, name).put(
            Step::Place,
            record,
            vec![Condition::NotExists],
        );
        let did = (kind.added, Step::Place);
        Ok(match self.commit(scope.actor(), write, set, Some(did)).await? {
            Commit::Done(_) => SavePlace::Saved(place.clone()),
            Commit::Failed(..) => SavePlace::NameTaken,
        })
    }

    async fn replace_place<T: Clone + Sync>(
        &self,
        scope: HouseholdScope,
        kind: &Kind<T>,
        place: &T,
        write: Write<'_>,
    ) -> Result<SavePlace<T>> {
        let record = (kind.to_record)(scope.household(), place);
        let Some(key) = Table::InventoryManagement.key_of(&record) else {
            return Ok(SavePlace::NotFound);
        };
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_place(&key).await? else {
                return Ok(SavePlace::NotFound);
            };
            let unchanged = current.iter().filter(|(name, _)| *name == "name" || *name == kind.id);
            let mut when: Vec<_> = unchanged
                .map(|(name, value)| Condition::Equals(name.to_owned().into(), value.clone()))
                .collect();
            when.push(Condition::Absent(DELETING.into()));
            let mut set = ChangeSet::new().put(Step::Place, record.clone(), when);
            let (old, new) = (kind.name_of(scope, &current), kind.name_of(scope, &record));
            if old.key() != new.key() {
                let id = kind.id_of(&record);
                set = set
                    .step(Step::OldName, old.release(id))
                    .step(Step::Name, new.take(id, write.at));
            }
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(SavePlace::Saved(place.clone())),
                Commit::Failed(Step::Name, _) => return Ok(SavePlace::NameTaken),
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a place"))
    }

    async fn delete_place<T>(
        &self,
        scope: HouseholdScope,
        kind: &Kind<T>,
        key: Key,
        write: Write<'_>,
    ) -> Result<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_place(&key).await? else { return Ok(false) };
            let name = current.text("name").unwrap_or_default();
            let set = ChangeSet::new()
                .update(
                    Step::Place,
                    key.clone(),
                    vec![
                        Condition::Equals("name".into(), name.into()),
                        Condition::Absent(DELETING.into()),
                    ],
                    vec![Change::Set(DELETING.into(), true.into())],
                )
                .step(Step::Name, kind.name_of(scope, &current).release(kind.id_of(&current)));
            if let Commit::Done(_) = self.commit(scope.actor(), write, set, None).await? {
                self.finish_deletion(scope, kind, &current, write).await?;
                return Ok(true);
            }
        }
        Err(contention("deleting a place"))
    }

    /// Clears everything that refers to a place that is marked, then removes it. Can be repeated.
    async fn finish_deletion<T>(
        &self,
        scope: HouseholdScope,
        kind: &Kind<T>,
        place: &Record,
        write: Write<'_>,
    ) -> Result<()> {
        let id = kind.id_of(place);
        let pk = keys::family_pk(scope.household());
        // Products first: a new lot takes over their references.
        for prefix in [keys::PRODUCT_PREFIX, keys::ITEM_PREFIX] {
            let records = self.all_under(pk.clone(), prefix).await?;
            let refers = |record: &&Record| {
                matches!(record.text("entityType"), Some(product::ENTITY | item::ENTITY))
                    && record.text(kind.reference) == Some(id)
            };
            let keys: Vec<Key> = records
                .iter()
                .filter(refers)
                .filter_map(|record| Table::InventoryManagement.key_of(record))
                .collect();
            // A skipped one refers to another place by now.
            let clear = |key: &Key| clear_reference(kind.reference, key, id, scope, write);
            self.commit_each(scope.actor(), write, &keys, clear).await?;
        }
        if kind.is_shopped_in {
            self.clear_store(scope, id, write).await?;
        }
        if let Some(key) = Table::InventoryManagement.key_of(place) {
            let set = ChangeSet::new().delete(Step::Place, key, vec![]);
            self.commit(scope.actor(), write, set, None).await?;
        }
        Ok(())
    }

    /// Clears a marked shop from every entry of the shopping list.
    async fn clear_store(&self, scope: HouseholdScope, id: &str, write: Write<'_>) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let records = self.shopping_records(scope.household()).await?;
            let refers = records.iter().filter(|record| record.text("storeId") == Some(id));
            let entries = refers.map(shopping::from_record).collect::<Result<Vec<_>>>()?;
            if entries.is_empty() {
                return Ok(());
            }
            // A skipped entry was checked off or edited meanwhile, and may still refer to the shop.
            self.commit_each(scope.actor(), write, &entries, |entry| Action::Update {
                table: Table::InventoryManagement,
                key: keys::shopping_item(entry.household, entry.id),
                when: version_is(entry.version),
                changes: shopping::unassigned(entry.status, write.at),
            })
            .await?;
        }
        Err(contention("deleting a shop"))
    }
}

fn clear_reference(
    reference: &'static str,
    key: &Key,
    id: &str,
    scope: HouseholdScope,
    write: Write<'_>,
) -> Action {
    Action::Update {
        table: Table::InventoryManagement,
        key: key.clone(),
        when: vec![Condition::Equals(reference.into(), id.into())],
        changes: vec![
            Change::Remove(reference.into()),
            Change::Add("version".into(), Number::from(1)),
            Change::Set("updatedBy".into(), scope.actor().to_string().into()),
            Change::Set("updatedAt".into(), timestamp_text(write.at).into()),
        ],
    }
}

#[async_trait]
impl<E: RecordEngine> Places for ItemStore<E> {
    async fn list_locations(&self, scope: HouseholdScope) -> Result<Vec<StorageLocation>> {
        self.list_places(scope, &LOCATION).await
    }

    async fn add_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>> {
        self.add_place(scope, &LOCATION, location, write).await
    }

    async fn find_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
    ) -> Result<Option<StorageLocation>> {
        let record = self.find_place(&keys::location(scope.household(), id)).await?;
        record.as_ref().map(location_from_record).transpose()
    }

    async fn replace_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>> {
        self.replace_place(scope, &LOCATION, location, write).await
    }

    async fn delete_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
        write: Write<'_>,
    ) -> Result<bool> {
        self.delete_place(scope, &LOCATION, keys::location(scope.household(), id), write).await
    }

    async fn list_stores(&self, scope: HouseholdScope) -> Result<Vec<Store>> {
        self.list_places(scope, &STORE).await
    }

    async fn add_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>> {
        self.add_place(scope, &STORE, store, write).await
    }

    async fn find_store(&self, scope: HouseholdScope, id: StoreId) -> Result<Option<Store>> {
        let record = self.find_place(&keys::store(scope.household(), id)).await?;
        record.as_ref().map(store_from_record).transpose()
    }

    async fn replace_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>> {
        self.replace_place(scope, &STORE, store, write).await
    }

    async fn delete_store(
        &self,
        scope: HouseholdScope,
        id: StoreId,
        write: Write<'_>,
    ) -> Result<bool> {
        self.delete_place(scope, &STORE, keys::store(scope.household(), id), write).await
    }
}
