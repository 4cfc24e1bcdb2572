//! Trees, a client that deletes them, and another that uses the same store.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use jiff::Timestamp;
use larder_domain::{
    Attributes, CollectionMemberRelationship, Deletion, DeletionId, HouseholdId,
    ParentChildRelationship, PropertyName, Resource, SchemaVersion, UniqueKey, UniqueKeys,
    UniqueValue, Urn, UserId,
};
use larder_storage::{
    AccountScope, AddMember, AttachResource, CreateResource, DeleteResource, ManualClock,
    Resources as _, Result, Write,
};
use larder_storage_item::{ItemStore, Record, RecordEngine as _, Table};
use larder_storage_testkit::{Intercepted, ReferenceEngine, START};

use super::interrupted::Interrupted;

/// A client of a store: all share one clock, which each write advances.
#[derive(Clone)]
pub(crate) struct Gardener {
    store: Arc<ItemStore<ReferenceEngine>>,
    engine: Arc<ReferenceEngine>,
    minutes: Arc<AtomicU32>,
    pub(crate) scope: AccountScope,
}

/// A store with two clients: one deletes, and is interrupted; the other does the rest.
pub(crate) struct Grove {
    pub(crate) engine: Arc<Intercepted<Interrupted>>,
    pub(crate) store: ItemStore<Intercepted<Interrupted>>,
    pub(crate) others: Gardener,
}

impl Grove {
    pub(crate) fn on(narrow: impl FnOnce(Arc<ReferenceEngine>) -> Interrupted) -> Self {
        let clock = Arc::new(ManualClock::new(START));
        let engine = Arc::new(ReferenceEngine::new(Arc::clone(&clock) as _));
        let account = Urn::of_household(HouseholdId::fixed(1));
        let scope = AccountScope::assume_authorized(account, UserId::fixed(2));
        let store = Arc::new(ItemStore::new(Arc::clone(&engine), Arc::clone(&clock) as _));
        let minutes = Arc::default();
        let others = Gardener { store, engine: Arc::clone(&engine), minutes, scope };
        let engine = Arc::new(Intercepted(narrow(engine)));
        let store = ItemStore::new(Arc::clone(&engine), clock as _);
        Self { engine, store, others }
    }

    /// A store with this limit of actions per transaction.
    pub(crate) fn taking(most_actions: usize) -> Self {
        Self::on(|engine| Interrupted::new(engine, most_actions))
    }

    pub(crate) async fn begin(&self, root: &Urn) -> DeleteResource {
        let (scope, at) = (&self.others.scope, self.others.now());
        let id = DeletionId::fixed(at.as_second().unsigned_abs().into());
        self.store.delete_resource(scope, root, id, Write::at(at)).await.unwrap()
    }

    pub(crate) async fn begun(&self, root: &Urn) -> Deletion {
        match self.begin(root).await {
            DeleteResource::Begun(deletion) => deletion,
            other => panic!("{other:?}"),
        }
    }

    /// Continues a deletion to its end, and counts the calls.
    pub(crate) async fn finish(&self, mut deletion: Deletion) -> Result<(Deletion, usize)> {
        let mut calls = 0;
        while deletion.finished_at.is_none() {
            deletion = self.store.continue_deletion(&deletion, self.others.now()).await?;
            calls += 1;
        }
        Ok((deletion, calls))
    }

    /// Deletes a tree in more than one transaction, and answers how many resources went.
    pub(crate) async fn delete(&self, root: &Urn) -> u64 {
        let begun = self.begun(root).await;
        self.finish(begun).await.unwrap().0.removed
    }
}

impl Gardener {
    /// The time, which advances by a minute with each call.
    pub(crate) fn now(&self) -> Timestamp {
        let minutes = self.minutes.fetch_add(1, Ordering::SeqCst);
        START + jiff::SignedDuration::from_mins(minutes.into())
    }

    fn write(&self) -> Write<'static> {
        Write::at(self.now())
    }

    pub(crate) async fn plant(&self, n: u32, parent: Option<&Urn>) -> Urn {
        self.plant_with(n, parent, UniqueKeys::default()).await
    }

    pub(crate) async fn plant_with(
        &self,
        n: u32,
        parent: Option<&Urn>,
        unique_keys: UniqueKeys,
    ) -> Urn {
        let write = self.write();
        let resource = Resource {
            urn: urn(n),
            account: self.scope.account().clone(),
            parent: parent.cloned(),
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys,
            attributes: Attributes::default(),
            created_at: write.at,
            updated_at: write.at,
        };
        let made = self.store.create_resource(&self.scope, &resource, write).await.unwrap();
        assert_eq!(made, CreateResource::Created, "{n}");
        resource.urn
    }

    /// A tree of so many resources, the first as its root, with so many children each until all are
    /// used.
    pub(crate) async fn plant_tree(
        &self,
        numbers: std::ops::Range<u32>,
        children: u32,
    ) -> Vec<Urn> {
        let first = numbers.start;
        let mut tree: Vec<Urn> = Vec::new();
        for n in numbers {
            let parent = (n > first).then(|| urn(first + (n - first - 1) / children));
            tree.push(self.plant(n, parent.as_ref()).await);
        }
        tree
    }

    pub(crate) async fn attach(&self, child: &Urn, parent: &Urn) {
        let link = ParentChildRelationship::new(parent.clone(), child.clone()).unwrap();
        let attached = self.store.attach_resource(&self.scope, &link, self.write()).await.unwrap();
        assert!(matches!(attached, AttachResource::Attached(_)), "{attached:?}");
    }

    pub(crate) async fn detach(&self, child: &Urn) {
        let detached = self.store.detach_resource(&self.scope, child, self.write()).await.unwrap();
        assert!(detached.is_some());
    }

    pub(crate) async fn put_into(&self, collection: &Urn, member: &Urn) {
        let link =
            CollectionMemberRelationship::new(collection.clone(), member.clone(), true).unwrap();
        let added = self.store.add_to_collection(&self.scope, &link, self.write()).await.unwrap();
        assert_eq!(added, AddMember::Added);
    }

    /// Deletes a tree that fits into one transaction.
    pub(crate) async fn fell(&self, root: &Urn) -> DeleteResource {
        let id = DeletionId::fixed(u128::MAX);
        self.store.delete_resource(&self.scope, root, id, self.write()).await.unwrap()
    }

    pub(crate) async fn is_there(&self, urn: &Urn) -> bool {
        self.store.find_resource(&self.scope, urn).await.unwrap().is_some()
    }

    /// Every record of resources, of their relationships and unique values.
    pub(crate) async fn records(&self) -> Vec<Record> {
        self.engine.scan(Table::Relational, None, 10_000).await.unwrap().records
    }
}

pub(crate) fn urn(n: u32) -> Urn {
    format!("urn:pp:Home.Box::00000000-0000-0000-0000-{n:012}").parse().unwrap()
}

pub(crate) fn serials(count: u32) -> UniqueKeys {
    let serial = |n: u32| UniqueKey {
        property: PropertyName::parse("serial").unwrap(),
        value: UniqueValue::parse(&n.to_string()).unwrap(),
        case_insensitive: false,
    };
    UniqueKeys::new((0..count).map(serial).collect()).unwrap()
}
