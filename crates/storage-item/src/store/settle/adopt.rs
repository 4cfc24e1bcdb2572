//! Notifications about stock from before there were products: each was about one lot.

use larder_domain::{HouseholdId, Notification, NotificationKind};
use larder_storage::{Result, Write};

use super::super::{
    ItemStore,
    change_set::{Actor, ChangeSet, Commit},
};
use super::Step;
use crate::{
    Change, Condition, RecordEngine,
    layout::{item, keys, notification, unique},
};

impl<E: RecordEngine> ItemStore<E> {
    /// Makes the open notifications about the stock of lots those of products. A product keeps the
    /// oldest; the others are resolved.
    pub(in super::super) async fn adopt_stock_notifications(
        &self,
        household: HouseholdId,
    ) -> Result<()> {
        let pk = keys::family_pk(household);
        let records = self.all_under(pk, keys::NOTIFICATION_PREFIX).await?;
        let said = records.iter().map(notification::from_record);
        let mut said = said.collect::<Result<Vec<_>>>()?;
        said.retain(|said| {
            said.is_open()
                && said.product.is_none()
                && said.subject.kind() == NotificationKind::LowStock
        });
        said.sort_by_key(|said| (said.created_at, said.id));
        for said in said {
            self.adopt(&said).await?;
        }
        Ok(())
    }

    async fn adopt(&self, said: &Notification) -> Result<()> {
        let household = said.household;
        let own = unique::open_notification(household, said.item, NotificationKind::LowStock);
        let key = keys::notification(household, said.id);
        let is_open = vec![Condition::Absent("resolvedAt".into())];
        let write = Write::at(self.clock.now());
        let owner = larder_domain::Owner::Household(household);
        let record = self.get(&keys::item(owner, said.item)).await?;
        let item = record.as_ref().map(item::from_record).transpose()?;
        if let Some(product) = item.and_then(|item| item.product) {
            let marker = unique::open_stock_notification(household, product);
            let names = Change::Set("productId".into(), product.to_string().into());
            let set = ChangeSet::new()
                .step(Step::Marker, own.release(said.id))
                .step(Step::Marker, marker.take(said.id, write.at))
                .update(Step::Notification, key.clone(), is_open.clone(), vec![names]);
            if let Commit::Done(_) = self.commit(Actor::System, write, set, None).await? {
                return Ok(());
            }
        }
        // Its item is gone, or its product has a notification already.
        let ended = Notification { resolved_at: Some(write.at), ..said.clone() };
        let set = ChangeSet::new().step(Step::Marker, own.release(said.id)).update(
            Step::Notification,
            key,
            is_open,
            notification::progress(&ended),
        );
        // A failure means that it was resolved or adopted concurrently.
        self.commit(Actor::System, write, set, None).await?;
        Ok(())
    }
}
