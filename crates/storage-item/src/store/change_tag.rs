//! Changing and deleting a tag. It is found by its URL, so the place of a tag that was just made may
//! be known late if the engine's indexes lag.

use larder_domain::{TagPatch, UrlId};
use larder_storage::{HouseholdScope, Result, UpdateTag, Write};

use super::{
    ItemStore,
    change_set::{ChangeSet, Commit},
};
use crate::{
    Condition, Key, RecordEngine,
    layout::{keys, tag},
};

#[derive(Clone, Copy, PartialEq)]
struct Tag;

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn change_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        patch: &TagPatch,
        write: Write<'_>,
    ) -> Result<UpdateTag> {
        let Some(key) = self.key_of_tag(scope, url).await? else { return Ok(UpdateTag::NotFound) };
        if patch.is_empty() {
            let Some(record) = self.get(&key).await? else { return Ok(UpdateTag::NotFound) };
            let tag = tag::from_record(&record)?;
            return Ok(if tag.is_active() {
                UpdateTag::Updated(Box::new(tag))
            } else {
                UpdateTag::Rotated
            });
        }
        let set = ChangeSet::new().update(Tag, key, vec![tag::is_active()], tag::changed(patch));
        let outcome = self.commit(scope.actor(), write, set, None).await;
        self.forget_tag(url);
        Ok(match outcome? {
            Commit::Done(images) => {
                UpdateTag::Updated(Box::new(images.decode(Tag, tag::from_record)?))
            }
            Commit::Failed(Tag, Some(_)) => UpdateTag::Rotated,
            Commit::Failed(Tag, None) => UpdateTag::NotFound,
        })
    }

    /// The results of its taps are not deleted: nobody can ask for them any more, and they expire.
    pub(super) async fn remove_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        write: Write<'_>,
    ) -> Result<bool> {
        let Some(key) = self.key_of_tag(scope, url).await? else { return Ok(false) };
        let set = ChangeSet::new().delete(Tag, key, vec![Condition::Exists]);
        let outcome = self.commit(scope.actor(), write, set, None).await;
        self.forget_tag(url);
        Ok(matches!(outcome?, Commit::Done(_)))
    }

    async fn key_of_tag(&self, scope: HouseholdScope, url: UrlId) -> Result<Option<Key>> {
        let place = self.find_place_of(url).await?;
        let own = place.filter(|place| place.household == scope.household());
        Ok(own.map(|place| keys::tag(place.household, place.item, url)))
    }

    /// Also after a failure, whose outcome may be unknown.
    fn forget_tag(&self, url: UrlId) {
        self.held_tags.invalidate(&url);
        self.tag_places.invalidate(&url);
    }
}
