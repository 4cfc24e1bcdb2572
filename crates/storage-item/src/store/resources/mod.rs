//! The relational store: resources, relationships, and unique values. Lists are in the order of
//! names.

mod attach;
mod create;
mod deletion;
mod find;
mod members;
mod photo;
mod replace;
mod upcast;

use std::collections::HashSet;

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
use crate::{
    BY_ACCOUNT, INVERTED, MAX_QUERY_LIMIT, Position, Query, Record, RecordEngine, SortKeys, Table,
    layout::relational::{collection_member, keys, parent_child, resource},
};

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
        let query = Query {
            index: Some(BY_ACCOUNT),
            sort: kind.map_or(SortKeys::Any, |kind| SortKeys::BeginsWith(kind.prefix())),
            start_after: after
                .map(|urn| Position { sort: urn.to_string(), key: keys::resource(urn) }),
            ..rows_of(scope.account().to_string(), "", limit)
        };
        let read = |record: &Record| Ok(Some(resource::from_record(record)?.resource));
        self.page_of(query, limit, read, |last| last.urn.clone()).await
    }

    async fn list_children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        if self.find_counted(scope, parent).await?.is_none() {
            return Ok(None);
        }
        let query = Query {
            start_after: after.map(|child| Position::in_table(keys::parent_child(parent, child))),
            ..rows_of(keys::parent_pk(parent), keys::CHILD_PREFIX, limit)
        };
        let child = |row: &Record| {
            let link = parent_child::from_record(row)?;
            Ok((link.link.child().clone(), ()))
        };
        // It may have been moved between the two reads.
        let is_child = |child: &Resource| child.parent.as_ref() == Some(parent);
        let children = self.linked(scope, query, limit, child, is_child).await?;
        let children = children.into_iter().map(|(child, ())| child).collect();
        Ok(Some(Page::cut(children, limit, |last: &Resource| last.urn.clone())))
    }

    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        let Some(resource) = self.find_counted(scope, urn).await? else { return Ok(None) };
        let from = match after {
            None => Some(resource),
            Some(after) => self.find_counted(scope, after).await?,
        };
        let mut next = from.and_then(|from| from.resource.parent);
        let mut ancestors: Vec<Resource> = Vec::new();
        while ancestors.len() <= limit
            && let Some(parent) = &next
        {
            let Some(found) = self.find_counted(scope, parent).await? else { break };
            next.clone_from(&found.resource.parent);
            ancestors.push(found.resource);
        }
        Ok(Some(Page::cut(ancestors, limit, |last| last.urn.clone())))
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
        if self.find_counted(scope, collection).await?.is_none() {
            return Ok(None);
        }
        let query = Query {
            start_after: after
                .map(|member| Position::in_table(keys::collection_member(collection, member))),
            ..rows_of(keys::collection_pk(collection), keys::MEMBER_PREFIX, limit)
        };
        let member = |row: &Record| {
            let membership = collection_member::from_record(row)?;
            Ok((membership.link.member().clone(), membership))
        };
        let members = self.linked(scope, query, limit, member, |_| true).await?;
        Ok(Some(memberships(members, limit)))
    }

    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>> {
        if self.find_counted(scope, member).await?.is_none() {
            return Ok(None);
        }
        let query = Query {
            index: Some(INVERTED),
            start_after: after.map(|collection| Position {
                sort: keys::collection_pk(collection),
                key: keys::collection_member(collection, member),
            }),
            ..rows_of(keys::member_sk(member), keys::COLLECTION_PREFIX, limit)
        };
        let collection = |row: &Record| {
            let membership = collection_member::from_record(row)?;
            Ok((membership.link.collection().clone(), membership))
        };
        let collections = self.linked(scope, query, limit, collection, |_| true).await?;
        Ok(Some(memberships(collections, limit)))
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

impl<E: RecordEngine> ItemStore<E> {
    /// The resources that rows of links lead to, with the rows' data: one more than the limit if
    /// there are as many. Resources deleted or unlinked since the rows were read are omitted.
    async fn linked<T: Send>(
        &self,
        scope: &AccountScope,
        mut query: Query,
        limit: usize,
        read: impl Fn(&Record) -> Result<(Urn, T)> + Send + Sync,
        is_linked: impl Fn(&Resource) -> bool + Send + Sync,
    ) -> Result<Vec<(Resource, T)>> {
        let mut linked = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            let rows = page.records.iter().map(&read).collect::<Result<Vec<_>>>()?;
            let found = self.find_many(scope, rows.iter().map(|(urn, _)| urn)).await?;
            for (found, (_, row)) in found.into_iter().zip(rows) {
                let found = found.map(|counted| counted.resource);
                linked.extend(found.filter(&is_linked).map(|resource| (resource, row)));
            }
            match page.next {
                Some(next) if linked.len() <= limit => query.start_after = Some(next),
                _ => return Ok(linked),
            }
        }
    }
}

/// The records of a partition of the relational table under a prefix, from the first.
fn rows_of(pk: String, prefix: &str, limit: usize) -> Query {
    Query::under(Table::Relational, pk, prefix, (limit + 1).min(MAX_QUERY_LIMIT))
}

fn memberships(
    linked: Vec<(Resource, collection_member::Membership)>,
    limit: usize,
) -> Page<Membership, Urn> {
    let memberships = linked.into_iter().map(|(resource, row)| Membership {
        resource,
        conveys_authorization: row.link.conveys_authorization,
        created_at: row.created_at,
    });
    Page::cut(memberships.collect(), limit, |last: &Membership| last.resource.urn.clone())
}

impl<E: RecordEngine> ItemStore<E> {
    /// Whether a resource is an ancestor of another, or is it. Also `true` if the path repeats, as
    /// it may during concurrent moves.
    async fn is_above(&self, scope: &AccountScope, above: &Urn, from: &Resource) -> Result<bool> {
        let mut passed = HashSet::from([from.urn.clone()]);
        let mut next = from.parent.clone();
        while !passed.contains(above)
            && let Some(parent) = next
        {
            if !passed.insert(parent.clone()) {
                return Ok(true);
            }
            let found = self.find_counted(scope, &parent).await?;
            next = found.and_then(|found| found.resource.parent);
        }
        Ok(passed.contains(above))
    }
}
