//! Notifications: opened and resolved in [`super::settle`]. Deliveries, the outbox, are found
//! through an index, which may lag, and then re-read, so that finished ones are not attempted again.

use std::collections::{BTreeSet, HashSet};

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Acknowledgement, Item, Notification, NotificationFilter, NotificationId, NotificationPosition,
    NotificationStatus, NotificationTopic,
};
use larder_storage::{
    Acknowledge, Attempt, Audience, Delivery, HouseholdScope, Notifications, Page, Result,
    SettleNotifications, StorageError, SystemScope, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Condition, MAX_QUERY_LIMIT, Number, Record, RecordEngine, Table, Value,
    layout::{
        delivery::{self, Queue},
        household, idempotency, keys, member, notification, user,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Notification,
    Claim,
    Delivery,
}

#[async_trait]
impl<E: RecordEngine> Notifications for ItemStore<E> {
    async fn list_notifications(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>> {
        let query = notification::list(scope.household(), filter, MAX_QUERY_LIMIT);
        let records = self.all_of(query).await?;
        let mut listed =
            records.iter().map(notification::from_record).collect::<Result<Vec<_>>>()?;
        listed.retain(|one| after.is_none_or(|after| NotificationPosition::of(one) < *after));
        listed.sort_by_key(|one| std::cmp::Reverse(NotificationPosition::of(one)));
        listed.truncate(limit + 1);
        Ok(Page::cut(listed, limit, NotificationPosition::of))
    }

    async fn count_active_notifications(
        &self,
        scope: HouseholdScope,
        most: usize,
    ) -> Result<usize> {
        let active = NotificationFilter::Status(NotificationStatus::Active);
        let query = notification::list(scope.household(), active, most.min(MAX_QUERY_LIMIT));
        Ok(self.engine.query(&query).await?.records.len())
    }

    async fn find_notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>> {
        let record = self.get(&keys::notification(scope.household(), id)).await?;
        record.as_ref().map(notification::from_record).transpose()
    }

    async fn acknowledge_notification(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge> {
        let key = keys::notification(scope.household(), id);
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&key).await? else {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(Acknowledge::NotFound);
            };
            let current = notification::from_record(&record)?;
            match current.status() {
                NotificationStatus::Active => {}
                _ if current.acknowledged.is_some() => {
                    self.was_acknowledged(scope, &record, write).await?;
                    return Ok(Acknowledge::Done(current));
                }
                _ => {
                    self.refuse_used_key(scope.actor(), write).await?;
                    return Ok(Acknowledge::Resolved(current));
                }
            }
            let seen = Acknowledgement { by: scope.actor(), at: write.at };
            let acknowledged = Notification { acknowledged: Some(seen), ..current };
            let active = NotificationStatus::Active.as_str();
            let is_active = vec![Condition::Equals("status".into(), active.into())];
            let changes = notification::progress(&acknowledged);
            let set = ChangeSet::new().update(Step::Notification, key.clone(), is_active, changes);
            let did = (WriteKind::NOTIFICATION_ACKNOWLEDGED, Step::Notification);
            if let Commit::Done(images) = self.commit(scope.actor(), write, set, Some(did)).await? {
                return images
                    .decode(Step::Notification, notification::from_record)
                    .map(Acknowledge::Done);
            }
            // Acknowledged or resolved concurrently: a retry tells which.
        }
        Err(contention("acknowledging a notification"))
    }

    async fn settle_notifications(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Option<Notification>> {
        self.settle(scope, settle).await
    }

    async fn topics_to_settle(
        &self,
        scope: SystemScope,
        until: Date,
    ) -> Result<Vec<NotificationTopic>> {
        self.ensure_products(scope.owner()).await?;
        let items = self.all_items(scope.owner()).await?;
        let is_near =
            |item: &&Item| item.details.good_until().is_some_and(|date| date.date() <= until);
        let near = items.iter().filter(is_near).map(|item| NotificationTopic::Dates(item.id));
        let low = self.low_among(scope.owner(), &items).await?;
        let low = low.ids().map(NotificationTopic::Stock);
        let mut topics: BTreeSet<_> = near.chain(low).collect();
        let pk = keys::family_pk(scope.household());
        for record in self.all_under(pk, keys::NOTIFICATION_PREFIX).await? {
            let said = notification::from_record(&record)?;
            if said.is_open() {
                topics.insert(said.topic());
            }
        }
        Ok(topics.into_iter().collect())
    }

    async fn find_audience(&self, scope: SystemScope) -> Result<Option<Audience>> {
        let household = scope.household();
        let Some(record) = self.get(&keys::family(household)).await? else { return Ok(None) };
        let members = self.all_under(keys::family_pk(household), keys::MEMBER_PREFIX).await?;
        let members = members.iter().map(member::from_record).collect::<Result<Vec<_>>>()?;
        let keys: Vec<_> = members.iter().map(|member| keys::user(member.user)).collect();
        let users = self.engine.get_many(Table::InventoryManagement, &keys).await?;
        let mut confirmed = HashSet::new();
        for record in users.iter().flatten() {
            let person = user::from_record(record)?;
            if person.email_confirmed_at.is_some() {
                confirmed.insert(person.id);
            }
        }
        Ok(Some(Audience { household: household::from_record(&record)?, members, confirmed }))
    }

    async fn due_deliveries(&self, now: Timestamp, limit: usize) -> Result<Vec<Delivery>> {
        let mut due = self.first_in(Queue::Due, now, limit).await?;
        due.retain(|delivery| delivery.due_at <= now);
        Ok(due)
    }

    async fn record_attempt(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()> {
        let key = delivery::key(delivery);
        let attempts = Number::from(i64::from(delivery.attempts));
        let is_ours = vec![
            Condition::Equals("GSI1PK".into(), Queue::Due.pk().into()),
            Condition::Equals("attempts".into(), attempts.into()),
        ];
        let tried = |due_at: Timestamp, error: &str| Delivery {
            attempts: delivery.attempts.saturating_add(1),
            due_at,
            last_error: Some(error.to_owned()),
            ..delivery.clone()
        };
        let set = ChangeSet::new();
        let set = match attempt {
            Attempt::Delivered => set.delete(Step::Delivery, key, is_ours),
            Attempt::RetryAt(at, error) => {
                let later = delivery::becomes(&tried(*at, error), Queue::Due);
                set.update(Step::Delivery, key, is_ours, later)
            }
            Attempt::Dead(at, error) => {
                let dead = delivery::becomes(&tried(*at, error), Queue::Dead);
                set.update(Step::Delivery, key, is_ours, dead)
            }
        };
        // A refusal means that it is gone, or was attempted concurrently.
        self.commit(Actor::System, Write::at(self.clock.now()), set, None).await?;
        Ok(())
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<Delivery>> {
        self.first_in(Queue::Dead, Timestamp::MAX, limit).await
    }

    async fn revive_dead_letters(&self, now: Timestamp) -> Result<u64> {
        let query = Queue::Dead.waiting(Timestamp::MAX, MAX_QUERY_LIMIT);
        let mut revived = 0;
        for shown in self.all_of(query).await? {
            let dead = delivery::from_record(&shown)?;
            // Attempts restart at 0: otherwise its next failure would be permanent again.
            let due = Delivery { attempts: 0, due_at: now, ..dead };
            let is_dead = vec![Condition::Equals("GSI1PK".into(), Queue::Dead.pk().into())];
            let key = delivery::key(&due);
            let changes = delivery::becomes(&due, Queue::Due);
            let set = ChangeSet::new().update(Step::Delivery, key, is_dead, changes);
            if let Commit::Done(_) = self.commit(Actor::System, Write::at(now), set, None).await? {
                revived += 1;
            }
        }
        Ok(revived)
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Remembers, if the write claims to happen once, that it had happened before.
    async fn was_acknowledged(
        &self,
        scope: HouseholdScope,
        record: &Record,
        write: Write<'_>,
    ) -> Result<()> {
        let Some(claim) = write.claim else { return Ok(()) };
        let did = WriteKind::NOTIFICATION_ACKNOWLEDGED;
        let mut remembered = idempotency::to_record(scope.actor(), claim, did, write.at);
        remembered.set(idempotency::RESULT, Value::M(record.clone()));
        let set = ChangeSet::new().put(Step::Claim, remembered, vec![Condition::NotExists]);
        match self.commit(scope.actor(), write, set, None).await? {
            Commit::Done(_) => Ok(()),
            Commit::Failed(_, _) => Err(StorageError::IdempotencyKeyUsed),
        }
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The first that wait in a queue, each as the last write left it.
    async fn first_in(
        &self,
        queue: Queue,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<Delivery>> {
        let query = queue.waiting(until, limit.min(MAX_QUERY_LIMIT));
        let mut found = Vec::new();
        for shown in self.engine.query(&query).await?.records {
            let key =
                Table::InventoryManagement.key_of(&shown).ok_or_else(|| shown.misfit("no key"))?;
            if let Some(record) = self.get(&key).await?.filter(|record| queue.holds(record)) {
                found.push(delivery::from_record(&record)?);
            }
        }
        found.sort_by_key(|delivery| delivery.due_at);
        Ok(found)
    }
}
