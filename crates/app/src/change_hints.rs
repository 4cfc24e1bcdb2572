//! Hints for listeners of unjournaled data: something may have changed, without saying what. They stay within one
//! server; listeners on others poll.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use larder_domain::{HouseholdId, Urn};
use larder_storage::{AccountScope, FleetScope};
use tokio::sync::watch;

use crate::{App, Caller, authorize};

/// Beyond this many channels, those without listeners are dropped.
const MAX_CHANNELS: usize = 1024;

/// The topic of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Resources, relationships and grants.
    Things,
    /// Devices and readings.
    Readings,
    /// Tags, and how often they were opened.
    Tags,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Things, Self::Readings, Self::Tags];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Things => "things",
            Self::Readings => "readings",
            Self::Tags => "tags",
        }
    }
}

/// A channel per account and topic.
#[derive(Debug, Default)]
pub(crate) struct ChangeHints(Mutex<HashMap<(Urn, Topic), watch::Sender<()>>>);

impl ChangeHints {
    fn watch(&self, account: Urn, topic: Topic) -> watch::Receiver<()> {
        let mut channels = self.lock();
        if channels.len() >= MAX_CHANNELS {
            channels.retain(|_, listeners| listeners.receiver_count() > 0);
        }
        channels.entry((account, topic)).or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    pub(crate) fn notify(&self, account: Urn, topic: Topic) {
        if let Some(listeners) = self.lock().get(&(account, topic)) {
            listeners.send_replace(());
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(Urn, Topic), watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// Changes with every hint for the caller's household. `None` without one.
    pub fn watch_topic(&self, caller: &Caller, topic: Topic) -> Option<watch::Receiver<()>> {
        let scope = authorize::find_account(caller)?;
        Some(self.change_hints.watch(scope.account().clone(), topic))
    }

    pub(crate) fn notify_things_changed(&self, scope: &AccountScope) {
        self.change_hints.notify(scope.account().clone(), Topic::Things);
    }

    pub(crate) fn notify_readings_changed(&self, scope: FleetScope) {
        if let Some(household) = scope.household() {
            self.change_hints.notify(Urn::of_household(household), Topic::Readings);
        }
    }

    pub(crate) fn notify_tags_changed(&self, household: HouseholdId) {
        self.change_hints.notify(Urn::of_household(household), Topic::Tags);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: u8) -> Urn {
        Urn::of_household(HouseholdId::fixed(number.into()))
    }

    #[test]
    fn whoever_listens_is_told_of_their_own_household_and_topic_alone() {
        let change_hints = ChangeHints::default();
        let mut things = change_hints.watch(account(1), Topic::Things);
        let mut readings = change_hints.watch(account(1), Topic::Readings);
        let others = change_hints.watch(account(2), Topic::Things);
        let mut second = change_hints.watch(account(1), Topic::Things);
        change_hints.notify(account(1), Topic::Things);
        change_hints.notify(account(1), Topic::Things);
        for listener in [&mut things, &mut second] {
            assert!(listener.has_changed().unwrap());
            listener.mark_unchanged();
            assert!(!listener.has_changed().unwrap(), "several hints are one");
        }
        assert!(!readings.has_changed().unwrap() && !others.has_changed().unwrap());
        change_hints.notify(account(1), Topic::Readings);
        assert!(readings.has_changed().unwrap());
        readings.mark_unchanged();
    }

    #[test]
    fn those_who_have_gone_are_forgotten() {
        let change_hints = ChangeHints::default();
        let _stays = change_hints.watch(account(0), Topic::Things);
        for number in 0..3 * u32::try_from(MAX_CHANNELS).unwrap() {
            let household = HouseholdId::from_random(u128::from(number).to_be_bytes());
            drop(change_hints.watch(Urn::of_household(household), Topic::Things));
        }
        assert!(change_hints.lock().len() <= MAX_CHANNELS);
        assert!(change_hints.lock().contains_key(&(account(0), Topic::Things)));
    }
}
