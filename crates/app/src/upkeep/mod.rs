//! What the servers of one store do by themselves, each job by one of them at a time.
//!
//! A job is a method that does what there is to do now and answers what that was; when to call it is the
//! caller's affair. Whoever is asked to stop finishes the step at hand. What is left over is found again by
//! whichever server looks next: nothing is remembered outside the store.

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

/// What the jobs need.
pub struct CaretakerParts {
    /// What this server calls itself in leases. Where several may share the store, no other server may have
    /// the same; where one alone can have it open, always the same lets it go on at once after a crash.
    pub name: String,
    /// Where everything is.
    pub store: Arc<dyn Store>,
    /// Decides what is due.
    pub clock: Arc<dyn Clock>,
    /// Gives ids and jitter.
    pub entropy: Arc<dyn Entropy>,
    /// How notifications leave the house, one per channel.
    pub notifiers: Vec<Arc<dyn Notifier>>,
    /// How many mails an address gets on one day.
    pub mails_per_day: u32,
    /// Who counts what happens.
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
    /// Whether the log says that sweeping is paused.
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

    /// Whether there is a way for notifications to leave the house.
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
    // An error means that nobody is left who could stop the server, which ends it too.
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
}

#[cfg(test)]
mod tests;
