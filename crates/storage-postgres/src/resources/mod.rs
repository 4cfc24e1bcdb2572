//! Resources in relational tables: foreign keys keep both ends of a relationship in one account; a
//! lock per account prevents cycles.

mod create;
mod delete;
mod deletions;
mod keys;
mod list;
mod members;
mod photo;
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

use crate::{PostgresStore, context::Context};
use list::{linked_page, membership_page, page};
use row::{query_members, query_resources};

pub(crate) use keys::KeyJson;
pub(crate) use row::read_urn;

#[async_trait]
impl Resources for PostgresStore {
    async fn create_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource> {
        self.retry(|| self.make_resource(scope, resource, write)).await
    }

    async fn find_resource(&self, scope: &AccountScope, urn: &Urn) -> Result<Option<Resource>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
            transaction.resource(scope, urn).await
        })
        .await
    }

    async fn replace_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource> {
        let change = || self.change_resource(scope, resource, expected_version, write);
        self.retry(change).await
    }

    async fn list_resources(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>> {
        self.retry(|| self.resources_page(scope, kind, after, limit)).await
    }

    async fn list_children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        linked_page!(
            query_resources as page,
            "FROM parent_child_relationships c
             JOIN resources r ON r.account_urn = c.account_urn AND r.urn = c.child_urn
             WHERE c.account_urn = $1 AND c.parent_urn = $2 AND c.child_urn > $3
             ORDER BY c.child_urn LIMIT $4",
            (self, scope, parent, after, limit)
        )
        .await
    }

    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        self.retry(|| self.ancestors_page(scope, urn, after, limit)).await
    }

    async fn attach_resource(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource> {
        self.retry(|| self.attach(scope, link, write)).await
    }

    async fn detach_resource(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>> {
        self.retry(|| self.detach(scope, child, write)).await
    }

    async fn add_to_collection(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember> {
        self.retry(|| self.put_into(scope, link, write)).await
    }

    async fn remove_from_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        self.retry(|| self.take_out_of(scope, collection, member, write)).await
    }

    async fn list_collection_members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        linked_page!(
            query_members as membership_page,
            "FROM collection_member_relationships m
             JOIN resources r ON r.account_urn = m.account_urn AND r.urn = m.member_urn
             WHERE m.account_urn = $1 AND m.collection_urn = $2 AND m.member_urn > $3
             ORDER BY m.member_urn LIMIT $4",
            (self, scope, collection, after, limit)
        )
        .await
    }

    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        linked_page!(
            query_members as membership_page,
            "FROM collection_member_relationships m
             JOIN resources r ON r.account_urn = m.account_urn AND r.urn = m.collection_urn
             WHERE m.account_urn = $1 AND m.member_urn = $2 AND m.collection_urn > $3
             ORDER BY m.collection_urn LIMIT $4",
            (self, scope, member, after, limit)
        )
        .await
    }

    async fn find_by_unique_key(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>> {
        self.retry(|| self.holder(scope, kind, property, value)).await
    }

    async fn preview_deletion(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>> {
        self.retry(|| self.preview_page(scope, root, after, limit)).await
    }

    async fn delete_resource(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource> {
        self.retry(|| self.remove_resource(scope, root, id, write)).await
    }

    async fn continue_deletion(&self, deletion: &Deletion, at: Timestamp) -> Result<Deletion> {
        self.retry(|| self.delete_some_more(deletion, at)).await
    }

    async fn find_deletion(
        &self,
        scope: &AccountScope,
        id: DeletionId,
    ) -> Result<Option<Deletion>> {
        self.retry(|| self.deletion(scope, id)).await
    }

    async fn resources_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        self.retry(|| self.resources_behind(after, limit)).await
    }

    async fn rewrite_resource(&self, resource: &Resource) -> Result<bool> {
        self.retry(|| self.reshape_resource(resource)).await
    }
}
