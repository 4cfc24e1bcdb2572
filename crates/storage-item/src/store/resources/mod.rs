//! The relational store: resources, relationships, and unique values.

mod ancestors;
mod attach;
mod create;
mod deletion;
mod find;
mod lists;
mod members;
mod replace;
mod upcast;

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

use super::ItemStore;
use crate::RecordEngine;

#[async_trait]
impl<E: RecordEngine> Resources for ItemStore<E> {
    async fn create_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource> {
        self.create_in_account(scope, resource, write).await
    }

    async fn find_resource(&self, scope: &AccountScope, urn: &Urn) -> Result<Option<Resource>> {
        Ok(self.find_counted(scope, urn).await?.map(|counted| counted.resource))
    }

    async fn replace_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource> {
        self.replace_content(scope, resource, expected_version, write).await
    }

    async fn list_resources(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>> {
        self.resources_of_account(scope, kind, after, limit).await
    }

    async fn list_children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        self.children_of(scope, parent, after, limit).await
    }

    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        self.ancestors_of(scope, urn, after, limit).await
    }

    async fn attach_resource(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource> {
        self.attach(scope, link, write).await
    }

    async fn detach_resource(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>> {
        self.detach(scope, child, write).await
    }

    async fn add_to_collection(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember> {
        self.put_into_collection(scope, link, write).await
    }

    async fn remove_from_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        self.take_out_of_collection(scope, collection, member, write).await
    }

    async fn list_collection_members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        self.collection_members(scope, collection, after, limit).await
    }

    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        self.collections_of_member(scope, member, after, limit).await
    }

    async fn find_by_unique_key(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>> {
        self.holder_of(scope, kind, property, value).await
    }

    async fn preview_deletion(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>> {
        self.preview_tree(scope, root, after, limit).await
    }

    async fn delete_resource(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource> {
        self.delete_tree(scope, root, id, write).await
    }

    async fn continue_deletion(&self, deletion: &Deletion, at: Timestamp) -> Result<Deletion> {
        self.continue_tree_deletion(deletion, at).await
    }

    async fn find_deletion(
        &self,
        scope: &AccountScope,
        id: DeletionId,
    ) -> Result<Option<Deletion>> {
        self.tree_deletion(scope, id).await
    }

    async fn resources_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        self.scan_resources(after, limit).await
    }

    async fn rewrite_resource(&self, resource: &Resource) -> Result<bool> {
        self.write_upcast(resource).await
    }
}
