//! Resources in relational tables: foreign keys keep both ends of a relationship in one account; a
//! lock per account prevents cycles.

mod across;
mod create;
mod delete;
mod deletions;
mod keys;
mod list;
mod members;
mod preview;
mod replace;
mod row;
mod tree;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    CollectionMemberRelationship, Deletion, DeletionId, Doomed, ParentChildRelationship,
    PropertyName, Resource, ResourceKind, UniqueValue, Urn,
};
use larder_storage::{
    AccountScope, AddMember, AttachResource, CreateResource, DeleteResource, Membership, Page,
    ReplaceResource, Resources, Result, Write,
};

use crate::PostgresStore;

pub(crate) use keys::KeyJson;
pub(crate) use list::one_more;
pub(crate) use row::read_urn;

#[async_trait]
impl Resources for PostgresStore {
    async fn create_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource> {
        self.database.retry(|| self.make_resource(scope, resource, write)).await
    }

    async fn find_resource(&self, scope: &AccountScope, urn: &Urn) -> Result<Option<Resource>> {
        self.database.retry(|| self.resource(scope, urn)).await
    }

    async fn replace_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource> {
        let change = || self.change_resource(scope, resource, expected_version, write);
        self.database.retry(change).await
    }

    async fn list_resources(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>> {
        self.database.retry(|| self.resources_page(scope, kind, after, limit)).await
    }

    async fn list_children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        self.database.retry(|| self.children_page(scope, parent, after, limit)).await
    }

    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        self.database.retry(|| self.ancestors_page(scope, urn, after, limit)).await
    }

    async fn attach_resource(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource> {
        self.database.retry(|| self.attach(scope, link, write)).await
    }

    async fn detach_resource(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>> {
        self.database.retry(|| self.detach(scope, child, write)).await
    }

    async fn add_to_collection(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember> {
        self.database.retry(|| self.put_into(scope, link, write)).await
    }

    async fn remove_from_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        self.database.retry(|| self.take_out_of(scope, collection, member, write)).await
    }

    async fn list_collection_members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        self.database.retry(|| self.members_page(scope, collection, after, limit)).await
    }

    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        self.database.retry(|| self.collections_page(scope, member, after, limit)).await
    }

    async fn find_by_unique_key(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>> {
        self.database.retry(|| self.holder(scope, kind, property, value)).await
    }

    async fn preview_deletion(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>> {
        self.database.retry(|| self.preview_page(scope, root, after, limit)).await
    }

    async fn delete_resource(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource> {
        self.database.retry(|| self.remove_resource(scope, root, id, write)).await
    }

    async fn continue_deletion(&self, deletion: &Deletion, at: Timestamp) -> Result<Deletion> {
        self.database.retry(|| self.delete_some_more(deletion, at)).await
    }

    async fn find_deletion(
        &self,
        scope: &AccountScope,
        id: DeletionId,
    ) -> Result<Option<Deletion>> {
        self.database.retry(|| self.deletion(scope, id)).await
    }

    async fn resources_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        self.database.retry(|| self.resources_behind(after, limit)).await
    }

    async fn rewrite_resource(&self, resource: &Resource) -> Result<bool> {
        self.database.retry(|| self.reshape_resource(resource)).await
    }
}
