//! Resources, relationships and grants.

use larder_domain::{
    AccessAction, Attributes, CollectionMemberRelationship, Deletion, DeletionId, Grant,
    GrantFilter, GrantPosition, GrantedActions, HouseholdId, ParentChildRelationship, PropertyName,
    Resource, SchemaVersion, UniqueKey, UniqueKeys, UniqueValue, Urn,
};
use larder_storage::{
    AccountScope, AddMember, AttachResource, CreateResource, DeleteResource, Membership, Page,
    PutGrant, Result, StorageError,
};

use super::StoreHarness;

/// How often a call that a lagging index delays is retried.
const PATIENCE: usize = 200;

impl StoreHarness {
    /// Limits the rounds of races, for stores on which they are slow.
    #[must_use]
    pub fn with_rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds;
        self
    }

    /// Runs tests with many similar rounds in fewer of them, for everyday runs on a slow store.
    #[must_use]
    pub fn reduced(mut self) -> Self {
        self.is_reduced = true;
        self
    }

    /// All of these, or on a store at reduced scale only some.
    pub(crate) fn scaled<'a, T>(&self, all: &'a [T], some: &'a [T]) -> &'a [T] {
        if self.is_reduced { some } else { all }
    }

    /// How often a race is run that should be run so often.
    pub(crate) fn rounds(&self, wished: usize) -> usize {
        wished.min(self.rounds)
    }

    /// Someone's right to an account that no other test has.
    pub(crate) fn account(&self) -> AccountScope {
        let household = HouseholdId::from_random(self.bytes());
        AccountScope::assume_authorized(Urn::of_household(household), self.user_id())
    }

    /// The name of something new, greater than those before.
    pub(crate) fn urn_of(&self, resource_type: &str) -> Urn {
        let id = self.item_id().to_string();
        let at = self.write().at.as_millisecond();
        let text =
            format!("urn:pp:{resource_type}::{:08x}-{:04x}{}", at >> 16, at & 0xffff, &id[13..]);
        text.parse().unwrap()
    }

    pub(crate) fn urn(&self) -> Urn {
        self.urn_of("Home.Box")
    }

    pub(crate) fn principal(&self) -> Urn {
        Urn::of_user(self.user_id())
    }

    pub(crate) fn deletion_id(&self) -> DeletionId {
        DeletionId::from_random(self.bytes())
    }

    /// A resource created now, with the fewest fields.
    pub(crate) fn plain(&self, scope: &AccountScope, urn: Urn) -> Resource {
        let at = self.write().at;
        Resource {
            urn,
            account: scope.account().clone(),
            parent: None,
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::default(),
            created_at: at,
            updated_at: at,
        }
    }

    /// Creates a resource at its creation time.
    pub(crate) async fn create(&self, scope: &AccountScope, resource: &Resource) -> CreateResource {
        let write = larder_storage::Write::at(resource.created_at);
        self.store.create_resource(scope, resource, write).await.unwrap()
    }

    /// A new resource, below this one or without a parent.
    pub(crate) async fn made(&self, scope: &AccountScope, parent: Option<&Urn>) -> Resource {
        let resource = Resource { parent: parent.cloned(), ..self.plain(scope, self.urn()) };
        assert_eq!(self.create(scope, &resource).await, CreateResource::Created);
        resource
    }

    /// A resource that is new, with these unique values.
    pub(crate) async fn keyed(&self, scope: &AccountScope, keys: Vec<UniqueKey>) -> Resource {
        let unique_keys = UniqueKeys::new(keys).unwrap();
        let resource = Resource { unique_keys, ..self.plain(scope, self.urn()) };
        assert_eq!(self.create(scope, &resource).await, CreateResource::Created);
        resource
    }

    /// Resources of which each is in the one before.
    pub(crate) async fn chain(&self, scope: &AccountScope, length: usize) -> Vec<Resource> {
        let mut chain: Vec<Resource> = Vec::new();
        for _ in 0..length {
            let parent = chain.last().map(|last| &last.urn);
            chain.push(self.made(scope, parent).await);
        }
        chain
    }

    /// The number of unique values that fit into one resource, given the store's limit of actions.
    pub(crate) async fn most_unique_keys(&self) -> usize {
        let Some(beneath) = &self.beneath else { return larder_domain::MAX_UNIQUE_KEYS };
        // The resource, its parent, the link between them and a claim are in the same transaction.
        let actions = beneath.max_actions().await.unwrap() - 4;
        actions.min(larder_domain::MAX_UNIQUE_KEYS)
    }

    /// A text that no other test uses.
    pub(crate) fn mark(&self) -> String {
        self.item_id().to_string()
    }

    pub(crate) async fn resource(&self, scope: &AccountScope, urn: &Urn) -> Option<Resource> {
        self.store.find_resource(scope, urn).await.unwrap()
    }

    pub(crate) async fn attach(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        child: &Urn,
    ) -> AttachResource {
        let link = ParentChildRelationship::new(parent.clone(), child.clone()).unwrap();
        self.store.attach_resource(scope, &link, self.write()).await.unwrap()
    }

    pub(crate) async fn detach(&self, scope: &AccountScope, child: &Urn) -> Option<Resource> {
        self.store.detach_resource(scope, child, self.write()).await.unwrap()
    }

    pub(crate) async fn put_into(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        conveys: bool,
    ) -> AddMember {
        let link = CollectionMemberRelationship::new(collection.clone(), member.clone(), conveys);
        self.store.add_to_collection(scope, &link.unwrap(), self.write()).await.unwrap()
    }

    pub(crate) async fn take_out(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
    ) -> bool {
        self.store.remove_from_collection(scope, collection, member, self.write()).await.unwrap()
    }

    pub(crate) async fn resources(&self, scope: &AccountScope, limit: usize) -> Vec<Resource> {
        let read = async |after: Option<Urn>| {
            self.store.list_resources(scope, None, after.as_ref(), limit).await.map(Some)
        };
        all_pages(limit, read).await.expect("an account has a list")
    }

    pub(crate) async fn children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        limit: usize,
    ) -> Option<Vec<Resource>> {
        let read = async |after: Option<Urn>| {
            self.store.list_children(scope, parent, after.as_ref(), limit).await
        };
        all_pages(limit, read).await
    }

    pub(crate) async fn ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        limit: usize,
    ) -> Option<Vec<Resource>> {
        let read = async |after: Option<Urn>| {
            self.store.list_ancestors(scope, urn, after.as_ref(), limit).await
        };
        all_pages(limit, read).await
    }

    pub(crate) async fn members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        limit: usize,
    ) -> Option<Vec<Membership>> {
        let read = async |after: Option<Urn>| {
            self.store.list_collection_members(scope, collection, after.as_ref(), limit).await
        };
        all_pages(limit, read).await
    }

    pub(crate) async fn collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        limit: usize,
    ) -> Option<Vec<Membership>> {
        let read = async |after: Option<Urn>| {
            self.store.list_collections(scope, member, after.as_ref(), limit).await
        };
        all_pages(limit, read).await
    }

    pub(crate) async fn preview(
        &self,
        scope: &AccountScope,
        root: &Urn,
        limit: usize,
    ) -> Option<Vec<larder_domain::Doomed>> {
        let read = async |after: Option<Urn>| {
            self.store.preview_deletion(scope, root, after.as_ref(), limit).await
        };
        all_pages(limit, read).await
    }

    /// Moves lagging indexes on a little.
    pub(crate) async fn move_on(&self) {
        self.pace.step().await;
    }

    /// Retries while a lagging index delays the result.
    pub(crate) async fn patiently<T>(&self, mut ask: impl AsyncFnMut() -> Result<T>) -> T {
        for _ in 0..PATIENCE {
            match ask().await {
                Err(StorageError::Contention(_)) => self.pace.step().await,
                answer => return answer.unwrap(),
            }
        }
        panic!("the index did not catch up");
    }

    /// Begins to delete, and waits for lagging indexes.
    pub(crate) async fn begin_to_delete(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
    ) -> DeleteResource {
        let begin = async || self.store.delete_resource(scope, root, id, self.write()).await;
        self.patiently(begin).await
    }

    /// Continues a deletion to its end, and returns the number of deleted resources.
    pub(crate) async fn finish(&self, mut deletion: Deletion) -> u64 {
        while deletion.finished_at.is_none() {
            let at = self.write().at;
            let go_on = async || self.store.continue_deletion(&deletion, at).await;
            let next = self.patiently(go_on).await;
            assert!(next.removed >= deletion.removed, "what is gone stays gone");
            deletion = next;
        }
        deletion.removed
    }

    /// Deletes a resource with all below it, in however many transactions, and returns how many
    /// resources went.
    pub(crate) async fn delete_to_its_end(&self, scope: &AccountScope, root: &Urn) -> Option<u64> {
        match self.begin_to_delete(scope, root, self.deletion_id()).await {
            DeleteResource::Deleted(count) => Some(count),
            DeleteResource::Begun(deletion) => Some(self.finish(deletion).await),
            DeleteResource::NotFound => None,
        }
    }

    /// Adds a grant now.
    pub(crate) async fn grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
        what: &[&str],
    ) -> Grant {
        let write = self.write();
        let grant = Grant {
            principal: principal.clone(),
            on: on.clone(),
            account: scope.account().clone(),
            actions: actions(what),
            created_at: write.at,
            updated_at: write.at,
        };
        match self.store.put_grant(scope, &grant, write).await.unwrap() {
            PutGrant::Saved(saved) => saved,
            PutGrant::ResourceNotFound => panic!("{on} should be there"),
        }
    }

    pub(crate) async fn grants(
        &self,
        scope: &AccountScope,
        filter: &GrantFilter,
        limit: usize,
    ) -> Vec<Grant> {
        let read = async |after: Option<GrantPosition>| {
            self.store.list_grants(scope, filter, after.as_ref(), limit).await.map(Some)
        };
        all_pages(limit, read).await.expect("an account has a list")
    }
}

/// A whole list, read page by page; checks the rules of paging.
async fn all_pages<T, P>(
    limit: usize,
    mut read: impl AsyncFnMut(Option<P>) -> Result<Option<Page<T, P>>>,
) -> Option<Vec<T>> {
    let (mut items, mut after) = (Vec::new(), None);
    loop {
        let page = read(after.take()).await.unwrap()?;
        assert!(page.items.len() <= limit, "a page holds at most what was asked for");
        assert!(
            page.next.is_none() || !page.items.is_empty(),
            "no page is empty while more follow"
        );
        items.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return Some(items),
        }
    }
}

pub(crate) fn unique(property: &str, value: &str, case_insensitive: bool) -> UniqueKey {
    UniqueKey {
        property: PropertyName::parse(property).unwrap(),
        value: UniqueValue::parse(value).unwrap(),
        case_insensitive,
    }
}

pub(crate) fn action(text: &str) -> AccessAction {
    AccessAction::parse(text).unwrap()
}

pub(crate) fn actions(texts: &[&str]) -> GrantedActions {
    GrantedActions::new(texts.iter().map(|text| action(text))).unwrap()
}

/// The names, for comparing.
pub(crate) fn urns(resources: &[Resource]) -> Vec<Urn> {
    resources.iter().map(|resource| resource.urn.clone()).collect()
}
