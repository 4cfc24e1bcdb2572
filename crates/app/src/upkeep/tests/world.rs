//! A household on a fresh store, and scripted senders.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    Channel, Email, ExpirationDate, HouseholdName, Item, ItemDetails, ItemName, Notification,
    NotificationFilter, Password, PersonName, Quantity, TokenNeed, Unit, Zone,
};
use larder_storage::{Clock as _, ManualClock, Store};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::ItemStore;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::{
    App, AppSettings, Caller, Caretaker, CaretakerParts, DeliveryOutcome, Job, Message, NewAccount,
    NewPassword, Notifier, PasswordCost, SendError, Stopping, UpkeepObserver,
    entropy::tests::Counting,
};

/// A sender with scripted answers, which then accepts everything.
#[derive(Default)]
pub(super) struct Scripted {
    pub(super) answers: Mutex<VecDeque<SendError>>,
    pub(super) sent: Mutex<Vec<Message>>,
}

impl Scripted {
    /// From now on, fails so many times.
    pub(super) fn fail(&self, times: usize, error: &SendError) {
        self.answers.lock().unwrap().extend(std::iter::repeat_n(error.clone(), times));
    }

    pub(super) fn take_sent(&self) -> Vec<Message> {
        std::mem::take(&mut self.sent.lock().unwrap())
    }
}

#[async_trait]
impl Notifier for Scripted {
    fn channel(&self) -> Channel {
        Channel::Webhook
    }

    async fn send(&self, message: &Message) -> Result<(), SendError> {
        self.sent.lock().unwrap().push(message.clone());
        self.answers.lock().unwrap().pop_front().map_or(Ok(()), Err)
    }
}

/// Counts the results.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) outcomes: Mutex<Vec<DeliveryOutcome>>,
    pub(super) successes: Mutex<Vec<Job>>,
    pub(super) is_paused: Mutex<bool>,
}

impl UpkeepObserver for Counted {
    fn attempted(&self, _: Channel, outcome: DeliveryOutcome) {
        self.outcomes.lock().unwrap().push(outcome);
    }

    fn succeeded(&self, job: Job, _: Timestamp) {
        self.successes.lock().unwrap().push(job);
    }

    fn sweeping_paused(&self, is_paused: bool) {
        *self.is_paused.lock().unwrap() = is_paused;
    }
}

/// Anna's household in Tokyo at 9:00 there, with one server.
pub(super) struct World {
    pub(super) engine: Arc<EmbeddedEngine>,
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) app: App,
    pub(super) anna: Caller,
    pub(super) webhook: Arc<Scripted>,
    pub(super) counted: Arc<Counted>,
    pub(super) caretaker: Caretaker,
    stop: watch::Sender<bool>,
    _directory: TempDir,
}

impl World {
    pub(super) async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-01T00:00:00Z".parse().unwrap()));
        let options = EmbeddedOptions::default();
        let engine = EmbeddedEngine::open(directory.path(), Arc::clone(&clock) as _, options);
        let engine = Arc::new(engine.unwrap());
        let store: Arc<dyn Store> =
            Arc::new(ItemStore::new(Arc::clone(&engine), Arc::clone(&clock) as _));
        let settings = AppSettings {
            password_cost: PasswordCost::LEAST,
            channels: vec![Channel::Webhook],
            ..AppSettings::new(vec![7; 32], vec![8; 32])
        };
        let entropy = Arc::new(Counting::default());
        let app = App::new(Arc::clone(&store), Arc::clone(&clock) as _, entropy, settings).unwrap();
        let anna = founder(&app).await;
        let (webhook, counted) = (Arc::<Scripted>::default(), Arc::<Counted>::default());
        let caretaker =
            caretaker("one", &store, &clock, Arc::clone(&webhook), Arc::clone(&counted) as _);
        let stop = watch::Sender::new(false);
        Self {
            engine,
            store,
            clock,
            app,
            anna,
            webhook,
            counted,
            caretaker,
            stop,
            _directory: directory,
        }
    }

    /// Another server on the same store.
    pub(super) fn another(&self) -> (Caretaker, Arc<Scripted>) {
        let webhook = Arc::<Scripted>::default();
        let caretaker =
            caretaker("two", &self.store, &self.clock, Arc::clone(&webhook), Arc::new(()));
        (caretaker, webhook)
    }

    pub(super) fn stopping(&self) -> Stopping {
        self.stop.subscribe()
    }

    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn wait(&self, time: SignedDuration) {
        self.clock.advance(time);
    }

    /// Adds an item with a threshold of two.
    pub(super) async fn add(&self, name: &str, quantity: &str, date: Option<&str>) -> Item {
        let details = ItemDetails {
            expiration: date.map(|date| ExpirationDate::parse(date).unwrap()),
            low_stock_threshold: Some(Quantity::parse("2").unwrap()),
            ..ItemDetails::new(
                ItemName::parse(name).unwrap(),
                Quantity::parse(quantity).unwrap(),
                Unit::parse("kg").unwrap(),
            )
        };
        self.app.add_item(&self.anna, details, None).await.unwrap().item
    }

    /// Everything that was ever notified, newest first.
    pub(super) async fn notifications(&self) -> Vec<Notification> {
        let scope = crate::authorize::household(&self.anna).unwrap();
        let all = NotificationFilter::All;
        self.store.list_notifications(scope, all, None, 100).await.unwrap().items
    }
}

async fn founder(app: &App) -> Caller {
    let email = Email::parse("anna@example.org").unwrap();
    let password = Password::parse("a long password").unwrap();
    let password = NewPassword::choose(password, &[]).unwrap();
    let name = PersonName::parse("Anna").unwrap();
    let new = NewAccount { email, password, name, invite_code: None };
    let login = app.register(&new).await.unwrap();
    let anna = app.authenticate(&login.access_token, TokenNeed::Login).await.unwrap();
    let home = HouseholdName::parse("Home").unwrap();
    let tokyo = Zone::parse("Asia/Tokyo").unwrap();
    app.create_household(&anna, home, tokyo, false, None).await.unwrap();
    app.authenticate(&login.access_token, TokenNeed::Login).await.unwrap()
}

fn caretaker(
    name: &str,
    store: &Arc<dyn Store>,
    clock: &Arc<ManualClock>,
    webhook: Arc<Scripted>,
    observer: Arc<dyn UpkeepObserver>,
) -> Caretaker {
    Caretaker::new(CaretakerParts {
        name: name.to_owned(),
        store: Arc::clone(store),
        clock: Arc::clone(clock) as _,
        entropy: Arc::new(Counting::default()),
        notifiers: vec![webhook],
        mails_per_day: 2,
        observer,
    })
}
