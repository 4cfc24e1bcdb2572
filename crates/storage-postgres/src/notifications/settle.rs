//! Settling the notifications of a topic. The item, or the product and its lots, stay locked from the
//! check to the commit, which serializes settling with changes of them.

use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Item, ItemId, LowProducts, Notification, NotificationId, NotificationKind, NotificationSubject,
    NotificationTopic, ProductId, Settlement, next_fresh_id, notification_id, settle_dates,
    settle_stock,
};
use larder_storage::{Result, SettleNotifications, SystemScope};

use super::row::{NotificationRow, select_notifications};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::{ItemRow, OwnerColumns, query_items},
    transaction::Transaction,
    types::{Day, Instant},
};

/// The result of settling.
pub(super) struct Settled {
    /// The new notification.
    pub(super) opened: Option<Notification>,
    /// Whether anything began, ended or has other quantities.
    pub(super) has_changed: bool,
}

impl PostgresStore {
    pub(super) async fn settle(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Settled, Failure> {
        let context = Context::of_system(scope).at(settle.at);
        let mut transaction = self.database.write(&context).await?;
        let (lot, open, settlement, listing) = match settle.topic {
            NotificationTopic::Dates(id) => {
                let item = transaction.lock_item_to_judge(scope, id).await?;
                let open = transaction.lock_open_notifications(scope, settle.topic).await?;
                let settlement = settle_dates(item.as_ref(), &open, settle.today);
                (item, open, settlement, None)
            }
            NotificationTopic::Stock(id) => {
                let owner = OwnerColumns::of_household(scope.household());
                let product = transaction.lock_product(owner, id).await?;
                let lots = transaction.lock_lots_to_judge(id).await?;
                let open = transaction.lock_open_notifications(scope, settle.topic).await?;
                let settlement = settle_stock(product.as_ref(), &lots, &open);
                let is_listed = open.iter().any(|said| said.listed_at.is_some());
                let listing = match product.as_ref().filter(|_| !is_listed) {
                    Some(product) => {
                        transaction.find_missing(scope, product, &lots, settle).await?
                    }
                    None => None,
                };
                let oldest = lots.into_iter().min_by_key(|lot| (lot.created_at, lot.id));
                (oldest, open, settlement, listing)
            }
        };
        let Settlement { resolve, restate, open: subject } = settlement;
        // Resolve first, because only one notification of a kind can be open.
        for ended in open.iter().filter(|said| resolve.contains(&said.id)) {
            let ended = Notification { resolved_at: Some(settle.at), ..ended.clone() };
            transaction.resolve(&ended, settle.at).await?;
        }
        if let Some((id, subject)) = &restate {
            transaction.restate(scope, *id, subject).await?;
        }
        let mut opened = None;
        if let Some((lot, subject)) = lot.zip(subject) {
            let mut notification = new_notification(scope, &lot, subject, settle);
            let mut is_open = transaction.open(&notification, settle).await?;
            if !is_open && notification.subject.kind() == NotificationKind::LowStock {
                // It named one that is resolved by now.
                notification.id = next_fresh_id(notification.id);
                is_open = transaction.open(&notification, settle).await?;
            }
            opened = is_open.then_some(notification);
        }
        let still = || open.iter().find(|said| !resolve.contains(&said.id));
        let listed = opened.as_ref().or_else(still).zip(listing.as_ref());
        if let Some((said, listing)) = listed {
            transaction.list(said, listing, settle).await?;
        }
        let has_changed =
            !resolve.is_empty() || restate.is_some() || opened.is_some() || listed.is_some();
        if has_changed {
            transaction.commit().await?;
        }
        Ok(Settled { opened, has_changed })
    }

    pub(super) async fn topics_of_the_day(
        &self,
        scope: SystemScope,
        until: Date,
    ) -> Result<Vec<NotificationTopic>, Failure> {
        let mut transaction = self.database.read(&Context::of_system(scope)).await?;
        let near = sqlx::query_scalar!(
            "SELECT id FROM inventory_items WHERE household_id = $1 AND good_until <= $2",
            uuid(scope.household()),
            Day(until) as _,
        )
        .fetch_all(&mut transaction)
        .await?;
        let open = select_notifications!(
            "WHERE household_id = $1 AND resolved_at IS NULL",
            uuid(scope.household()),
        )
        .fetch_all(&mut transaction)
        .await?;
        let owner = OwnerColumns::of_household(scope.household());
        let low: LowProducts = transaction.low_products(owner).await?;
        let mut topics: Vec<_> =
            near.into_iter().map(|id| NotificationTopic::Dates(domain_id(id))).collect();
        topics.extend(low.ids().map(NotificationTopic::Stock));
        for row in open {
            topics.push(row.into_notification()?.topic());
        }
        topics.sort_unstable();
        topics.dedup();
        Ok(topics)
    }
}

/// Quantity and threshold in hundredths, and their unit.
fn figures(subject: &NotificationSubject) -> (Option<i64>, Option<i64>, Option<&str>) {
    match subject {
        NotificationSubject::LowStock { quantity, threshold, unit } => {
            (Some(quantity.hundredths()), Some(threshold.hundredths()), Some(unit.as_str()))
        }
        NotificationSubject::ExpiringSoon(_) | NotificationSubject::Expired(_) => {
            (None, None, None)
        }
    }
}

fn new_notification(
    scope: SystemScope,
    lot: &Item,
    subject: NotificationSubject,
    settle: SettleNotifications<'_>,
) -> Notification {
    Notification {
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
    }
}

impl Transaction {
    /// Locks the item. The lock does not conflict with foreign-key references.
    async fn lock_item_to_judge(
        &mut self,
        scope: SystemScope,
        id: ItemId,
    ) -> Result<Option<Item>, Failure> {
        let row = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.household_id = $1 AND i.id = $2 FOR NO KEY UPDATE",
            uuid(scope.household()),
            uuid(id),
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ItemRow::into_item).transpose()?)
    }

    /// Locks the lots of a product in the same way.
    async fn lock_lots_to_judge(&mut self, product: ProductId) -> Result<Vec<Item>, Failure> {
        let rows = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.product_id = $1 ORDER BY i.id FOR NO KEY UPDATE",
            uuid(product),
        );
        let rows = rows.fetch_all(self).await?;
        Ok(rows.into_iter().map(ItemRow::into_item).collect::<Result<_>>()?)
    }

    /// Locks the open notifications, all before the first change: another holder may be waiting for
    /// the sequence number that a change takes.
    async fn lock_open_notifications(
        &mut self,
        scope: SystemScope,
        topic: NotificationTopic,
    ) -> Result<Vec<Notification>, Failure> {
        let (item, product) = match topic {
            NotificationTopic::Dates(item) => (Some(uuid(item)), None),
            NotificationTopic::Stock(product) => (None, Some(uuid(product))),
        };
        let rows = select_notifications!(
            "WHERE household_id = $1 AND resolved_at IS NULL
             AND (item_id = $2 AND product_id IS NULL OR product_id = $3)
             ORDER BY id FOR NO KEY UPDATE",
            uuid(scope.household()),
            item,
            product,
        );
        let rows = rows.fetch_all(self).await?;
        Ok(rows.into_iter().map(NotificationRow::into_notification).collect::<Result<_>>()?)
    }

    /// Ends a notification that is locked.
    async fn resolve(&mut self, ended: &Notification, at: Timestamp) -> Result<(), Failure> {
        let forget_at = ended.expires_at().unwrap_or(Timestamp::MAX);
        sqlx::query!(
            "UPDATE notifications SET resolved_at = $3, forget_at = $4
             WHERE household_id = $1 AND id = $2",
            uuid(ended.household),
            uuid(ended.id),
            Instant(at) as _,
            Instant(forget_at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Gives a notification that is locked other quantities.
    async fn restate(
        &mut self,
        scope: SystemScope,
        id: NotificationId,
        subject: &NotificationSubject,
    ) -> Result<(), Failure> {
        let (quantity, threshold, unit) = figures(subject);
        sqlx::query!(
            "UPDATE notifications
             SET quantity = $3::bigint / 100.0, threshold = $4::bigint / 100.0, unit = $5
             WHERE household_id = $1 AND id = $2",
            uuid(scope.household()),
            uuid(id),
            quantity,
            threshold,
            unit,
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Inserts a notification and its deliveries; `false` if its id exists.
    async fn open(
        &mut self,
        new: &Notification,
        settle: SettleNotifications<'_>,
    ) -> Result<bool, Failure> {
        let (quantity, threshold, unit) = figures(&new.subject);
        if new.subject.date().is_some() {
            self.forget_earlier(new).await?;
        }
        let channels = settle.channels.iter();
        let (channels, due_at): (Vec<_>, Vec<_>) = channels
            .map(|channel| {
                (channel.as_str().to_owned(), Instant(settle.first_delivery_at(*channel)))
            })
            .unzip();
        // A dead letter of one that was forgotten may still have the delivery's place.
        let opened = sqlx::query_scalar!(
            r#"WITH opened AS (
                   INSERT INTO notifications (id, household_id, item_id, item_name, kind, expires_on,
                       quantity, threshold, unit, created_at, product_id)
                   VALUES ($1, $2, $3, $4, $5, $6, $7::bigint / 100.0, $8::bigint / 100.0, $9, $10,
                       $12)
                   ON CONFLICT (id) DO NOTHING
                   RETURNING id, household_id
               ), on_their_way AS (
                   INSERT INTO deliveries (household_id, notification_id, channel, due_at)
                   SELECT o.household_id, o.id, d.channel, d.due_at
                   FROM opened o, unnest($11::text[], $13::timestamptz[]) AS d (channel, due_at)
                   ON CONFLICT (notification_id, channel) DO UPDATE
                   SET attempts = 0, due_at = EXCLUDED.due_at, last_error = NULL, dead_until = NULL
               )
               SELECT count(*) AS "count!" FROM opened"#,
            uuid(new.id),
            uuid(new.household),
            uuid(new.item),
            new.item_name.as_str(),
            new.subject.kind().as_str(),
            new.subject.date().map(|date| Day(date.date())) as _,
            quantity,
            threshold,
            unit,
            Instant(new.created_at) as _,
            &channels,
            new.product.map(uuid),
            &due_at as _,
        )
        .fetch_one(self)
        .await;
        match opened.map_err(Failure::from) {
            // Impossible while the subject is locked; otherwise a retry sees the other one.
            Err(Failure::Constraint(name)) if name.starts_with("idx_notifications_open") => {
                Err(Failure::Conflict("it was said meanwhile".to_owned()))
            }
            opened => Ok(opened? > 0),
        }
    }

    /// Deletes the notification that an item had for the same date, if that is past its time.
    async fn forget_earlier(&mut self, new: &Notification) -> Result<(), Failure> {
        sqlx::query!(
            "DELETE FROM notifications WHERE household_id = $1 AND id = $2 AND forget_at <= $3",
            uuid(new.household),
            uuid(new.id),
            Instant(new.created_at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
