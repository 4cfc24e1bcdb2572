//! The household's tags and notifications on every store, and the rules beside them.

use std::collections::HashMap;

use jiff::Timestamp;
use larder_domain::{
    Channel, ItemId, Notification, NotificationFilter, NotificationId, NotificationTopic, Occasion,
    ProductId, ShoppingItemId, TagPatch, TagStep, TapDirection, TapNonce, UrlId, settle_dates,
    settle_stock,
};
use larder_storage::{
    Acknowledge, IdempotencyClaim, NewTag, NewTap, RotateTag, SettleNotifications, SystemScope,
    Tap, TapDone, UpdateTag,
};

use super::household::{ALL, Household, TODAY, Verdict, agree, index};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A tag and the results of its taps.
#[derive(Debug)]
pub(super) struct Tag {
    url: UrlId,
    item: ItemId,
    step: TagStep,
    is_active: bool,
    taps: HashMap<u8, (Tap, Timestamp)>,
}

impl Tag {
    fn new(url: UrlId, item: ItemId, step: TagStep) -> Self {
        Self { url, item, step, is_active: true, taps: HashMap::new() }
    }
}

impl Household<'_> {
    pub(super) async fn add_tag(
        &mut self,
        item: u8,
        step: &str,
        claim: Option<IdempotencyClaim>,
    ) -> Verdict {
        let (scope, write) = (self.scope, self.write_once(claim.as_ref()));
        let (id, item) = (UrlId::from_random(self.random.bytes()), self.item(item));
        let step = TagStep::parse(step).unwrap();
        let new = &NewTag { id, item, label: None, step };
        let answer = self.everywhere(|store| store.add_tag(scope, new, write)).await?;
        if let Some(added) = answer {
            let name = self.model.find(item).map(|item| item.details.name.clone());
            agree("the rules", &added.map(|tag| tag.item_name), &name)?;
            if name.is_some() {
                self.tags.push(Tag::new(id, item, step));
            }
        }
        self.compare_key(claim.as_ref()).await
    }

    pub(super) async fn rotate_tag(&mut self, tag: u8, claim: Option<IdempotencyClaim>) -> Verdict {
        let Some(at) = index(tag, self.tags.len()) else { return Ok(()) };
        let (scope, write) = (self.scope, self.write_once(claim.as_ref()));
        let new = UrlId::from_random(self.random.bytes());
        let Tag { url, item, step, is_active, .. } = self.tags[at];
        // The tag of a deleted item is store-specific.
        if self.model.find(item).is_none() {
            return Ok(());
        }
        let answer =
            self.everywhere(|store| store.rotate_tag(scope, item, url, new, write)).await?;
        match answer {
            Some(RotateTag::Rotated { .. }) if is_active => {
                self.tags[at].is_active = false;
                self.tags.push(Tag::new(new, item, step));
            }
            Some(RotateTag::AlreadyRotated(_)) if !is_active => {}
            None => {}
            Some(other) => return Err(format!("the rules know no {other:?} here")),
        }
        self.compare_key(claim.as_ref()).await
    }

    pub(super) async fn change_tag(&mut self, tag: u8, step: &str) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let Some(at) = index(tag, self.tags.len()) else { return Ok(()) };
        let Tag { url, is_active, .. } = self.tags[at];
        let step = TagStep::parse(step).unwrap();
        let patch = &TagPatch { step: Some(step), ..TagPatch::default() };
        let answer = self.everywhere(|store| store.update_tag(scope, url, patch, write)).await?;
        match answer {
            Some(UpdateTag::Updated(tag)) if is_active => {
                self.tags[at].step = step;
                agree("the rules", &tag.step, &step)
            }
            Some(UpdateTag::Rotated) if !is_active => Ok(()),
            other => Err(format!("the rules know no {other:?} here")),
        }
    }

    /// Deletes a tag, and taps it in vain.
    pub(super) async fn delete_tag(&mut self, tag: u8) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let Some(at) = index(tag, self.tags.len()) else { return Ok(()) };
        let Tag { url, taps, .. } = self.tags.remove(at);
        let answer = self.everywhere(|store| store.delete_tag(scope, url, write)).await?;
        agree("the rules", &answer, &Some(true))?;
        let nonce = taps.keys().min().copied().unwrap_or_default();
        let nonce = TapNonce::parse(&format!("nonce-{nonce:02}")).unwrap();
        let remember_until = Timestamp::from_second(write.at.as_second() + DAY_SECONDS).unwrap();
        let direction = TapDirection::Take;
        let tap = NewTap { url, direction, nonce: &nonce, remember_until, at: write.at };
        let answer = self.everywhere(|store| store.tap(tap)).await?;
        agree("the rules", &answer, &Some(Tap::Unknown))
    }

    pub(super) async fn tap(&mut self, tag: u8, direction: TapDirection, nonce: u8) -> Verdict {
        let at = self.write().at;
        let Some(n) = index(tag, self.tags.len()) else { return Ok(()) };
        let name = TapNonce::parse(&format!("nonce-{nonce:02}")).unwrap();
        let remember_until = Timestamp::from_second(at.as_second() + DAY_SECONDS).unwrap();
        let Tag { url, item, step, is_active, .. } = self.tags[n];
        let tap = NewTap { url, direction, nonce: &name, remember_until, at };
        let known = self.tags[n].taps.get(&nonce).filter(|(_, until)| *until > at);
        let known = known.map(|(first, _)| first.clone());
        // Whether a repetition reports the end of the tag or the first result is store-specific.
        let is_over = !is_active || self.model.find(item).is_none();
        if known.is_some() && is_over {
            return Ok(());
        }
        let answer = self.everywhere(|store| store.tap(tap)).await?;
        let expected = match known {
            Some(Tap::Done(TapDone { item, applied_hundredths, .. })) => {
                Tap::Done(TapDone { item, applied_hundredths, is_repeated: true })
            }
            _ if !is_active => Tap::Rotated,
            _ => {
                let first = self.model.tap(item, direction.delta(step), at);
                if matches!(first, Tap::Done(TapDone { .. })) {
                    self.tags[n].taps.insert(nonce, (first.clone(), remember_until));
                }
                first
            }
        };
        agree("the rules", &answer, &Some(expected))
    }

    /// Settles the dates of an item and the stock of its product.
    pub(super) async fn settle(&mut self, item: u8, occasion: Occasion) -> Verdict {
        let item = self.item(item);
        self.settle_topic(NotificationTopic::Dates(item), occasion).await?;
        // The product of an item that is gone may have other lots, or none.
        let product = self.model.find(item).and_then(|item| item.product);
        let product = product.unwrap_or_else(|| ProductId::of_lot(item, 1));
        self.settle_topic(NotificationTopic::Stock(product), occasion).await
    }

    async fn settle_topic(&mut self, topic: NotificationTopic, occasion: Occasion) -> Verdict {
        let (system, at) = (self.system(), self.write().at);
        let settlement = SettleNotifications {
            topic,
            today: TODAY,
            occasion,
            fresh_id: NotificationId::from_random(self.random.bytes()),
            entry_id: ShoppingItemId::from_random(self.random.bytes()),
            by: None,
            channels: &[Channel::Webhook],
            at,
            next_day: at,
        };
        let known = self.notifications_of(topic).await?;
        let answer =
            self.everywhere(|store| store.settle_notifications(system, settlement)).await?;
        let opened = answer.expect("settling claims no key");
        let open: Vec<_> = known.iter().filter(|said| said.is_open()).cloned().collect();
        let rules = match topic {
            NotificationTopic::Dates(item) => settle_dates(self.model.find(item), &open, TODAY),
            NotificationTopic::Stock(product) => match self.model.find_product(product) {
                Some(found) => settle_stock(Some(&found.product), &found.lots, &open),
                None => settle_stock(None, &[], &open),
            },
        };
        let is_new = |subject: &larder_domain::NotificationSubject| {
            subject.date().is_none() || !known.iter().any(|said| said.subject.is_same_as(subject))
        };
        let subject = rules.open.filter(is_new);
        agree("the rules", &opened.as_ref().map(|said| said.subject.clone()), &subject)?;
        self.notifications.extend(opened.iter().map(|said| said.id));
        if let Some((id, subject)) = rules.restate {
            let found = self.everywhere(|store| store.find_notification(system, id)).await?;
            agree("the rules", &found.flatten().map(|said| said.subject), &Some(subject))?;
        }
        for id in rules.resolve {
            let found = self.everywhere(|store| store.find_notification(system, id)).await?;
            let ended = found.flatten().and_then(|said| said.resolved_at);
            agree("the rules", &ended, &Some(settlement.at))?;
        }
        Ok(())
    }

    pub(super) async fn acknowledge(&mut self, notification: u8) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let id = match index(notification, self.notifications.len() + 1) {
            Some(at) if at < self.notifications.len() => self.notifications[at],
            _ => NotificationId::from_random(self.random.bytes()),
        };
        let answer =
            self.everywhere(|store| store.acknowledge_notification(scope, id, write)).await?;
        match answer {
            Some(Acknowledge::Done(said)) if said.acknowledged.is_some() => Ok(()),
            Some(Acknowledge::Resolved(said)) if said.acknowledged.is_none() => Ok(()),
            Some(Acknowledge::NotFound) => Ok(()),
            other => Err(format!("the rules know no {other:?}")),
        }
    }

    /// The stored notifications of a topic.
    async fn notifications_of(
        &self,
        topic: NotificationTopic,
    ) -> Result<Vec<Notification>, String> {
        let system = self.system();
        let mut known = Vec::new();
        for id in &self.notifications {
            let found = self.everywhere(|store| store.find_notification(system, *id)).await?;
            known.extend(found.flatten().filter(|said| said.topic() == topic));
        }
        Ok(known)
    }

    /// Every tag as admins and holders see it, and every notification.
    pub(super) async fn compare_tags(&self) -> Verdict {
        let scope = self.scope;
        let all = self.everywhere(|store| store.list_tags(scope, None, ALL)).await?;
        let all = all.expect("reading claims no key").items;
        agree("the rules", &all.len(), &self.tags.len())?;
        for tag in &all {
            let own = self.tags.iter().find(|own| own.url == tag.id);
            let expected = own.map(|own| (own.item, own.step, own.is_active));
            agree("the rules", &Some((tag.item, tag.step, tag.is_active())), &expected)?;
            if let Some(item) = self.model.find(tag.item) {
                agree("the rules", &tag.item_name, &item.details.name)?;
            }
            let held = self.everywhere(|store| store.find_held_tag(tag.id)).await?;
            let item = held.flatten().and_then(|held| held.item);
            agree("the rules", &item.as_ref(), &self.model.find(tag.item))?;
        }
        for id in &self.items {
            self.everywhere(|store| store.list_item_tags(scope, *id, None, ALL)).await?;
        }
        for filter in [NotificationFilter::Open, NotificationFilter::All] {
            self.everywhere(|store| store.list_notifications(scope, filter, None, ALL)).await?;
        }
        let system = self.system();
        self.everywhere(|store| store.topics_to_settle(system, TODAY)).await?;
        self.everywhere(|store| store.find_audience(system)).await?;
        let at = self.now();
        self.everywhere(|store| store.reconcile(system, at)).await?;
        Ok(())
    }

    const fn system(&self) -> SystemScope {
        SystemScope::assume_authorized(self.scope.household())
    }
}
