//! Photos, and how many products name each.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Owner, PhotoId, unused_photo_expiry};
use larder_storage::{Photo, PhotoSize, Photos, PutPhoto, Result, Scope, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Condition, RecordEngine,
    layout::{
        keys,
        photo::{self, PhotoCount, PhotoState},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Photo,
    Count,
}

#[async_trait]
impl<E: RecordEngine> Photos for ItemStore<E> {
    async fn put_photo(
        &self,
        scope: Scope,
        new: &Photo,
        at: Timestamp,
        quota: usize,
    ) -> Result<PutPhoto> {
        let (owner, expiry) = (scope.owner(), unused_photo_expiry(at));
        let unused = PhotoState { uses: 0, expires: Some(expiry.as_second()) };
        for _ in 0..MAX_ATTEMPTS {
            let state = self.photo_state(owner, new.id).await?;
            let mut count = self.photo_count(owner).await?;
            let set = match state {
                // A product names it, or it stays as long as it would from now on.
                Some(state) if state.expires.is_none_or(|then| then >= expiry.as_second()) => {
                    return Ok(PutPhoto::Stored);
                }
                Some(state) => {
                    let action = photo::change(owner, new.id, state, unused);
                    ChangeSet::new().step(Step::Photo, action)
                }
                None if count.stored(at) >= quota as u64 => return Ok(PutPhoto::QuotaExceeded),
                None => {
                    let record = photo::to_record(owner, new, expiry);
                    ChangeSet::new().put(Step::Photo, record, vec![Condition::NotExists])
                }
            };
            count.moved(state, unused);
            let set = set.step(Step::Count, count.put(owner, at));
            let commit = self.commit(scope.actor(), Write::at(at), set, None).await?;
            if let Commit::Done(_) = commit {
                return Ok(PutPhoto::Stored);
            }
        }
        Err(contention("storing a photo"))
    }

    async fn find_photo(
        &self,
        scope: Scope,
        id: PhotoId,
        size: PhotoSize,
    ) -> Result<Option<Vec<u8>>> {
        let record = self.get(&keys::photo(scope.owner(), id)).await?;
        record.map(|record| photo::bytes(record, size)).transpose()
    }
}

impl<E: RecordEngine> ItemStore<E> {
    async fn photo_state(&self, owner: Owner, id: PhotoId) -> Result<Option<PhotoState>> {
        let record = self.get(&keys::photo(owner, id)).await?;
        record.as_ref().map(PhotoState::from_record).transpose()
    }

    async fn photo_count(&self, owner: Owner) -> Result<PhotoCount> {
        let record = self.get(&keys::photo_count(owner)).await?;
        Ok(record.as_ref().map(PhotoCount::from_record).transpose()?.unwrap_or_default())
    }

    /// Whether there is such a photo.
    pub(super) async fn has_photo(&self, owner: Owner, id: PhotoId) -> Result<bool> {
        Ok(self.photo_state(owner, id).await?.is_some())
    }

    /// The actions that go with a product which names another photo than before, for the
    /// transaction that changes it; `None` if there is no such photo.
    pub(super) async fn change_photo(
        &self,
        owner: Owner,
        old: Option<PhotoId>,
        new: Option<PhotoId>,
        at: Timestamp,
    ) -> Result<Option<Vec<Action>>> {
        let mut actions = Vec::new();
        if old == new {
            return Ok(Some(actions));
        }
        let mut count = self.photo_count(owner).await?;
        let before = count.clone();
        if let Some(new) = new {
            let Some(from) = self.photo_state(owner, new).await? else { return Ok(None) };
            let to = PhotoState { uses: from.uses + 1, expires: None };
            actions.push(photo::change(owner, new, from, to));
            count.moved(Some(from), to);
        }
        if let Some(old) = old
            && let Some(from) = self.photo_state(owner, old).await?
        {
            let uses = from.uses.saturating_sub(1);
            let expires = (uses == 0).then(|| unused_photo_expiry(at).as_second());
            let to = PhotoState { uses, expires };
            actions.push(photo::change(owner, old, from, to));
            count.moved(Some(from), to);
        }
        if count != before {
            actions.push(count.put(owner, at));
        }
        Ok(Some(actions))
    }
}
