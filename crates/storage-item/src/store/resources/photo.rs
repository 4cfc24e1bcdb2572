//! Photos of resources. The resource names its photo, so that neither is left without the other.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{PhotoId, Urn};
use larder_storage::{AccountScope, Photo, PhotoSize, ResourcePhotos, Result, Write};

use crate::{
    Change, RecordEngine,
    layout::{
        keys, photo,
        relational::resource::{self, PHOTO, has_photo, is_of},
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

#[async_trait]
impl<E: RecordEngine> ResourcePhotos for ItemStore<E> {
    async fn put_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        new: &Photo,
        at: Timestamp,
    ) -> Result<bool> {
        let account = scope.account();
        let named = Change::Set(PHOTO.into(), new.id.to_string().into());
        let set = ChangeSet::new()
            .step((), resource::update(urn, vec![is_of(account)], vec![named]))
            .put((), photo::of_resource(account, urn, new, at), vec![]);
        let commit = self.commit(scope.actor(), Write::at(at), set, None).await?;
        Ok(matches!(commit, Commit::Done(_)))
    }

    async fn find_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        size: PhotoSize,
    ) -> Result<Option<(PhotoId, Vec<u8>)>> {
        let Some(record) = self.get(&keys::resource_photo(urn)).await? else { return Ok(None) };
        photo::resource_bytes(scope.account(), record, size)
    }

    async fn find_resource_photo_id(
        &self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<PhotoId>> {
        Ok(self.find_counted(scope, urn).await?.and_then(|counted| counted.photo))
    }

    async fn remove_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        at: Timestamp,
    ) -> Result<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let current = self.find_resource_photo_id(scope, urn).await?;
            let Some(current) = current else { return Ok(false) };
            let when = vec![is_of(scope.account()), has_photo(Some(current))];
            let unnamed = vec![Change::Remove(PHOTO.into())];
            let set = ChangeSet::new().step((), resource::update(urn, when, unnamed)).delete(
                (),
                keys::resource_photo(urn),
                vec![],
            );
            let commit = self.commit(scope.actor(), Write::at(at), set, None).await?;
            if let Commit::Done(_) = commit {
                return Ok(true);
            }
            // It was replaced or removed meanwhile.
        }
        Err(contention("removing the photo of a resource"))
    }
}
