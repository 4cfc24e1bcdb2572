//! Notifications leave the house encrypted, to whom the system's certificates vouch for.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::serve::Listener;
use larder_test_servers::SmtpServer;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::block_in_place;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use tokio_rustls::server::TlsStream;

use crate::it::support::mailbox::{confirm, mails_to};
use crate::it::support::receiver::WEBHOOK_SECRET;
use crate::it::support::{Receiver, Server, ServerSettings, until};
use crate::it::upkeep::add_too_little;

const PASSWORD: &str = "hunter2-of-the-mail-server";

/// Accepts clients that trust its certificate.
struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl TlsListener {
    /// With the certificate for `localhost` in this directory.
    async fn with_certificate_in(directory: &Path) -> Self {
        let certificate = CertificateDer::from_pem_file(directory.join("server.crt")).unwrap();
        let key = PrivateKeyDer::from_pem_file(directory.join("server.key")).unwrap();
        let settings = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { listener, acceptor: Arc::new(settings).into() }
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = self.listener.accept().await.unwrap();
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

fn settings(mail: &SmtpServer, password: &str) -> ServerSettings {
    let port = mail.address().port();
    let url = format!("smtp://larder:{password}@localhost:{port}?tls=required");
    ServerSettings::default()
        .with("LARDER_SMTP_URL", &url)
        .with("LARDER_MAIL_FROM", "larder@home.example")
        .with("SSL_CERT_FILE", mail.authority().to_str().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_and_webhook_go_out_over_tls_and_mail_with_a_login() {
    let mail = block_in_place(|| SmtpServer::with_tls_and_login("larder", PASSWORD));
    let authority = mail.authority();
    let listener = TlsListener::with_certificate_in(authority.parent().unwrap()).await;
    let address = listener.local_addr().unwrap();
    let mut receiver =
        Receiver::serving(address, &[], |router| axum::serve(listener, router).into_future());
    let url = format!("https://localhost:{}/hook", address.port());
    let settings = settings(&mail, PASSWORD)
        .with("LARDER_WEBHOOK_URL", &url)
        .with("LARDER_WEBHOOK_SECRET", WEBHOOK_SECRET);
    let server = Server::embedded(settings).await;
    let anna = server.with_household("anna").await;
    confirm(&server, &mail, &anna).await;
    add_too_little(&anna, "Rice").await;
    assert_eq!(receiver.next().await["notification"]["itemName"], "Rice");

    mails_to(&mail, &anna.email, "Rice", 1).await;
    let sent: Value = serde_json::from_str(mail.mails().last().unwrap()).unwrap();
    assert_eq!(sent["secure"], true);
    assert_eq!(sent["user"], "larder");
    assert_eq!(sent["to"], serde_json::json!(["anna@example.org"]));
    assert!(!server.log().contains("hunter2"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_login_is_told_without_it_and_the_mail_is_kept_for_later() {
    let mail = block_in_place(|| SmtpServer::with_tls_and_login("larder", PASSWORD));
    let mut server = Server::embedded(settings(&mail, PASSWORD)).await;
    let anna = server.with_household("anna").await;
    confirm(&server, &mail, &anna).await;
    let before = mail.mails();
    assert!(server.terminate().await.success());
    let wrong = settings(&mail, "hunter2-but-wrong");
    let server = Server::start_on(server.into_store(), wrong).await;
    let anna = server.anonymous().with_token(anna.token());
    add_too_little(&anna, "Rice").await;
    until("the failure is logged", async || {
        server.log().contains("notification not delivered, will retry")
    })
    .await;
    let log = server.log();
    assert!(log.contains("535") && log.contains("who is that"), "{log}");
    assert!(!log.contains("hunter2"), "{log}");
    assert_eq!(mail.mails(), before);
}
