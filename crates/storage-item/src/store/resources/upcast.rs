//! Going through all resources, and writing them in a newer shape.

use larder_domain::Resource;
use larder_storage::{Result, StorageError, Write};

use crate::{
    Key, MAX_QUERY_LIMIT, RecordEngine, Table,
    layout::relational::{RECORD_TYPE, keys, resource},
    store::{
        ItemStore,
        change_set::{Actor, ChangeSet, Commit},
    },
};

impl<E: RecordEngine> ItemStore<E> {
    pub(in crate::store) async fn scan_resources(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        let start = after.map(key_of).transpose()?;
        let limit = limit.clamp(1, MAX_QUERY_LIMIT);
        let page = self.engine.scan(Table::Relational, start.as_ref(), limit).await?;
        let is_resource =
            |record: &&crate::Record| record.text(RECORD_TYPE) == Some(resource::TYPE);
        let resources = page.records.iter().filter(is_resource);
        let resources = resources.map(|record| Ok(resource::from_record(record)?.resource));
        Ok((resources.collect::<Result<_>>()?, page.next.as_ref().map(place_of)))
    }

    pub(in crate::store) async fn write_upcast(&self, resource: &Resource) -> Result<bool> {
        let record = self.engine.get(Table::Relational, &keys::resource(&resource.urn)).await?;
        let Some(record) = record else { return Ok(false) };
        let current = resource::from_record(&record)?;
        let is_older = current.resource.version == resource.version
            && current.resource.created_at == resource.created_at
            && current.resource.schema_version <= resource.schema_version;
        if !is_older {
            return Ok(false);
        }
        let newer = Resource {
            schema_version: resource.schema_version,
            attributes: resource.attributes.clone(),
            ..current.resource.clone()
        };
        let set = ChangeSet::new().step((), resource::replace(&current, &newer));
        let write = Write::at(self.clock.now());
        let commit = self.commit(Actor::System, write, set, None).await?;
        Ok(matches!(commit, Commit::Done(_)))
    }
}

/// A position in the table as text: the length of the first part of the key separates the two,
/// whatever they contain.
fn place_of(key: &Key) -> String {
    let Key { pk, sk } = key;
    format!("{}:{pk}{sk}", pk.len())
}

fn key_of(place: &str) -> Result<Key> {
    let parts = place.split_once(':').and_then(|(length, parts)| {
        let (pk, sk) = parts.split_at_checked(length.parse().ok()?)?;
        Some(Key::new(pk, sk))
    });
    parts.ok_or_else(|| StorageError::Defect("a text that is no place in the table".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_whatever_the_key_holds() {
        for key in
            [Key::new("Resource#a", "Resource#a"), Key::new("1:2\n#ü", "3:"), Key::new("", "")]
        {
            assert_eq!(key_of(&place_of(&key)).unwrap(), key);
        }
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", "5", "x:ab", "5:ab", "-1:ab", "1:ü"] {
            assert!(matches!(key_of(text), Err(StorageError::Defect(_))), "{text:?}");
        }
    }
}
