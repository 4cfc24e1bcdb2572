//! `larder serve`: the one place where settings, secrets, engine and routes are joined.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::ListenerExt;
use larder_api::{
    ApiParts,
    http::{CursorKey, HttpSettings, Limits, Metrics, RequestIds},
};
use larder_app::{App, AppSettings, ExternalIssuer, SettingsError};
use larder_storage::Clock;
use larder_storage_embedded::{EmbeddedEngine, OpenError};
use larder_storage_item::ItemStore;
use tokio::net::{TcpListener, TcpStream};

use crate::config::{Settings, StoreSetting};
use crate::embedded;
use crate::logging;
use crate::secrets::{SecretError, Secrets};
use crate::shutdown::{self, Ended, Shutdown, StopSignals, run_until_stopped};
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
    /// The data directory is in use, from another version, or cannot be read.
    #[error(transparent)]
    Store(#[from] OpenError),
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
    // before the store is open wait in the backlog.
    let mut signals = StopSignals::take()?;
    let listener = TcpListener::bind(settings.listen)
        .await
        .map_err(|reason| ServeError::Listen { address: settings.listen, reason })?;
    let address = listener.local_addr()?;
    let StoreSetting::Embedded(data_directory) = &settings.store;
    let secrets = Secrets::prepare(data_directory, &settings.given_secrets, &random_bytes)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = embedded::open(data_directory, &settings, Arc::clone(&clock))?;
    let shutdown = Shutdown::new();
    let metrics = Arc::new(Metrics::new(clock.now()));
    embedded::measure(&engine, &metrics);
    let parts = assemble(&settings, &secrets, &engine, clock, metrics, &shutdown)?;
    logging::listening(address, &settings.public_url_at(address), data_directory);

    let sweeping = tokio::spawn(embedded::sweep_until(Arc::clone(&engine), shutdown.handle()));
    let router = larder_api::router(parts).into_make_service_with_connect_info::<SocketAddr>();
    let server = axum::serve(listener.tap_io(send_at_once), router)
        .with_graceful_shutdown(shutdown::requested(shutdown.handle()));

    let grace = settings.shutdown_grace;
    let serving = server.into_future();
    let ended = run_until_stopped(serving, async || signals.next().await, &shutdown, grace).await;
    sweeping.abort();
    engine.close().await;
    match ended {
        Ended::Finished(result) => result?,
        Ended::GraceExpired => tracing::warn!("some requests did not finish in time"),
        Ended::SecondSignal => return Err(ServeError::CutOff),
    }
    tracing::info!("stopped");
    Ok(())
}

/// Joins engine, use cases and API.
fn assemble(
    settings: &Settings,
    secrets: &Secrets,
    engine: &Arc<EmbeddedEngine>,
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    shutdown: &Shutdown,
) -> Result<ApiParts, ServeError> {
    let store = ItemStore::new(Arc::clone(engine), Arc::clone(&clock));
    let mut app_settings = AppSettings::new(secrets.jwt.expose().to_vec());
    app_settings.external_issuer = settings.oidc.as_ref().map(|oidc| ExternalIssuer {
        issuer: oidc.issuer.clone(),
        audience: Some(oidc.audience.clone()),
        jwks_path: oidc.jwks_path.clone(),
    });
    let app = App::new(Arc::new(store), Arc::clone(&clock), Arc::new(SystemEntropy), app_settings)?;
    let mut seed = [0; 8];
    random_bytes(&mut seed)?;
    Ok(ApiParts {
        app: Arc::new(app),
        cursor_key: CursorKey::new(secrets.cursor_key.expose()),
        rate_limits: settings.rate_limits,
        clock,
        stopping: shutdown.handle(),
        http: HttpSettings {
            limits: Limits::default(),
            metrics,
            request_ids: RequestIds::new(seed),
            trusted_proxies: settings.trusted_proxies.clone(),
        },
    })
}

/// Answers are small and written whole: holding them back to fill packets only adds delay.
fn send_at_once(connection: &mut TcpStream) {
    if let Err(reason) = connection.set_nodelay(true) {
        tracing::debug!(%reason, "a connection stays slower than it could be");
    }
}
