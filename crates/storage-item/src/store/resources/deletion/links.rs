//! Links to a resource other than from children and parent: memberships on either side, and grants.

use larder_domain::Urn;
use larder_storage::Result;

use crate::{
    INVERTED, Key, MAX_ACTIONS, MAX_QUERY_LIMIT, Query, Record, RecordEngine, Table,
    layout::relational::{collection_member, grant, keys},
    store::ItemStore,
};

/// A link that is deleted with either of its resources.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// One is a member of the other.
    Membership { collection: Urn, member: Urn },
    /// A grant on it.
    Grant { principal: Urn, on: Urn },
}

impl Link {
    /// The record that it is.
    pub(super) fn target(&self) -> (Table, Key) {
        match self {
            Self::Membership { collection, member } => {
                (Table::Relational, keys::collection_member(collection, member))
            }
            Self::Grant { principal, on } => (Table::Grants, keys::grant(principal, on)),
        }
    }

    /// The resources that count it.
    pub(super) fn ends(&self) -> impl Iterator<Item = &Urn> {
        let (one, other) = match self {
            Self::Membership { collection, member } => (collection, Some(member)),
            Self::Grant { on, .. } => (on, None),
        };
        std::iter::once(one).chain(other)
    }

    fn of_membership(record: &Record) -> Result<Self> {
        let link = collection_member::from_record(record)?.link;
        let (collection, member) = (link.collection().clone(), link.member().clone());
        Ok(Self::Membership { collection, member })
    }

    fn of_grant(record: &Record) -> Result<Self> {
        let held = grant::from_record(record)?;
        Ok(Self::Grant { principal: held.principal, on: held.on })
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Up to so many of the links to a resource. A lagging index may hide some, which the
    /// resource's count of links reveals; stale entries are skipped.
    pub(super) async fn links_naming(
        &self,
        account: &Urn,
        urn: &Urn,
        limit: usize,
    ) -> Result<Vec<Link>> {
        let at_once = limit.min(MAX_QUERY_LIMIT);
        let rows = |pk, prefix| Query::under(Table::Relational, pk, prefix, at_once);
        let members = rows(keys::collection_pk(urn), keys::MEMBER_PREFIX);
        let collections = rows(keys::member_sk(urn), keys::COLLECTION_PREFIX).by(INVERTED);
        let grants = grant::of_account(account, Some(urn), at_once);
        let mut links = Vec::new();
        self.gather_links(members, Link::of_membership, limit, &mut links).await?;
        self.gather_links(collections, Link::of_membership, limit, &mut links).await?;
        self.gather_links(grants, Link::of_grant, limit, &mut links).await?;
        Ok(links)
    }

    /// Collects the existing links of a query, up to a limit.
    async fn gather_links(
        &self,
        mut query: Query,
        decode: fn(&Record) -> Result<Link>,
        limit: usize,
        links: &mut Vec<Link>,
    ) -> Result<()> {
        while links.len() < limit {
            let page = self.engine.query(&query).await?;
            let found = if query.index.is_none() {
                page.records
            } else {
                self.still_there(query.table, &page.records).await?
            };
            for record in found.iter().take(limit - links.len()) {
                links.push(decode(record)?);
            }
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => break,
            }
        }
        Ok(())
    }

    /// The current records of those shown by an index.
    async fn still_there(&self, table: Table, shown: &[Record]) -> Result<Vec<Record>> {
        let keys: Vec<Key> = shown.iter().filter_map(|record| table.key_of(record)).collect();
        let mut current = Vec::with_capacity(keys.len());
        for keys in keys.chunks(MAX_ACTIONS) {
            current.extend(self.engine.get_many(table, keys).await?.into_iter().flatten());
        }
        Ok(current)
    }
}
