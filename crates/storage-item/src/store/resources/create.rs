//! Making a resource, with its place and its unique values, in one transaction.

use larder_domain::{ParentChildRelationship, Resource};
use larder_storage::{AccountScope, CreateResource, Result, StorageError, Write, WriteKind};

use crate::{
    Action, Condition, Record, RecordEngine, Table,
    layout::relational::{
        keys,
        parent_child::{self, Parentage},
        resource::{self, Counted},
        unique_key::UniqueKeyValue,
    },
    store::{
        ItemStore,
        change_set::{ChangeSet, Commit},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Resource,
    Parent,
    Link,
    Key(usize),
}

/// Writes a whole record of the relational table.
pub(super) fn put(record: Record, when: Vec<Condition>) -> Action {
    Action::Put { table: Table::Relational, record, when, embed: None }
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn create_in_account(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource> {
        if resource.account != *scope.account() {
            return Err(StorageError::Defect("a resource of another account".to_owned()));
        }
        // Of several conflicts, the first step is reported: every engine checks in this order.
        let record = resource::to_record(&Counted::new(resource.clone()));
        let mut set =
            ChangeSet::new().step(Step::Resource, put(record, vec![Condition::NotExists]));
        if let Some(parent) = &resource.parent {
            let Ok(link) = ParentChildRelationship::new(parent.clone(), resource.urn.clone())
            else {
                return self.own_parent(scope, resource, write).await;
            };
            let link = Parentage {
                link,
                account: resource.account.clone(),
                created_at: resource.created_at,
            };
            set = set
                .step(Step::Parent, resource::count_children(parent, scope.account(), 1))
                .step(Step::Link, put(parent_child::to_record(&link), vec![]));
        }
        for (at, key) in resource.unique_keys.iter().enumerate() {
            let unique = UniqueKeyValue::of_resource(resource.urn.resource_type(), key);
            set = set.step(Step::Key(at), unique.take(resource.urn.as_str(), write.at));
        }
        let did = Some((WriteKind::RESOURCE_CREATED, Step::Resource));
        match self.commit(scope.actor(), write, set, did).await? {
            Commit::Done(_) => Ok(CreateResource::Created),
            Commit::Failed(Step::Resource, _) => Ok(CreateResource::Exists),
            Commit::Failed(Step::Parent | Step::Link, _) => Ok(CreateResource::ParentNotFound),
            Commit::Failed(Step::Key(at), held) => {
                let keys = &resource.unique_keys;
                let taken = self.taken_key(scope, keys, at, held.as_deref()).await?;
                Ok(CreateResource::UniqueKeyTaken(taken))
            }
        }
    }

    /// A resource that does not exist yet cannot be its own parent.
    async fn own_parent(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource> {
        self.refuse_used_key(scope.actor(), write).await?;
        let key = keys::resource(&resource.urn);
        Ok(match self.engine.get(Table::Relational, &key).await? {
            Some(_) => CreateResource::Exists,
            None => CreateResource::ParentNotFound,
        })
    }
}
