//! API keys: making, listing, revoking and finding them.

use std::borrow::Cow;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, ApiKeyPosition, whole_seconds};
use larder_storage::{ApiKeys, FleetScope, NewApiKey, Page, Result, StorageError, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Change, Condition, Record, RecordEngine, Table,
    layout::{api_key, fleet},
};

#[async_trait]
impl<E: RecordEngine> ApiKeys for ItemStore<E> {
    async fn add_api_key(&self, scope: FleetScope, new: &NewApiKey) -> Result<ApiKey> {
        let key = ApiKey {
            id: new.id,
            household: scope.household(),
            hash: new.hash,
            created_at: whole_seconds(new.at),
            last_used_at: None,
            is_active: true,
            description: new.description.clone(),
        };
        let put = Action::Put {
            table: Table::ApiKeys,
            record: api_key::to_record(&key),
            when: vec![Condition::NotExists],
            embed: None,
        };
        let set = ChangeSet::new().step((), put);
        match self.commit(Actor::System, Write::at(new.at), set, None).await? {
            Commit::Done(_) => Ok(key),
            // 122 random bits do not collide: the caller passed the same ones twice.
            Commit::Failed((), _) => {
                Err(StorageError::Defect("duplicate id of an API key".to_owned()))
            }
        }
    }

    async fn list_api_keys(
        &self,
        scope: FleetScope,
        after: Option<&ApiKeyPosition>,
        limit: usize,
    ) -> Result<Page<ApiKey, ApiKeyPosition>> {
        let from = after.map(|after| after.created_at);
        let query = fleet::newest_first(Table::ApiKeys, api_key::ALL, scope, from);
        let decode = |record: &Record| api_key::from_record(record).map(Some);
        self.newest_page(query, decode, ApiKey::position, after, limit).await
    }

    async fn revoke_api_key(&self, scope: FleetScope, key: ApiKeyId) -> Result<Option<ApiKey>> {
        let (when, at) = (fleet::is_seen_by(scope), self.clock.now());
        match self.update_api_key(key, when, api_key::revoked(), at).await? {
            Update::Done(key) => Ok(Some(key)),
            Update::Refused(_) => Ok(None),
        }
    }

    async fn find_api_key(&self, hash: &ApiKeyHash) -> Result<Option<ApiKey>> {
        let shown = self.engine.query(&api_key::with_hash(hash)).await?.records;
        let Some(shown) = shown.first() else { return Ok(None) };
        // The index may lag: a revocation is seen at once in the key itself.
        let key = Table::ApiKeys.key_of(shown).ok_or_else(|| shown.misfit("no key"))?;
        let record = self.engine.get(Table::ApiKeys, &key).await?;
        let found = record.as_ref().map(api_key::from_record).transpose()?;
        Ok(found.filter(|key| key.hash == *hash))
    }

    async fn note_api_key_use(&self, key: &ApiKey, at: Timestamp) -> Result<()> {
        let (id, mut key) = (key.id, Cow::Borrowed(key));
        for _ in 0..MAX_ATTEMPTS {
            if !key.is_use_worth_noting(at) {
                return Ok(());
            }
            let when = api_key::was_last_used(key.last_used_at);
            match self.update_api_key(id, when, api_key::used(at), at).await? {
                Update::Done(_) | Update::Refused(None) => return Ok(()),
                // Another use was noted since the key was read.
                Update::Refused(Some(current)) => key = Cow::Owned(current),
            }
        }
        Err(contention("noting the use of an API key"))
    }
}

/// The outcome of a change of a key.
enum Update {
    /// The key as it is now.
    Done(ApiKey),
    /// The condition was not met by the key, which is as it was, if it exists.
    Refused(Option<ApiKey>),
}

impl<E: RecordEngine> ItemStore<E> {
    async fn update_api_key(
        &self,
        id: ApiKeyId,
        when: Condition,
        changes: Vec<Change>,
        at: Timestamp,
    ) -> Result<Update> {
        let (table, key, when) = (Table::ApiKeys, api_key::key(id), vec![when]);
        let set = ChangeSet::new().step((), Action::Update { table, key, when, changes });
        match self.commit(Actor::System, Write::at(at), set, None).await? {
            Commit::Done(images) => Ok(Update::Done(images.decode((), api_key::from_record)?)),
            Commit::Failed((), current) => {
                let current = current.map(|record| api_key::from_record(&record)).transpose()?;
                Ok(Update::Refused(current))
            }
        }
    }
}
