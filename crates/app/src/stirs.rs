//! What changes without an entry in the journal: whoever looks at it on this server is told that it may be different
//! now, not how. Other servers notice when they look again.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use larder_domain::{HouseholdId, Urn};
use larder_storage::{AccountScope, FleetScope};
use tokio::sync::watch;

use crate::{App, Caller, authorize};

/// So many are known before those whom nobody listens to any more are forgotten.
const MOST_KNOWN: usize = 1024;

/// What may be different.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Resources, what they are in and belong to, and who may do what with them.
    Things,
    /// Devices and what they measure.
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

/// Who listens to what, by account.
#[derive(Debug, Default)]
pub(crate) struct Stirs(Mutex<HashMap<(Urn, Topic), watch::Sender<()>>>);

impl Stirs {
    fn watch(&self, account: Urn, topic: Topic) -> watch::Receiver<()> {
        let mut known = self.lock();
        if known.len() >= MOST_KNOWN {
            known.retain(|_, listeners| listeners.receiver_count() > 0);
        }
        known.entry((account, topic)).or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    pub(crate) fn stir(&self, account: Urn, topic: Topic) {
        if let Some(listeners) = self.lock().get(&(account, topic)) {
            listeners.send_replace(());
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(Urn, Topic), watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// Moves whenever this may be different in the caller's household. `None` without one.
    pub fn watch_topic(&self, caller: &Caller, topic: Topic) -> Option<watch::Receiver<()>> {
        let scope = authorize::find_account(caller)?;
        Some(self.stirs.watch(scope.account().clone(), topic))
    }

    pub(crate) fn things_stirred(&self, scope: &AccountScope) {
        self.stirs.stir(scope.account().clone(), Topic::Things);
    }

    pub(crate) fn readings_stirred(&self, scope: FleetScope) {
        if let Some(household) = scope.household() {
            self.stirs.stir(Urn::of_household(household), Topic::Readings);
        }
    }

    pub(crate) fn tags_stirred(&self, household: HouseholdId) {
        self.stirs.stir(Urn::of_household(household), Topic::Tags);
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
        let stirs = Stirs::default();
        let mut things = stirs.watch(account(1), Topic::Things);
        let mut readings = stirs.watch(account(1), Topic::Readings);
        let others = stirs.watch(account(2), Topic::Things);
        let mut second = stirs.watch(account(1), Topic::Things);
        stirs.stir(account(1), Topic::Things);
        stirs.stir(account(1), Topic::Things);
        for listener in [&mut things, &mut second] {
            assert!(listener.has_changed().unwrap());
            listener.mark_unchanged();
            assert!(!listener.has_changed().unwrap(), "several stirs are one");
        }
        assert!(!readings.has_changed().unwrap() && !others.has_changed().unwrap());
        stirs.stir(account(1), Topic::Readings);
        assert!(readings.has_changed().unwrap());
        readings.mark_unchanged();
    }

    #[test]
    fn those_who_have_gone_are_forgotten() {
        let stirs = Stirs::default();
        let _stays = stirs.watch(account(0), Topic::Things);
        for number in 0..3 * u32::try_from(MOST_KNOWN).unwrap() {
            let household = HouseholdId::from_random(u128::from(number).to_be_bytes());
            drop(stirs.watch(Urn::of_household(household), Topic::Things));
        }
        assert!(stirs.lock().len() <= MOST_KNOWN);
        assert!(stirs.lock().contains_key(&(account(0), Topic::Things)));
    }
}
