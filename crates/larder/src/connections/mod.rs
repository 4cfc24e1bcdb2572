//! Connections: accepted within limits, served, and closed when idle.
//!
//! `axum::serve` has no limits and no time-outs, so a client that opens silent sockets locks out
//! all others. Here two limits apply to connections, and one without a request in flight has a
//! deadline.

mod activity;
mod admission;
mod metrics;
mod request;
#[cfg(test)]
mod tests;

use std::future::poll_fn;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use larder_http::Metrics;
use larder_http::TrustedProxies;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;

use self::activity::{Activity, Phase, Timeouts, Watched};
use self::admission::{Admission, Admitted};
use self::metrics::{ConnectionMetrics, Refused};
use self::request::Answering;
use crate::config::ConnectionSettings;
use crate::shutdown;
use crate::tls::{self, Certificate};

/// The limit of a request's header, and so of the memory that a connection may hold that has sent
/// half of one. Far above what browsers and proxies send; most servers allow no more.
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// The pause of accepting when the operating system is out of file descriptors or memory.
const PAUSE: Duration = Duration::from_millis(100);

/// The interval of logging refused connections: one line for each would be a second flood.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// The answer beyond the limit. The length must match the body.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
    content-length: 118\r\nretry-after: 5\r\nconnection: close\r\n\r\n\
    {\"type\":\"/problems/unavailable\",\"title\":\"Too many connections are open\",\"status\":503,\"code\":\"UNAVAILABLE\",\"errors\":[]}";

/// The limits and metrics of connections.
pub(crate) struct Connections {
    admission: Arc<Admission>,
    metrics: ConnectionMetrics,
    timeouts: Timeouts,
    http2: bool,
    certificate: Option<Certificate>,
}

impl Connections {
    /// Connections with these settings. A trusted proxy stands for many clients, so only the total
    /// limit applies to it.
    pub(crate) fn new(
        settings: &ConnectionSettings,
        proxies: TrustedProxies,
        metrics: &Metrics,
    ) -> Self {
        let admission = Admission::new(settings.most_in_all(), settings.max_per_address, proxies);
        let admission = Arc::new(admission);
        Self {
            metrics: ConnectionMetrics::shown_by(metrics, &admission),
            admission,
            timeouts: Timeouts { header: settings.header_timeout, idle: settings.idle_timeout },
            http2: settings.http2,
            certificate: None,
        }
    }

    /// The same over TLS, if there is a certificate.
    pub(crate) fn over(self, certificate: Option<Certificate>) -> Self {
        Self { certificate, ..self }
    }

    /// Serves until the server stops; then finishes the requests in flight.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        router: Router,
        stopping: watch::Receiver<bool>,
    ) {
        // Turns a router with layers into a service.
        let router = router.with_state(());
        // Closed when the last connection has dropped its sender.
        let (alive, mut ended) = mpsc::channel::<()>(1);
        let mut refusals = LogThrottle::default();
        let mut stop = pin!(shutdown::requested(stopping.clone()));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                // The client disconnected before it was accepted.
                Err(reason) if is_of_the_client(&reason) => continue,
                Err(reason) => {
                    self.metrics.refused(Refused::ByTheSystem);
                    refusals.tell(|| {
                        let open = self.admission.open();
                        tracing::error!(%reason, open, "connections not accepted, will retry");
                    });
                    tokio::select! {
                        () = sleep(PAUSE) => continue,
                        () = &mut stop => break,
                    }
                }
            };
            let admitted = match self.admission.admit(peer.ip()) {
                Ok(admitted) => admitted,
                Err(why) => {
                    self.metrics.refused(why);
                    refusals.tell(|| {
                        let (reason, address) = (why.as_str(), peer.ip());
                        tracing::warn!(reason, %address, "connection refused");
                    });
                    if self.certificate.is_none() {
                        refuse(stream);
                    }
                    continue;
                }
            };
            send_at_once(&stream);
            let acceptor = self.certificate.as_ref().map(Certificate::acceptor);
            let connection = Connection {
                peer,
                router: router.clone(),
                timeouts: self.timeouts,
                http2: self.http2,
                metrics: self.metrics.clone(),
                stopping: stopping.clone(),
            };
            let alive = alive.clone();
            tokio::spawn(async move {
                match acceptor {
                    Some(acceptor) => connection.serve_over_tls(acceptor, stream, admitted).await,
                    None => connection.serve(stream, admitted).await,
                }
                drop(alive);
            });
        }
        drop((listener, alive));
        // Ends when all senders are dropped; no message is ever sent.
        ended.recv().await;
    }
}

/// A connection and its dependencies.
struct Connection {
    peer: SocketAddr,
    router: Router,
    timeouts: Timeouts,
    /// Whether a client may begin with HTTP/2.
    http2: bool,
    metrics: ConnectionMetrics,
    stopping: watch::Receiver<bool>,
}

impl Connection {
    /// Shakes hands, as soon as a header must be sent, and serves.
    async fn serve_over_tls(
        mut self,
        acceptor: TlsAcceptor,
        stream: TcpStream,
        admitted: Admitted,
    ) {
        let stop = shutdown::requested(self.stopping.clone());
        let shaken = tokio::select! {
            shaken = timeout(self.timeouts.header, acceptor.accept(stream)) => shaken,
            () = stop => return,
        };
        match shaken {
            Ok(Ok(stream)) => {
                // Whoever negotiates it means it.
                self.http2 = stream.get_ref().1.alpn_protocol() == Some(tls::HTTP2);
                self.serve(stream, admitted).await;
            }
            Ok(Err(reason)) => tracing::trace!(%reason, "TLS handshake failed"),
            Err(_) => self.metrics.timed_out(Phase::Header),
        }
    }

    /// Serves requests until either side closes. `admitted` is held until then.
    async fn serve<S>(self, stream: S, admitted: Admitted)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let activity = Arc::new(Activity::starting(Instant::now()));
        let stream = TokioIo::new(Watched::new(stream, Arc::clone(&activity)));
        let service = Answering::new(self.router, self.peer, Arc::clone(&activity));
        let builder = auto::Builder::new(TokioExecutor::new());
        let mut builder = if self.http2 { builder } else { builder.http1_only() };
        builder.http1().max_buf_size(MAX_HEADER_BYTES);
        let mut served = pin!(builder.serve_connection(stream, service));
        let mut stop = pin!(shutdown::requested(self.stopping));
        let mut is_stopping = false;
        let mut expired = pin!(expired(&activity, self.timeouts));
        let closed = poll_fn(|context| {
            if !is_stopping && stop.as_mut().poll(context).is_ready() {
                is_stopping = true;
                served.as_mut().graceful_shutdown();
            }
            if let Poll::Ready(result) = served.as_mut().poll(context) {
                if let Err(reason) = result {
                    tracing::trace!(%reason, "connection failed");
                }
                return Poll::Ready(None);
            }
            // After the connection, whose progress determines the deadline.
            expired.as_mut().poll(context).map(Some)
        });
        if let Some(phase) = closed.await {
            self.metrics.timed_out(phase);
        }
        drop(admitted);
    }
}

/// Completes when the deadline of a connection has passed. To be polled whenever the connection has been.
///
/// The timer is only moved when it would fire too late or has fired too early, so that frequent
/// requests cost nothing.
async fn expired(activity: &Activity, timeouts: Timeouts) -> Phase {
    let mut timer = pin!(sleep_until(Instant::now() + timeouts.header));
    poll_fn(|context| {
        loop {
            let Some((phase, deadline)) = activity.deadline(timeouts) else { return Poll::Pending };
            if deadline < timer.deadline() {
                timer.as_mut().reset(deadline);
            }
            if timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if deadline <= Instant::now() {
                return Poll::Ready(phase);
            }
            timer.as_mut().reset(deadline);
        }
    })
    .await
}

/// Errors of `accept` that concern one client, not the server.
fn is_of_the_client(reason: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(reason.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Sends the reason, as far as possible without waiting, and closes.
fn refuse(stream: TcpStream) {
    // The buffer of a new connection is empty; if the client is gone, nothing is lost.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(REFUSAL);
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
}

/// Answers are small and written whole: holding them back to fill packets only adds delay.
fn send_at_once(connection: &TcpStream) {
    if let Err(reason) = connection.set_nodelay(true) {
        tracing::debug!(%reason, "connection option not set");
    }
}

/// When something was last logged, to log it at most once per interval.
#[derive(Default)]
struct LogThrottle(Option<Instant>);

impl LogThrottle {
    fn tell(&mut self, say: impl FnOnce()) {
        let now = Instant::now();
        if self.0.is_none_or(|last| now.duration_since(last) >= LOG_INTERVAL) {
            self.0 = Some(now);
            say();
        }
    }
}
