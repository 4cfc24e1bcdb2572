//! Notifications leave the house.

use futures_util::future::join_all;
use jiff::Timestamp;
use larder_domain::{Channel, Member, Notification};
use larder_storage::{Attempt, Audience, Delivery, Result};

use super::{
    Caretaker, DeliveryOutcome, Job, Stopping, back_off::pause_after, days::pass_over, is_stopping,
};
use crate::{Message, Notifier, SendError, authorize, mail_day};

/// How many are tried at the same time.
const AT_ONCE: usize = 8;
/// How many one run tries at most.
const MOST_ROUNDS: usize = 100;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deliveries {
    /// Those that arrived.
    pub sent: u64,
    /// Those that are tried again.
    pub failed: u64,
    /// Failed permanently.
    pub dead: u64,
    /// Those whose notification was resolved, or without recipients.
    pub dropped: u64,
    /// Those beyond today's limit of mails.
    pub capped: u64,
}

impl Caretaker {
    /// Attempts every due delivery, the longest waiting first. `None` while another server does.
    ///
    /// A delivery may arrive twice if this server dies between the two, with the same id.
    pub async fn deliver(&self, stopping: &Stopping) -> Result<Option<Deliveries>> {
        // Usually nothing is due: a query is cheaper than a lease.
        if self.storage.due_deliveries(self.now(), 1).await?.is_empty() {
            return Ok(Some(Deliveries::default()));
        }
        self.alone(Job::Deliveries, stopping, self.deliver_due(stopping)).await
    }

    async fn deliver_due(&self, stopping: &Stopping) -> Result<Deliveries> {
        let mut done = Deliveries::default();
        for _ in 0..MOST_ROUNDS {
            let due = self.storage.due_deliveries(self.now(), AT_ONCE).await?;
            if due.is_empty() || is_stopping(stopping) {
                break;
            }
            let outcomes = join_all(due.iter().map(|delivery| self.attempt(delivery))).await;
            for outcome in outcomes {
                match outcome? {
                    DeliveryOutcome::Sent => done.sent += 1,
                    DeliveryOutcome::Failed => done.failed += 1,
                    DeliveryOutcome::Dead => done.dead += 1,
                    DeliveryOutcome::Dropped => done.dropped += 1,
                    DeliveryOutcome::Capped => done.capped += 1,
                }
            }
        }
        Ok(done)
    }

    /// Makes one attempt, and records its result.
    async fn attempt(&self, delivery: &Delivery) -> Result<DeliveryOutcome> {
        let channel = delivery.channel;
        let (attempt, outcome) = match self.find_told(delivery).await {
            Err(error) => {
                // An unreadable one must not block the others.
                pass_over(&error)?;
                (Attempt::Dead(self.now(), error.to_string()), DeliveryOutcome::Dead)
            }
            Ok(None) => (Attempt::Delivered, DeliveryOutcome::Dropped),
            Ok(Some((notification, audience))) => {
                let delivery_id = format!("{}.{}", delivery.notification, channel.as_str());
                let (sent_at, household) = (self.now(), audience.household.clone());
                let recipients = match channel {
                    Channel::Mail => self.readers(&audience, sent_at).await?,
                    Channel::Webhook => Ok(audience.members),
                };
                match recipients {
                    Ok(recipients) => {
                        let message =
                            Message { delivery_id, notification, household, recipients, sent_at };
                        let sent = self.send(channel, &message).await;
                        if channel == Channel::Mail && matches!(sent, Err(SendError::Temporary(_)))
                        {
                            self.not_mailed(&message).await?;
                        }
                        self.judge(delivery, sent)
                    }
                    Err(outcome) => (Attempt::Delivered, outcome),
                }
            }
        };
        self.storage.record_attempt(delivery, &attempt).await?;
        self.observer.attempted(channel, outcome);
        let (notification, channel) = (delivery.notification, channel.as_str());
        match &attempt {
            Attempt::Delivered => {
                tracing::debug!(%notification, channel, outcome = outcome.as_str(), "delivered");
            }
            Attempt::RetryAt(at, reason) => {
                tracing::info!(%notification, channel, reason, retry_at = %at, "notification not delivered, will retry");
            }
            Attempt::Dead(_, reason) => {
                tracing::warn!(%notification, channel, reason, "notification failed permanently, see `larder dead-letters`");
            }
        }
        Ok(outcome)
    }

    /// The notification and its recipients, unless it is outdated.
    async fn find_told(&self, delivery: &Delivery) -> Result<Option<(Notification, Audience)>> {
        let scope = authorize::system(delivery.household);
        let notification = self.storage.find_notification(scope, delivery.notification).await?;
        let Some(notification) = notification.filter(Notification::is_open) else {
            return Ok(None);
        };
        let audience = self.storage.find_audience(scope).await?;
        Ok(audience.map(|audience| (notification, audience)))
    }

    /// The recipients of a mail: members with confirmed addresses below today's limit. Each is
    /// counted. Without any, the reason.
    async fn readers(
        &self,
        audience: &Audience,
        at: Timestamp,
    ) -> Result<Result<Vec<Member>, DeliveryOutcome>> {
        let mut readers = Vec::new();
        let mut is_capped = false;
        for member in &audience.members {
            if !audience.confirmed.contains(&member.user) {
                continue;
            }
            if self.storage.count_mail(member.user, mail_day(at), self.mails_per_day, at).await? {
                readers.push(member.clone());
            } else {
                tracing::info!(member = %member.user, "mail limit of the day reached, no more mails today");
                is_capped = true;
            }
        }
        Ok(match (readers.is_empty(), is_capped) {
            (false, _) => Ok(readers),
            (true, true) => Err(DeliveryOutcome::Capped),
            (true, false) => Err(DeliveryOutcome::Dropped),
        })
    }

    /// Uncounts the mails: the next attempt counts again, also for those that this one reached.
    async fn not_mailed(&self, message: &Message) -> Result<()> {
        let at = message.sent_at;
        for member in &message.recipients {
            self.storage.uncount_mail(member.user, mail_day(at), at).await?;
        }
        Ok(())
    }

    async fn send(&self, channel: Channel, message: &Message) -> Result<(), SendError> {
        let notifier = self.notifiers.iter().find(|notifier| notifier.channel() == channel);
        match notifier {
            Some(notifier) => Notifier::send(&**notifier, message).await,
            // It was created when there was a sender. There may be one again, here or on another
            // server.
            None => Err(SendError::Temporary("this server has no sender for it".to_owned())),
        }
    }

    fn judge(
        &self,
        delivery: &Delivery,
        sent: Result<(), SendError>,
    ) -> (Attempt, DeliveryOutcome) {
        let now = self.now();
        let random = u16::from_be_bytes(self.entropy.bytes());
        match sent {
            Ok(()) => (Attempt::Delivered, DeliveryOutcome::Sent),
            Err(SendError::Permanent(reason)) => {
                (Attempt::Dead(now, reason), DeliveryOutcome::Dead)
            }
            Err(SendError::Temporary(reason)) => match pause_after(delivery.attempts, random) {
                Some(pause) => {
                    let at = now.saturating_add(pause).unwrap_or(Timestamp::MAX);
                    (Attempt::RetryAt(at, reason), DeliveryOutcome::Failed)
                }
                None => (Attempt::Dead(now, reason), DeliveryOutcome::Dead),
            },
        }
    }
}
