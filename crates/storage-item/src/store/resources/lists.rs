//! Lists of resources, in the order of their names: of an account, of a parent, of a collection, and of a member.

use larder_domain::{Resource, ResourceKind, Urn};
use larder_storage::{AccountScope, Membership, Page, Result};

use crate::{
    BY_ACCOUNT, INVERTED, Key, MAX_QUERY_LIMIT, Position, Query, Record, RecordEngine, SortKeys,
    Table,
    layout::relational::{collection_member, keys, parent_child, resource},
    store::ItemStore,
};

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn resources_of_account(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>> {
        let mut query = Query {
            index: Some(BY_ACCOUNT),
            sort: kind.map_or(SortKeys::Any, |kind| SortKeys::BeginsWith(kind.prefix())),
            start_after: after
                .map(|urn| Position { sort: urn.to_string(), key: keys::resource(urn) }),
            ..rows_of(scope.account().to_string(), "", limit)
        };
        let mut resources = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                resources.push(resource::from_record(record)?.resource);
            }
            match page.next {
                Some(next) if resources.len() <= limit => query.start_after = Some(next),
                _ => return Ok(Page::cut(resources, limit, |last| last.urn.clone())),
            }
        }
    }

    pub(super) async fn children_of(
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
            start_after: after.map(|child| in_table(keys::parent_child(parent, child))),
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

    pub(super) async fn collection_members(
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
            start_after: after.map(|member| in_table(keys::collection_member(collection, member))),
            ..rows_of(keys::collection_pk(collection), keys::MEMBER_PREFIX, limit)
        };
        let member = |row: &Record| {
            let membership = collection_member::from_record(row)?;
            Ok((membership.link.member().clone(), membership))
        };
        let members = self.linked(scope, query, limit, member, |_| true).await?;
        Ok(Some(memberships(members, limit)))
    }

    pub(super) async fn collections_of_member(
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
    Query {
        table: Table::Relational,
        index: None,
        pk,
        sort: SortKeys::BeginsWith(prefix.to_owned()),
        forward: true,
        limit: (limit + 1).min(MAX_QUERY_LIMIT),
        start_after: None,
    }
}

fn in_table(key: Key) -> Position {
    Position { sort: key.sk.clone(), key }
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
