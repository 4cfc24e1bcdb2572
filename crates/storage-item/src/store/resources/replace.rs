//! Replacing a resource. Its old values are released in the same transaction that claims the new
//! ones.

use larder_domain::{Resource, UniqueKey};
use larder_storage::{AccountScope, ReplaceResource, Result, Write};

use crate::{
    RecordEngine,
    layout::relational::{
        resource::{self, Counted},
        unique_key::UniqueKeyValue,
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Resource,
    /// One of the unique values that it is to have.
    Take(usize),
    Release,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn replace_content(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_counted(scope, &resource.urn).await? else {
                return Ok(ReplaceResource::NotFound);
            };
            if expected_version.is_some_and(|expected| expected != current.resource.version) {
                return Ok(ReplaceResource::Stale(Box::new(current.resource)));
            }
            let new = changed(&current, resource, write);
            match self.commit(scope.actor(), write, changes(&current, &new, write), None).await? {
                Commit::Done(_) => return Ok(ReplaceResource::Replaced(Box::new(new))),
                Commit::Failed(Step::Take(at), held) => {
                    let taken =
                        self.taken_key(scope, &new.unique_keys, at, held.as_deref()).await?;
                    return Ok(ReplaceResource::UniqueKeyTaken(taken));
                }
                // It changed meanwhile: the next attempt returns its current state.
                Commit::Failed(Step::Resource | Step::Release, _) => {}
            }
        }
        Err(contention("replacing a resource"))
    }
}

/// The new resource, with its unchangeable fields.
fn changed(current: &Counted, wanted: &Resource, write: Write<'_>) -> Resource {
    Resource {
        schema_version: wanted.schema_version,
        version: current.resource.version + 1,
        unique_keys: wanted.unique_keys.clone(),
        attributes: wanted.attributes.clone(),
        updated_at: write.at,
        ..current.resource.clone()
    }
}

fn changes(current: &Counted, new: &Resource, write: Write<'_>) -> ChangeSet<Step> {
    let (urn, old) = (&new.urn, &current.resource.unique_keys);
    let record_of = |key: &UniqueKey| UniqueKeyValue::of_resource(urn.resource_type(), key);
    let mut set = ChangeSet::new().step(Step::Resource, resource::replace(current, new));
    for (at, key) in new.unique_keys.iter().enumerate().filter(|(_, key)| !old.holds(key)) {
        set = set.step(Step::Take(at), record_of(key).take(urn.as_str(), write.at));
    }
    for key in old.iter().filter(|key| !new.unique_keys.holds(key)) {
        set = set.step(Step::Release, record_of(key).release(urn.as_str()));
    }
    set
}
