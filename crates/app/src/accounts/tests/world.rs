//! Two servers on one store, at a time of the test's choosing.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{Email, Password, PersonName, SessionId, SessionLabel};
use larder_storage::{ManualClock, Session, Store};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::ItemStore;
use tempfile::TempDir;

use crate::{
    App, AppError, AppSettings, BrowserLogin, Caller, Entropy, NewAccount, NewPassword,
    PasswordCost, Registration, Result, entropy::tests::Counting,
};

pub(super) const PASSWORD: &str = "correct horse";
/// Longer than anything is remembered without being read again.
pub(super) const A_MOMENT: SignedDuration = SignedDuration::from_secs(8);

/// Two servers on one store.
pub(super) struct World {
    pub(super) app: App,
    pub(super) elsewhere: App,
    pub(super) clock: Arc<ManualClock>,
    _directory: TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-01T00:00:00Z".parse().unwrap()));
        let options = EmbeddedOptions::default();
        let engine = EmbeddedEngine::open(directory.path(), Arc::clone(&clock) as _, options);
        let store: Arc<dyn Store> =
            Arc::new(ItemStore::new(Arc::new(engine.unwrap()), Arc::clone(&clock) as _));
        let entropy: Arc<dyn Entropy> = Arc::new(Counting::default());
        let server = || {
            let settings = AppSettings {
                password_cost: PasswordCost::LEAST,
                registration: Registration::Open,
                ..AppSettings::new(vec![7; 32], vec![8; 32])
            };
            let clock = Arc::clone(&clock) as _;
            App::new(Arc::clone(&store), clock, Arc::clone(&entropy), settings).unwrap()
        };
        Self { app: server(), elsewhere: server(), clock, _directory: directory }
    }

    pub(super) fn wait(&self, time: SignedDuration) {
        self.clock.advance(time);
    }

    /// Registers a new user in a browser.
    pub(super) async fn register(&self, name: &str) -> BrowserLogin {
        let (email, password) = (email(name), new_password(PASSWORD));
        let name = PersonName::parse(name).unwrap();
        let label = label("the first browser");
        let new = NewAccount { email, password, name, invite_code: None };
        self.app.register_in_browser(&new, label).await.unwrap()
    }

    /// The same person in one more browser.
    pub(super) async fn log_in(&self, name: &str, browser: &str) -> BrowserLogin {
        let password = password(PASSWORD);
        self.app.login_in_browser(&email(name), &password, label(browser)).await.unwrap()
    }

    pub(super) async fn caller(&self, login: &BrowserLogin) -> Caller {
        self.app.recognize_browser(&login.cookie).await.unwrap().caller
    }

    pub(super) async fn session_of(&self, login: &BrowserLogin) -> SessionId {
        self.app.authenticate_browser(&login.cookie).await.unwrap().session
    }

    pub(super) async fn sessions(&self, caller: &Caller) -> Vec<Session> {
        self.app.sessions(caller, None, 100).await.unwrap().items
    }

    /// Whether this server accepts the cookie, in either way.
    pub(super) async fn is_in(&self, login: &BrowserLogin) -> bool {
        let by_page = is_authenticated(&self.app.authenticate_browser(&login.cookie).await);
        let by_api = is_authenticated(&self.app.recognize_browser(&login.cookie).await);
        assert_eq!(by_page, by_api);
        by_page
    }
}

pub(super) fn is_authenticated<T>(result: &Result<T>) -> bool {
    match result {
        Ok(_) => true,
        Err(AppError::Unauthenticated) => false,
        Err(error) => panic!("{error}"),
    }
}

pub(super) fn email(name: &str) -> Email {
    Email::parse(&format!("{name}@example.com")).unwrap()
}

pub(super) fn password(text: &str) -> Password {
    Password::parse(text).unwrap()
}

pub(super) fn new_password(text: &str) -> NewPassword {
    NewPassword::choose(password(text), &[]).unwrap()
}

pub(super) fn label(text: &str) -> SessionLabel {
    SessionLabel::parse(text).unwrap()
}
