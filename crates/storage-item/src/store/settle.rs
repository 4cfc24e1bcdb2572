//! Bringing the notifications of a topic in line with the stock. Whether one is so is judged again by
//! the transaction that opens or resolves it: if a lot changes meanwhile, that fails and everything
//! is read again.

mod adopt;
mod listing;
mod topic;

use jiff::Timestamp;
use larder_domain::{
    Notification, NotificationKind, NotificationTopic, next_fresh_id, notification_id,
};
use larder_storage::{Result, SettleNotifications, SystemScope, Write};

use self::listing::Listing;
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

/// The result of one attempt to settle.
enum Round {
    Settled,
    /// A concurrent change overtook it: it has to be repeated.
    Overtaken,
    /// The stock is low, and the id of the notification that would say so was used by an earlier
    /// attempt, whose notification somebody has resolved since.
    IdUsed,
    /// The open notification is so, but because somebody changed the stock meanwhile it was not
    /// restated, or what is missing was not put on the shopping list. Whoever did settles after it,
    /// so with many changes at once this is left to them.
    Behind,
}

impl Round {
    const fn of(is_certain: bool) -> Self {
        if is_certain { Self::Settled } else { Self::Overtaken }
    }
}

/// The result of opening a notification.
enum Opening {
    Opened,
    /// Its id was used.
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
        let (mut opened, mut settle) = (None, settle);
        for round in 1..=MAX_JUDGEMENTS {
            match self.settle_once(scope, settle, &mut opened).await? {
                Round::Settled => return Ok(opened),
                Round::Behind if round >= MAX_ATTEMPTS => return Ok(opened),
                Round::Behind | Round::Overtaken => {}
                Round::IdUsed => settle.fresh_id = next_fresh_id(settle.fresh_id),
            }
        }
        Err(contention("settling notifications"))
    }

    /// One attempt.
    async fn settle_once(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
        opened: &mut Option<Notification>,
    ) -> Result<Round> {
        let (judged, open) =
            tokio::try_join!(self.judge(scope, settle), self.open_ones(scope, settle.topic))?;
        let wanted = judged.settlement(&open, settle);
        let mut is_certain = true;
        for ended in open.iter().filter(|said| wanted.resolve.contains(&said.id)) {
            let truth = judged.not_so(self.changes_at_once().await?);
            is_certain &= truth.is_complete;
            if !self.resolve(scope, ended, truth.checks, settle.at).await? {
                return Ok(Round::Overtaken);
            }
        }
        if let Some((id, subject)) = wanted.restate
            && let Some(said) = open.iter().find(|said| said.id == id)
        {
            let truth = judged.exactly(self.changes_at_once().await?);
            is_certain &= truth.is_complete;
            let now = Notification { subject, ..said.clone() };
            if !self.restate(scope, &now, truth.checks, settle.at).await? {
                return Ok(Round::Behind);
            }
        }
        let Some((subject, lot)) = wanted.open.zip(judged.lot()) else {
            let still = open.iter().find(|said| !wanted.resolve.contains(&said.id));
            if let Some(said) = still
                && self.list_missing(scope, &judged, said, settle).await? == Listing::Overtaken
            {
                return Ok(Round::Behind);
            }
            return Ok(Round::of(is_certain));
        };
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
            listed_at: None,
        };
        let truth = judged.so(self.changes_at_once().await?);
        is_certain &= truth.is_complete;
        match self.open(scope, &notification, truth.checks, settle).await? {
            Opening::Opened => {
                let listed = self.list_missing(scope, &judged, &notification, settle).await?;
                *opened = Some(notification);
                Ok(match listed {
                    Listing::Done => Round::of(is_certain),
                    Listing::Overtaken => Round::Behind,
                })
            }
            Opening::SaidBefore if notification.subject.kind() == NotificationKind::LowStock => {
                Ok(Round::IdUsed)
            }
            Opening::SaidBefore => Ok(Round::of(is_certain)),
            Opening::Overtaken => Ok(Round::Overtaken),
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
        settle: SettleNotifications<'_>,
    ) -> Result<Opening> {
        let deliveries = settle.channels.iter();
        let deliveries = deliveries
            .map(|channel| delivery::first(new, *channel, settle.first_delivery_at(*channel)));
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

    /// Gives an open notification other quantities; `false` if the stock has changed, or it is
    /// resolved. It keeps its time, its acknowledgement and its deliveries.
    async fn restate(
        &self,
        scope: SystemScope,
        now: &Notification,
        truth: Vec<crate::Action>,
        at: Timestamp,
    ) -> Result<bool> {
        let key = keys::notification(now.household, now.id);
        let still_open = vec![Condition::Exists, Condition::Absent("resolvedAt".into())];
        let set = ChangeSet::new()
            .steps(truth.into_iter().map(|check| (Step::Truth, check)))
            .update(Step::Notification, key, still_open, notification::figures(now));
        Ok(matches!(self.commit(scope, Write::at(at), set, None).await?, Commit::Done(_)))
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
