//! `larder serve`: the one place where settings, secrets, engine and routes are joined.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use larder_api::ApiParts;
use larder_app::{
    AccountMail, App, AppSettings, Caretaker, CaretakerParts, Notifier, SettingsError,
};
use larder_http::{
    AccountLimits, BasePath, CursorKey, HttpSettings, Limits, LinkSettings, Metrics, Problem,
    RequestIds, SessionCookies, TrustedProxies,
};
use larder_outbound::ClientError;
use larder_storage::{Clock, MonotonicClock};
use larder_web::WebParts;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;

use crate::barcode_catalogs::BarcodeCatalogs;
use crate::channels::{self, ChannelError, Channels};
use crate::config::Settings;
use crate::connections::Connections;
use crate::embedded;
use crate::identity_provider::{self, IdentityProviderError};
use crate::logging;
use crate::secrets::{SecretError, Secrets};
use crate::shutdown::{self, Ended, Shutdown, StopSignals, run_until_stopped};
use crate::startup_gate::StartupGate;
use crate::store;
use crate::system::{SystemClock, SystemEntropy, SystemMonotonic, random_bytes};
use crate::tls::{Certificate, TlsError};
use crate::upkeep::{Upkeep, UpkeepMetrics};

/// Why serving ended without a request to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use, not local, or not allowed.
    #[error("the setting {setting} is {address}, but that address cannot be listened on: {reason}")]
    Listen {
        /// The setting.
        setting: &'static str,
        /// The address of the settings.
        address: SocketAddr,
        /// The operating system's error.
        reason: io::Error,
    },
    /// A secret is exposed, invalid or cannot be created.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Notifications cannot leave the house as the settings say.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The service of barcodes cannot be called.
    #[error("the setting barcode_endpoint cannot be served: {0}")]
    Barcodes(#[from] ClientError),
    /// Nobody can log in with the identity provider as the settings say.
    #[error(transparent)]
    IdentityProvider(#[from] IdentityProviderError),
    /// The store refuses to serve: it is in use, of another version, not prepared, or opened with
    /// rights that the server must not have.
    #[error("{0}")]
    Store(Box<dyn Error + Send + Sync>),
    /// A setting that only its user can judge.
    #[error(transparent)]
    App(#[from] SettingsError),
    /// The operating system failed to provide an essential resource.
    #[error("serving failed: {0}")]
    Io(#[from] io::Error),
    /// A second signal arrived before the requests in flight were finished.
    #[error("stopped by a second signal before every request was finished")]
    CutOff,
}

impl ServeError {
    /// Whether changing a setting is the remedy.
    pub fn is_wrong_setting(&self) -> bool {
        matches!(
            self,
            Self::Listen { .. }
                | Self::Secret(_)
                | Self::Tls(_)
                | Self::Channel(_)
                | Self::Barcodes(_)
                | Self::IdentityProvider(_)
                | Self::Store(_)
                | Self::App(_)
        )
    }
}

/// Serves until a stop signal.
pub async fn run(settings: Settings) -> Result<(), ServeError> {
    // Signals first: from here on a stop is graceful. Then everything that may refuse a setting,
    // without logging, so that the first line is the one with the port. Connections before that
    // wait in the backlog.
    let mut signals = StopSignals::take()?;
    let listener = bind("listen", settings.listen).await?;
    let metrics_listener = match settings.metrics_listen {
        Some(address) => Some(bind("metrics_listen", address).await?),
        None => None,
    };
    let address = listener.local_addr()?;
    let certificate = settings.tls.clone().map(Certificate::open).transpose()?;
    let server = Server::prepare(settings, address)?;
    let waiting = larder_api::waiting_router(Arc::clone(&server.metrics));
    let gate = StartupGate::closed(server.around(server.without_metrics(waiting))?);
    let upkeep = OnceCell::new();
    if server.settings.store.is_local() {
        upkeep.get_or_try_init(|| server.open(&gate)).await?;
    }
    let Server { settings, shutdown, .. } = &server;
    logging::listening(address, &settings.public_url_at(address), &settings.store);
    if let Some(upkeep) = upkeep.get() {
        upkeep.store.log_opening();
    }
    server.barcode_catalogs.keep_fresh()?;

    let connections =
        Connections::new(&settings.connections, settings.trusted_proxies.clone(), &server.metrics)
            .over(certificate);
    let serving = connections.serve(listener, gate.clone().router(), shutdown.handle());
    let serving = async {
        serving.await;
        Ok::<_, ServeError>(())
    };
    let keeping = async {
        let upkeep = tokio::select! {
            opened = upkeep.get_or_try_init(|| server.open_elsewhere(&gate)) => opened?,
            () = shutdown::requested(shutdown.handle()) => return Ok(()),
        };
        server.follow_identity_provider(&upkeep.app);
        Arc::clone(upkeep).run(shutdown.handle()).await;
        Ok(())
    };
    let measuring = server.serve_metrics(metrics_listener);
    // All end when the server stops; if one fails before, so does the server.
    let work = Box::pin(async { tokio::try_join!(serving, keeping, measuring).map(|_| ()) });
    let grace = settings.shutdown_grace;
    let ended = run_until_stopped(work, async || signals.next().await, shutdown, grace).await;
    if let Some(upkeep) = upkeep.get() {
        upkeep.end().await;
    }
    match ended {
        Ended::Finished(result) => result?,
        Ended::GraceExpired => tracing::warn!("requests not finished in time"),
        Ended::SecondSignal => return Err(ServeError::CutOff),
    }
    tracing::info!("stopped");
    Ok(())
}

async fn bind(setting: &'static str, address: SocketAddr) -> Result<TcpListener, ServeError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|reason| ServeError::Listen { setting, address, reason })
}

/// Everything that does not depend on the store, checked.
struct Server {
    settings: Settings,
    address: SocketAddr,
    secrets: Secrets,
    app_settings: AppSettings,
    notifiers: Vec<Arc<dyn Notifier>>,
    barcode_catalogs: BarcodeCatalogs,
    clock: Arc<dyn Clock>,
    monotonic: Arc<dyn MonotonicClock>,
    metrics: Arc<Metrics>,
    shutdown: Shutdown,
}

impl Server {
    fn prepare(settings: Settings, address: SocketAddr) -> Result<Self, ServeError> {
        let data = settings.data_directory();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        if let Some(directory) = settings.store.directory() {
            embedded::prepare(directory, &settings, &clock).map_err(ServeError::Store)?;
        }
        let secrets = Secrets::prepare(data, &settings.given_secrets, &random_bytes)?;
        let Channels { notifiers, account_mailer } =
            channels::open(&settings.channels, data, &random_bytes)?;
        let barcode_catalogs = BarcodeCatalogs::open(&settings.barcodes, data, &clock)?;
        let mut app_settings = AppSettings::new(
            secrets.jwt.expose().to_vec(),
            secrets.api_key_pepper.expose().to_vec(),
        );
        app_settings.operator_token =
            settings.operator_token.as_ref().map(|token| token.expose().to_vec());
        app_settings.registration = settings.registration;
        app_settings.reading_retention = settings.reading_retention();
        app_settings.schemas = settings.schemas.registry();
        identity_provider::configure(&mut app_settings, settings.oidc.as_ref(), data)?;
        app_settings.account_mail = account_mailer.map(|mailer| AccountMail {
            mailer,
            public_url: settings.public_url_at(address).to_string(),
            per_day: settings.channels.mail_per_day,
        });
        app_settings.channels = notifiers.iter().map(|notifier| notifier.channel()).collect();
        app_settings.barcode_catalogs = barcode_catalogs.all();
        app_settings.check(clock.now())?;
        let metrics = Arc::new(Metrics::new(clock.now()));
        let shutdown = Shutdown::new();
        let monotonic = Arc::new(SystemMonotonic::start());
        Ok(Self {
            settings,
            address,
            secrets,
            app_settings,
            notifiers,
            barcode_catalogs,
            clock,
            monotonic,
            metrics,
            shutdown,
        })
    }

    /// Opens the store, then the gate. Returns the background jobs.
    async fn open(&self, gate: &StartupGate) -> Result<Arc<Upkeep>, ServeError> {
        let store = store::open(&self.settings, &self.clock).await.map_err(ServeError::Store)?;
        store.measure(&self.metrics);
        let (ports, clock, entropy) = (store.ports(), &self.clock, Arc::new(SystemEntropy));
        let app = App::new(ports, Arc::clone(clock), entropy, self.app_settings.clone())?;
        let app = Arc::new(app);
        gate.open(self.around(self.without_metrics(self.routes(&app)))?);
        let caretaker = Caretaker::new(CaretakerParts {
            name: store::caretaker_name(&self.settings.store)?,
            store: store.ports(),
            clock: Arc::clone(&self.clock),
            entropy: Arc::new(SystemEntropy),
            notifiers: self.notifiers.clone(),
            mails_per_day: self.settings.channels.mail_per_day,
            observer: Arc::new(UpkeepMetrics::shown_by(&self.metrics)),
        });
        let pace = store::pace(&self.settings.store);
        let clock_confirmed_at = self.settings.clock_confirmed_at();
        Ok(Arc::new(Upkeep { app, caretaker, store, pace, clock_confirmed_at }))
    }

    /// Fetches what the identity provider publishes, in the background: one that is down must not
    /// keep anybody waiting.
    fn follow_identity_provider(&self, app: &Arc<App>) {
        let (app, stopping) = (Arc::clone(app), self.shutdown.handle());
        tokio::spawn(async move {
            tokio::select! {
                () = identity_provider::keep_fresh(&app) => {}
                () = shutdown::requested(stopping) => {}
            }
        });
    }

    /// The same for a remote store, which may take a while; logs when it is done.
    async fn open_elsewhere(&self, gate: &StartupGate) -> Result<Arc<Upkeep>, ServeError> {
        let upkeep = self.open(gate).await?;
        tracing::info!(store = %self.settings.store, "store opened");
        Ok(upkeep)
    }

    /// The routes of the API and the pages.
    fn routes(&self, app: &Arc<App>) -> Router {
        let cookies = SessionCookies::for_public_url(&self.settings.public_url_at(self.address));
        let cursor_key = CursorKey::new(self.secrets.cursor_key.expose());
        let account_limits =
            self.settings.rate_limits.then(|| Arc::new(AccountLimits::new(&self.monotonic)));
        let pages = larder_web::routes(WebParts {
            app: Arc::clone(app),
            cookies,
            cursor_key: cursor_key.clone(),
            account_limits: account_limits.clone(),
            base_path: self.base_path(),
            clock: Arc::clone(&self.monotonic),
        });
        let api = larder_api::router(ApiParts {
            app: Arc::clone(app),
            cookies,
            cursor_key,
            account_limits,
            device_requests_per_minute: self.settings.device_requests_per_minute,
            clock: Arc::clone(&self.monotonic),
            stopping: self.shutdown.handle(),
            metrics: Arc::clone(&self.metrics),
            other_routes: pages.contract,
            base_path: self.base_path(),
        });
        api.merge(pages.router)
    }

    fn base_path(&self) -> Option<BasePath> {
        self.settings.public_url.as_ref().and_then(BasePath::of)
    }

    /// The routes without `/metrics`, if that has a listener of its own.
    fn without_metrics(&self, routes: Router) -> Router {
        if self.settings.metrics_listen.is_none() {
            return routes;
        }
        routes.layer(from_fn(async |request: Request, next: Next| {
            if request.uri().path() == "/metrics" {
                Problem::not_found().into_response()
            } else {
                next.run(request).await
            }
        }))
    }

    /// Serves the metrics on a listener of their own, if there is one.
    async fn serve_metrics(&self, listener: Option<TcpListener>) -> Result<(), ServeError> {
        let Some(listener) = listener else { return Ok(()) };
        tracing::info!(address = %listener.local_addr()?, "metrics listening");
        let router = self.around(larder_api::metrics_router(Arc::clone(&self.metrics)))?;
        let (settings, proxies) = (&self.settings.connections, TrustedProxies::default());
        // The metrics are about the connections of everybody else.
        let connections = Connections::new(settings, proxies, &Metrics::new(self.clock.now()));
        connections.serve(listener, router, self.shutdown.handle()).await;
        Ok(())
    }

    /// Puts the stack of every server around its routes.
    fn around(&self, routes: Router) -> io::Result<Router> {
        let mut seed = [0; 8];
        random_bytes(&mut seed)?;
        let settings = HttpSettings {
            limits: Limits::default(),
            metrics: Arc::clone(&self.metrics),
            request_ids: RequestIds::new(seed),
            trusted_proxies: self.settings.trusted_proxies.clone(),
            links: LinkSettings {
                public_url: self.settings.public_url.clone().map(Arc::new),
                listening: Arc::new(self.settings.listening_url(self.address)),
            },
        };
        let served = larder_http::stack(routes, settings);
        Ok(match self.base_path() {
            Some(base) => base.serve(served),
            None => served,
        })
    }
}
