//! The use cases' common ground.

use std::sync::{Arc, Mutex, atomic::AtomicBool};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use larder_domain::{SchemaRegistry, UuidV7Sequence};
use larder_storage::{Cache, Clock, IdempotencyClaim, Store, Write};

use crate::{
    AccountMail, AppSettings, BarcodeCatalog, Entropy, Registration, Result, SettingsError,
    accounts::{
        self, CONFIRMATION_LABEL, CallerCache, CsrfKey, MailLinkKey, Passwords, ProgramTokenCache,
        RESET_LABEL, SessionCache,
    },
    change_hints::ChangeHints,
    completion::complete_even_if_cancelled,
    images::Images,
    inventory::{MAX_COUNTED, StockOverviewCache},
    resources::DeletionQueue,
    settling::Settler,
    sign_on::SignOn,
    tags::{AccessCounter, TagKey},
    telemetry::{DeviceKeys, OperatorToken},
    today::{MAX_TODAYS, TodayCache},
    tokens::Tokens,
};

/// Everything that people do with Larder, over one store.
pub struct App {
    pub(crate) storage: Arc<dyn Store>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) tokens: Tokens,
    pub(crate) sign_on: Option<SignOn>,
    pub(crate) passwords: Passwords,
    pub(crate) registration: Registration,
    /// Whether the store has accounts, if known. Never becomes false again.
    pub(crate) has_accounts: AtomicBool,
    pub(crate) callers: Arc<CallerCache>,
    pub(crate) sessions: Arc<SessionCache>,
    pub(crate) program_tokens: Arc<ProgramTokenCache>,
    pub(crate) csrf_key: CsrfKey,
    pub(crate) account_mail: Option<AccountMail>,
    pub(crate) confirmation_key: MailLinkKey,
    pub(crate) reset_key: MailLinkKey,
    pub(crate) settler: Arc<Settler>,
    pub(crate) stock_overviews: StockOverviewCache,
    pub(crate) todays: TodayCache,
    pub(crate) change_hints: ChangeHints,
    pub(crate) accesses: Arc<AccessCounter>,
    pub(crate) tag_key: TagKey,
    pub(crate) operator: Option<OperatorToken>,
    pub(crate) device_keys: Arc<DeviceKeys>,
    pub(crate) reading_retention: SignedDuration,
    pub(crate) schemas: SchemaRegistry,
    pub(crate) barcode_catalogs: Vec<Arc<dyn BarcodeCatalog>>,
    pub(crate) resource_ids: Mutex<UuidV7Sequence>,
    pub(crate) deletions: Arc<DeletionQueue>,
    pub(crate) images: Images,
    clock: Arc<dyn Clock>,
}

/// The day on which a mail is counted. UTC, because an address has no time zone.
pub(crate) fn mail_day(at: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(at).date()
}

impl App {
    /// The use cases on this store. Reads the keys of the external issuer, if there is one.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: AppSettings,
    ) -> Result<Self, SettingsError> {
        let settler = Settler {
            storage: Arc::clone(&store),
            entropy: Arc::clone(&entropy),
            clock: Arc::clone(&clock),
            channels: settings.channels,
        };
        let tokens = Tokens::new(&settings.jwt_secret, settings.external_issuer, clock.now())?;
        let sign_on = SignOn::new(settings.sign_on, &tokens, &settings.jwt_secret);
        Ok(Self {
            storage: store,
            entropy,
            tokens,
            sign_on,
            passwords: Passwords::new(settings.password_cost)?,
            registration: settings.registration,
            has_accounts: AtomicBool::new(false),
            callers: Arc::new(Cache::new(accounts::MAX_ENTRIES)),
            sessions: Arc::new(Cache::new(accounts::MAX_ENTRIES)),
            program_tokens: Arc::new(Cache::new(accounts::MAX_ENTRIES)),
            csrf_key: CsrfKey::derive(&settings.jwt_secret),
            account_mail: settings.account_mail,
            confirmation_key: MailLinkKey::derive(&settings.jwt_secret, CONFIRMATION_LABEL),
            reset_key: MailLinkKey::derive(&settings.jwt_secret, RESET_LABEL),
            settler: Arc::new(settler),
            stock_overviews: Cache::new(MAX_COUNTED),
            todays: Cache::new(MAX_TODAYS),
            change_hints: ChangeHints::default(),
            accesses: Arc::default(),
            tag_key: TagKey::derive(&settings.jwt_secret),
            device_keys: Arc::new(DeviceKeys::new(&settings.api_key_pepper)),
            reading_retention: settings.reading_retention,
            schemas: settings.schemas,
            barcode_catalogs: settings.barcode_catalogs,
            resource_ids: Mutex::default(),
            deletions: Arc::default(),
            images: Images::default(),
            operator: settings.operator_token.as_deref().map(OperatorToken::new),
            clock,
        })
    }

    /// The clock that decides every deadline.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// The current time in whole milliseconds, the precision of records.
    pub fn now(&self) -> Timestamp {
        now(&*self.clock)
    }

    /// A write that happens now.
    pub(crate) fn write<'a>(&self, claim: Option<&'a IdempotencyClaim>) -> Write<'a> {
        Write { at: self.now(), claim }
    }

    /// Runs a write that changes callers' rights, and then invalidates them in the cache. It
    /// completes even if the request is cancelled: otherwise a removed member would keep their
    /// rights while cached. It also invalidates after a failure, whose outcome may be unknown.
    pub(crate) async fn change_callers<T, F>(
        &self,
        write: impl FnOnce(Arc<dyn Store>) -> F,
        invalidate: impl FnOnce(&CallerCache) + Send + 'static,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = larder_storage::Result<T>> + Send + 'static,
    {
        let work = write(Arc::clone(&self.storage));
        let callers = Arc::clone(&self.callers);
        let result = complete_even_if_cancelled(async move {
            let result = work.await;
            invalidate(&callers);
            result
        });
        Ok(result.await??)
    }
}

/// Now, in whole milliseconds.
pub(crate) fn now(clock: &dyn Clock) -> Timestamp {
    whole_milliseconds(clock.now())
}

/// A time in whole milliseconds, the precision of records.
pub(crate) fn whole_milliseconds(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond())
        .expect("the milliseconds of a timestamp are within its range")
}
