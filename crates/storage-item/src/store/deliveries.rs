//! Deliveries: the outbox of notifications. Found through an index, which may lag, and then
//! re-read, so that finished ones are not attempted again.

use jiff::Timestamp;
use larder_storage::{Attempt, Delivery, Result, Write};

use super::{
    ItemStore,
    change_set::{Actor, ChangeSet, Commit},
};
use crate::{
    Condition, MAX_QUERY_LIMIT, Number, RecordEngine, Table,
    layout::delivery::{self, Queue},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Delivery,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn deliveries_due(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Delivery>> {
        let mut due = self.first_in(Queue::Due, now, limit).await?;
        due.retain(|delivery| delivery.due_at <= now);
        Ok(due)
    }

    pub(super) async fn deliveries_given_up(&self, limit: usize) -> Result<Vec<Delivery>> {
        self.first_in(Queue::Dead, Timestamp::MAX, limit).await
    }

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

    pub(super) async fn attempted(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()> {
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

    pub(super) async fn revive_deliveries(&self, now: Timestamp) -> Result<u64> {
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
