//! Finding resources by URN and by unique value.

use larder_domain::{
    PropertyName, Resource, ResourceKind, UniqueKey, UniqueKeys, UniqueValue, Urn,
};
use larder_storage::{AccountScope, Result, StorageError, TakenKey};

use crate::{
    Key, MAX_ACTIONS, Record, RecordEngine, Table,
    layout::relational::{
        keys,
        resource::{self, Counted},
        unique_key::{self, UniqueKeyValue},
    },
    store::ItemStore,
};

impl<E: RecordEngine> ItemStore<E> {
    /// A resource of the account, and the counts of its links.
    pub(in crate::store) async fn find_counted(
        &self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<Counted>> {
        let found = self.engine.get(Table::Relational, &keys::resource(urn)).await?;
        of_account(scope.account(), found.as_ref())
    }

    /// Resources of the account, in order of their URNs; `None` for those that no longer exist.
    pub(in crate::store) async fn find_many(
        &self,
        scope: &AccountScope,
        urns: impl IntoIterator<Item = &Urn>,
    ) -> Result<Vec<Option<Counted>>> {
        let keys: Vec<Key> = urns.into_iter().map(keys::resource).collect();
        let mut resources = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(MAX_ACTIONS) {
            for found in self.engine.get_many(Table::Relational, chunk).await? {
                resources.push(of_account(scope.account(), found.as_ref())?);
            }
        }
        Ok(resources)
    }

    pub(super) async fn holder_of(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>> {
        let given = value.as_str().to_owned();
        let found = self.holding(scope, kind, property, given, |_| true).await?;
        if found.is_some() {
            return Ok(found);
        }
        let folded = value.folded();
        if folded == value.as_str() {
            return Ok(None);
        }
        // A holder of this exact text differs in case from the search, unless it is
        // case-insensitive.
        self.holding(scope, kind, property, folded, |held| held.case_insensitive).await
    }

    /// The resource of the account that has this value, as it is compared.
    async fn holding(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: String,
        is_sought: impl Fn(&UniqueKey) -> bool + Send,
    ) -> Result<Option<Resource>> {
        let unique = UniqueKeyValue::compared(&kind.resource_type, property, value);
        let Some(held) = self.get_unique(&unique.key()).await? else { return Ok(None) };
        let holder = unique_key::holder(&held)?;
        if holder.kind() != *kind {
            return Ok(None);
        }
        let found = self.find_counted(scope, &holder).await?.map(|counted| counted.resource);
        // It may have released the value between the two reads.
        Ok(found.filter(|resource| {
            resource.unique_keys.iter().any(|key| {
                UniqueKeyValue::of_resource(&kind.resource_type, key) == unique && is_sought(key)
            })
        }))
    }

    /// The first of the requested values that is taken, and its holder, if the account may know it.
    pub(super) async fn taken_key(
        &self,
        scope: &AccountScope,
        keys: &UniqueKeys,
        at: usize,
        held: Option<&Record>,
    ) -> Result<TakenKey> {
        let key = keys.iter().nth(at);
        let key = key.ok_or_else(|| StorageError::Defect("no such unique key".to_owned()))?;
        let holder = held.map(unique_key::holder).transpose()?;
        let holder = match holder {
            Some(holder) => self.find_counted(scope, &holder).await?.map(|_| holder),
            None => None,
        };
        Ok(TakenKey { key: key.clone(), holder })
    }
}

/// The resource, if it is of this account.
fn of_account(account: &Urn, found: Option<&Record>) -> Result<Option<Counted>> {
    let found = found.map(resource::from_record).transpose()?;
    Ok(found.filter(|counted| counted.resource.account == *account))
}
