//! Bringing the notifications of an item in line with it. Whether one is so is judged again by the
//! transaction that opens or ends it: if the item changes meanwhile, that fails and the item is
//! read again.

use jiff::Timestamp;
use larder_domain::{
    Channel, Item, ItemDetails, ItemId, Notification, NotificationKind, NotificationSubject,
    notification_id,
};
use larder_storage::{Result, SettleNotifications, SystemScope, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Condition, Number, RecordEngine, Table,
    layout::{
        delivery::{self, Queue},
        fields::{count_number, hundredths_number, quantity_number},
        item, keys, notification, unique,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Marker,
    Item,
    Notification,
    Delivery,
}

/// The result of opening a notification.
enum Opening {
    Opened,
    /// Already open, or its id was used.
    SaidBefore,
    /// The item changed meanwhile, or the notification was opened concurrently.
    Overtaken,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn settle(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Vec<Notification>> {
        let mut opened = Vec::new();
        for _ in 0..MAX_ATTEMPTS {
            if self.settle_once(scope, settle, &mut opened).await? {
                return Ok(opened);
            }
        }
        Err(contention("settling the notifications of an item"))
    }

    /// One attempt; `false` if a concurrent change overtook it.
    async fn settle_once(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
        opened: &mut Vec<Notification>,
    ) -> Result<bool> {
        let said = |kind| self.find_open(scope, settle.item, kind);
        let key = keys::item(scope.owner(), settle.item);
        let (record, low, soon, expired) = tokio::try_join!(
            self.get(&key),
            said(NotificationKind::LowStock),
            said(NotificationKind::ExpiringSoon),
            said(NotificationKind::Expired),
        )?;
        let item = record.as_ref().map(item::from_record).transpose()?;
        let said: Vec<Notification> = [low, soon, expired].into_iter().flatten().collect();
        let wanted = larder_domain::settle(item.as_ref(), &said, settle.today, settle.occasion);
        for ended in said.iter().filter(|said| wanted.resolve.contains(&said.id)) {
            if !self.resolve(scope, ended, item.as_ref(), settle.at).await? {
                return Ok(false);
            }
        }
        let Some(item) = item else { return Ok(true) };
        for subject in wanted.open {
            let notification = Notification {
                id: notification_id(item.id, &subject, settle.fresh_id),
                household: scope.household(),
                item: item.id,
                item_name: item.details.name.clone(),
                subject,
                created_at: settle.at,
                acknowledged: None,
                resolved_at: None,
            };
            match self.open(scope, &notification, &item.details, settle.channels).await? {
                Opening::Opened => opened.push(notification),
                Opening::SaidBefore => {}
                Opening::Overtaken => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The notification of this kind that an item has, if it has an open one.
    async fn find_open(
        &self,
        scope: SystemScope,
        item: ItemId,
        kind: NotificationKind,
    ) -> Result<Option<Notification>> {
        let marker = unique::open_notification(scope.household(), item, kind);
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
        details: &ItemDetails,
        channels: &[Channel],
    ) -> Result<Opening> {
        let marker = unique::open_notification(new.household, new.item, new.subject.kind());
        let deliveries = channels.iter().map(|channel| delivery::first(new, *channel));
        let item = keys::item(scope.owner(), new.item);
        let set = ChangeSet::new()
            .step(Step::Marker, marker.take(new.id, new.created_at))
            .step(Step::Item, check(item, is_so(&new.subject, details)))
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

    /// Resolves a notification that is outdated by the item; `false` if the item has changed.
    async fn resolve(
        &self,
        scope: SystemScope,
        open: &Notification,
        item: Option<&Item>,
        at: Timestamp,
    ) -> Result<bool> {
        let kind = open.subject.kind();
        let marker = unique::open_notification(open.household, open.item, kind);
        let ended = Notification { resolved_at: Some(at), ..open.clone() };
        let key = keys::notification(open.household, open.id);
        let still_open = vec![Condition::Absent("resolvedAt".into())];
        let is_over = is_not_so(kind, item.map(|item| &item.details));
        let set = ChangeSet::new()
            .step(Step::Marker, marker.release(open.id))
            .step(Step::Item, check(keys::item(scope.owner(), open.item), is_over))
            .update(Step::Notification, key, still_open, notification::progress(&ended));
        Ok(matches!(self.commit(scope, Write::at(at), set, None).await?, Commit::Done(_)))
    }
}

fn check(key: crate::Key, when: Vec<Condition>) -> Action {
    Action::Check { table: Table::InventoryManagement, key, when }
}

/// The condition that an attribute is as it was read.
fn is_still(name: &'static str, value: Option<crate::Value>) -> Condition {
    match value {
        Some(value) => Condition::Equals(name.into(), value),
        None => Condition::Absent(name.into()),
    }
}

/// The conditions that the day that counts is as it was read.
fn is_dated(details: &ItemDetails) -> Vec<Condition> {
    let life = details.opened_shelf_life.map(|life| count_number(life.days().into()));
    vec![
        is_still("expirationDate", details.expiration.map(|date| date.to_string().into())),
        is_still("openedOn", details.opened_on.map(|date| date.to_string().into())),
        is_still("openedShelfLifeDays", life.map(Into::into)),
    ]
}

/// The conditions on an item with these details under which this notification is justified.
fn is_so(subject: &NotificationSubject, details: &ItemDetails) -> Vec<Condition> {
    match subject {
        NotificationSubject::LowStock { threshold, .. } => vec![
            Condition::Equals("lowStockThreshold".into(), quantity_number(*threshold).into()),
            Condition::AtMost("quantity".into(), hundredths_number(threshold.hundredths() - 1)),
        ],
        NotificationSubject::ExpiringSoon(_) | NotificationSubject::Expired(_) => {
            let mut conditions = is_dated(details);
            conditions.push(Condition::AtLeast("quantity".into(), hundredths_number(1)));
            conditions
        }
    }
}

/// The conditions on an item under which a notification of this kind stays resolved.
fn is_not_so(kind: NotificationKind, details: Option<&ItemDetails>) -> Vec<Condition> {
    let Some(details) = details else { return vec![Condition::NotExists] };
    match kind {
        NotificationKind::LowStock => {
            let threshold = details.low_stock_threshold.map(quantity_number);
            let is_same = is_still("lowStockThreshold", threshold.map(Into::into));
            let is_enough = threshold.map(|least| Condition::AtLeast("quantity".into(), least));
            [is_same].into_iter().chain(is_enough).collect()
        }
        NotificationKind::ExpiringSoon | NotificationKind::Expired => {
            let is_gone = Condition::AtMost("quantity".into(), Number::ZERO);
            let is_gone = details.is_depleted().then_some(is_gone);
            is_dated(details).into_iter().chain(is_gone).collect()
        }
    }
}
