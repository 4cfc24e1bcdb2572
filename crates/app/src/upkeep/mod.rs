//! Background jobs of the servers of one store, each on one server at a time.
//!
//! A job is a method that does the current work and returns a summary; the caller schedules it.
//! When asked to stop, it finishes the current step. The rest is found again by any server: all
//! state is in the store.

mod back_off;
mod days;
mod deliveries;
mod job;
mod lease;
mod observer;
mod reconciliation;
mod sweeping;
mod upcasting;
mod work;

use std::sync::{Arc, atomic::AtomicBool};

use larder_storage::{Clock, Store};
use tokio::sync::watch;

use crate::{Entropy, Notifier, settling::Settler};

pub use self::days::DaysBegun;
pub use self::deliveries::Deliveries;
pub use self::job::Job;
pub use self::observer::{DeliveryOutcome, UpkeepObserver};
pub use self::reconciliation::Reconciled;
pub use self::sweeping::Sweep;
pub use self::upcasting::{Upcast, UpcastProgress};

/// The dependencies of the jobs.
pub struct CaretakerParts {
    /// The server's name as a lease holder. It must be unique if several servers may share the
    /// store; if only one can have it open, a constant name lets it resume at once after a crash.
    pub name: String,
    /// The store.
    pub store: Arc<dyn Store>,
    /// Decides what is due.
    pub clock: Arc<dyn Clock>,
    /// Ids and jitter.
    pub entropy: Arc<dyn Entropy>,
    /// How notifications leave the house, one per channel.
    pub notifiers: Vec<Arc<dyn Notifier>>,
    /// The limit of mails per address and day.
    pub mails_per_day: u32,
    /// Counts the jobs' results.
    pub observer: Arc<dyn UpkeepObserver>,
}

/// One server's hand in the jobs of the store.
pub struct Caretaker {
    storage: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    notifiers: Vec<Arc<dyn Notifier>>,
    mails_per_day: u32,
    observer: Arc<dyn UpkeepObserver>,
    settler: Settler,
    name: String,
    /// Whether the pause of sweeping was logged.
    has_told_of_jump: AtomicBool,
}

impl Caretaker {
    /// The caretaker of these parts.
    pub fn new(parts: CaretakerParts) -> Self {
        let CaretakerParts { name, store, clock, entropy, notifiers, mails_per_day, observer } =
            parts;
        let settler = Settler {
            storage: Arc::clone(&store),
            entropy: Arc::clone(&entropy),
            clock: Arc::clone(&clock),
            channels: notifiers.iter().map(|notifier| notifier.channel()).collect(),
        };
        let has_told_of_jump = AtomicBool::default();
        Self {
            storage: store,
            clock,
            entropy,
            notifiers,
            mails_per_day,
            observer,
            settler,
            name,
            has_told_of_jump,
        }
    }

    /// Whether any channel is configured.
    pub fn has_channels(&self) -> bool {
        !self.notifiers.is_empty()
    }

    fn now(&self) -> jiff::Timestamp {
        crate::app::now(&*self.clock)
    }
}

/// Turns true when the server is about to stop.
pub type Stopping = watch::Receiver<bool>;

fn is_stopping(stopping: &Stopping) -> bool {
    *stopping.borrow()
}

/// Completes when the server is about to stop.
pub(crate) async fn stopped(stopping: &mut Stopping) {
    // An error means that the sender was dropped, which ends the server too.
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
}

#[cfg(test)]
mod tests;
