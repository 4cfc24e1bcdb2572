//! `larder serve`: the one place where settings, secrets, engine and routes are joined.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::ListenerExt;
use larder_api::{
    ApiParts,
    http::{CursorKey, HttpSettings, Limits, Metrics, RequestIds},
};
use larder_app::{App, AppSettings, ExternalIssuer, SettingsError};
use larder_storage::{Clock, Store};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OnceCell;

use crate::config::Settings;
use crate::door::Door;
use crate::logging;
use crate::secrets::{SecretError, Secrets};
use crate::shutdown::{self, Ended, Shutdown, StopSignals, run_until_stopped};
use crate::store::{self, OpenStore};
use crate::system::{SystemClock, SystemEntropy, random_bytes};

/// Why serving ended other than by being asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, not ours, or not allowed.
    #[error("the setting listen is {address}, but that address cannot be listened on: {reason}")]
    Listen {
        /// The address of the settings.
        address: SocketAddr,
        /// What the operating system says.
        reason: io::Error,
    },
    /// A secret is exposed, broken or cannot be made.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The store will not serve like this: it is in use, of another version, not prepared, or opened
    /// with rights that the server must not have.
    #[error("{0}")]
    Store(Box<dyn Error + Send + Sync>),
    /// A setting that only its user can judge.
    #[error(transparent)]
    App(#[from] SettingsError),
    /// The operating system refused what every server needs.
    #[error("serving failed: {0}")]
    Io(#[from] io::Error),
    /// A second signal came before the requests in flight were finished.
    #[error("stopped by a second signal before every request was finished")]
    CutOff,
}

impl ServeError {
    /// Whether changing a setting is the remedy.
    pub fn is_wrong_setting(&self) -> bool {
        matches!(self, Self::Listen { .. } | Self::Secret(_) | Self::Store(_) | Self::App(_))
    }
}

/// Serves until a signal asks to stop.
pub async fn run(settings: Settings) -> Result<(), ServeError> {
    // Signals first: from here on a stop is orderly. Then whatever may refuse a setting, without a
    // word to the log, so that the first line is the one that names the port. Connections that come
    // before that wait in the backlog.
    let mut signals = StopSignals::take()?;
    let listener = TcpListener::bind(settings.listen)
        .await
        .map_err(|reason| ServeError::Listen { address: settings.listen, reason })?;
    let address = listener.local_addr()?;
    let server = Server::prepare(settings)?;
    let door = Door::shut(larder_api::waiting_router(server.http()?));
    let store = OnceCell::new();
    if server.settings.store.is_local() {
        store.get_or_try_init(|| server.open(&door)).await?;
    }
    let Server { settings, shutdown, .. } = &server;
    logging::listening(address, &settings.public_url_at(address), &settings.store);

    let router = door.clone().router().into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener.tap_io(send_at_once), router)
        .with_graceful_shutdown(shutdown::requested(shutdown.handle()))
        .into_future();
    let keeping = async {
        let store = store.get_or_try_init(|| server.open_elsewhere(&door)).await?;
        Ok(store::keep_swept(&**store).await)
    };
    let work = async {
        tokio::select! {
            result = serving => result.map_err(ServeError::Io),
            Err(refusal) = keeping => Err(refusal),
        }
    };
    let grace = settings.shutdown_grace;
    let ended = run_until_stopped(work, async || signals.next().await, shutdown, grace).await;
    if let Some(store) = store.get() {
        store.close().await;
    }
    match ended {
        Ended::Finished(result) => result?,
        Ended::GraceExpired => tracing::warn!("some requests did not finish in time"),
        Ended::SecondSignal => return Err(ServeError::CutOff),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Everything that does not depend on the store, checked.
struct Server {
    settings: Settings,
    secrets: Secrets,
    app_settings: AppSettings,
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    shutdown: Shutdown,
}

impl Server {
    fn prepare(settings: Settings) -> Result<Self, ServeError> {
        let data = settings.data_directory();
        let secrets = Secrets::prepare(data, &settings.given_secrets, &random_bytes)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let mut app_settings = AppSettings::new(secrets.jwt.expose().to_vec());
        app_settings.external_issuer = settings.oidc.as_ref().map(|oidc| ExternalIssuer {
            issuer: oidc.issuer.clone(),
            audience: Some(oidc.audience.clone()),
            jwks_path: oidc.jwks_path.clone(),
        });
        app_settings.check(clock.now())?;
        let metrics = Arc::new(Metrics::new(clock.now()));
        Ok(Self { settings, secrets, app_settings, clock, metrics, shutdown: Shutdown::new() })
    }

    /// Opens the store, then the door.
    async fn open(&self, door: &Door) -> Result<Box<dyn OpenStore>, ServeError> {
        let store = store::open(&self.settings, &self.clock).await.map_err(ServeError::Store)?;
        store.measure(&self.metrics);
        door.open(larder_api::router(self.parts(store.ports())?));
        Ok(store)
    }

    /// The same where that takes a while, and says when it is done.
    async fn open_elsewhere(&self, door: &Door) -> Result<Box<dyn OpenStore>, ServeError> {
        let store = self.open(door).await?;
        tracing::info!(store = %self.settings.store, "the store is open");
        Ok(store)
    }

    /// Joins store, use cases and API.
    fn parts(&self, store: Arc<dyn Store>) -> Result<ApiParts, ServeError> {
        let clock = Arc::clone(&self.clock);
        let app = App::new(store, clock, Arc::new(SystemEntropy), self.app_settings.clone())?;
        Ok(ApiParts {
            app: Arc::new(app),
            cursor_key: CursorKey::new(self.secrets.cursor_key.expose()),
            rate_limits: self.settings.rate_limits,
            clock: Arc::clone(&self.clock),
            stopping: self.shutdown.handle(),
            http: self.http()?,
        })
    }

    fn http(&self) -> io::Result<HttpSettings> {
        let mut seed = [0; 8];
        random_bytes(&mut seed)?;
        Ok(HttpSettings {
            limits: Limits::default(),
            metrics: Arc::clone(&self.metrics),
            request_ids: RequestIds::new(seed),
            trusted_proxies: self.settings.trusted_proxies.clone(),
        })
    }
}

/// Answers are small and written whole: holding them back to fill packets only adds delay.
fn send_at_once(connection: &mut TcpStream) {
    if let Err(reason) = connection.set_nodelay(true) {
        tracing::debug!(%reason, "a connection stays slower than it could be");
    }
}
