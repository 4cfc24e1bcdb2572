//! Bringing the notifications of a topic in line with the stock. Whether one is so is judged again by
//! the transaction that opens or resolves it: if a lot changes meanwhile, that fails and everything
//! is read again.

mod adopt;
mod topic;

use jiff::Timestamp;
use larder_domain::{Channel, Notification, NotificationKind, NotificationTopic, notification_id};
use larder_storage::{Result, SettleNotifications, SystemScope, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Condition, RecordEngine,
    layout::{
        delivery::{self, Queue},
        keys, notification,
        unique::{self, UniqueKey},
    },
};

/// How often the stock is judged anew. An attempt fails only because somebody else has changed the same
/// stock or its notification meanwhile, so a busy product needs about as many as it has changes at once;
/// giving up would leave a notification that is not so.
const MAX_JUDGEMENTS: usize = 4 * MAX_ATTEMPTS;

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Marker,
    Truth,
    Notification,
    Delivery,
}

/// The result of opening a notification.
enum Opening {
    Opened,
    /// Already open, or its id was used.
    SaidBefore,
    /// The stock changed meanwhile, or the notification was opened concurrently.
    Overtaken,
}

/// What only the open notification of a topic and kind has.
fn marker(household: larder_domain::HouseholdId, said: &Notification) -> UniqueKey {
    match (said.product, said.subject.kind()) {
        (Some(product), NotificationKind::LowStock) => {
            unique::open_stock_notification(household, product)
        }
        (_, kind) => unique::open_notification(household, said.item, kind),
    }
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn settle(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Option<Notification>> {
        self.ensure_products(scope.owner()).await?;
        let mut opened = None;
        for _ in 0..MAX_JUDGEMENTS {
            if self.settle_once(scope, settle, &mut opened).await? {
                return Ok(opened);
            }
        }
        Err(contention("settling notifications"))
    }

    /// One attempt; `false` if it has to be repeated because a concurrent change overtook it.
    async fn settle_once(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
        opened: &mut Option<Notification>,
    ) -> Result<bool> {
        let (judged, open) =
            tokio::try_join!(self.judge(scope, settle), self.open_ones(scope, settle.topic))?;
        let wanted = judged.settlement(&open, settle);
        let mut is_certain = true;
        for ended in open.iter().filter(|said| wanted.resolve.contains(&said.id)) {
            let truth = judged.not_so(self.changes_at_once().await?);
            is_certain &= truth.is_complete;
            if !self.resolve(scope, ended, truth.checks, settle.at).await? {
                return Ok(false);
            }
        }
        let Some((subject, lot)) = wanted.open.zip(judged.lot()) else { return Ok(is_certain) };
        let notification = Notification {
            id: notification_id(lot.id, &subject, settle.fresh_id),
            household: scope.household(),
            item: lot.id,
            product: match settle.topic {
                NotificationTopic::Dates(_) => None,
                NotificationTopic::Stock(product) => Some(product),
            },
            item_name: lot.details.name.clone(),
            subject,
            created_at: settle.at,
            acknowledged: None,
            resolved_at: None,
        };
        let truth = judged.so(self.changes_at_once().await?);
        is_certain &= truth.is_complete;
        match self.open(scope, &notification, truth.checks, settle.channels).await? {
            Opening::Opened => {
                *opened = Some(notification);
                Ok(is_certain)
            }
            Opening::SaidBefore => Ok(is_certain),
            Opening::Overtaken => Ok(false),
        }
    }

    /// The open notifications of a topic.
    async fn open_ones(
        &self,
        scope: SystemScope,
        topic: NotificationTopic,
    ) -> Result<Vec<Notification>> {
        let household = scope.household();
        let said = async |marker: UniqueKey| self.find_open(scope, &marker).await;
        match topic {
            NotificationTopic::Stock(product) => {
                let said = said(unique::open_stock_notification(household, product)).await?;
                Ok(said.into_iter().collect())
            }
            NotificationTopic::Dates(item) => {
                let of = |kind| said(unique::open_notification(household, item, kind));
                let (soon, expired) = tokio::try_join!(
                    of(NotificationKind::ExpiringSoon),
                    of(NotificationKind::Expired),
                )?;
                Ok([soon, expired].into_iter().flatten().collect())
            }
        }
    }

    /// The notification that holds a marker.
    async fn find_open(
        &self,
        scope: SystemScope,
        marker: &UniqueKey,
    ) -> Result<Option<Notification>> {
        let Some(held) = self.get_unique(&marker.key()).await? else { return Ok(None) };
        let key = keys::notification(scope.household(), unique::holder(&held)?);
        let record = self.get(&key).await?;
        let record = record.ok_or_else(|| held.misfit("its notification is missing"))?;
        notification::from_record(&record).map(Some)
    }

    async fn open(
        &self,
        scope: SystemScope,
        new: &Notification,
        truth: Vec<crate::Action>,
        channels: &[Channel],
    ) -> Result<Opening> {
        let deliveries = channels.iter().map(|channel| delivery::first(new, *channel));
        let set = ChangeSet::new()
            .step(Step::Marker, marker(new.household, new).take(new.id, new.created_at))
            .steps(truth.into_iter().map(|check| (Step::Truth, check)))
            .put(Step::Notification, notification::to_record(new), vec![Condition::NotExists]);
        let set = deliveries.fold(set, |set, delivery| {
            set.put(Step::Delivery, delivery::to_record(&delivery, Queue::Due), vec![])
        });
        match self.commit(scope, Write::at(new.created_at), set, None).await? {
            Commit::Done(_) => Ok(Opening::Opened),
            Commit::Failed(Step::Notification, _) => Ok(Opening::SaidBefore),
            Commit::Failed(_, _) => Ok(Opening::Overtaken),
        }
    }

    /// Resolves a notification that is outdated; `false` if the stock has changed.
    async fn resolve(
        &self,
        scope: SystemScope,
        open: &Notification,
        truth: Vec<crate::Action>,
        at: Timestamp,
    ) -> Result<bool> {
        let ended = Notification { resolved_at: Some(at), ..open.clone() };
        let key = keys::notification(open.household, open.id);
        let still_open = vec![Condition::Absent("resolvedAt".into())];
        let set = ChangeSet::new()
            .step(Step::Marker, marker(open.household, open).release(open.id))
            .steps(truth.into_iter().map(|check| (Step::Truth, check)))
            .update(Step::Notification, key, still_open, notification::progress(&ended));
        Ok(matches!(self.commit(scope, Write::at(at), set, None).await?, Commit::Done(_)))
    }
}
