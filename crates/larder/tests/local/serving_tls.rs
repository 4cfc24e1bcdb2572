//! TLS by the server itself.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use larder_test_servers::certificate;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::block_in_place;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject as _};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::it::support::{Server, ServerSettings, StoreUnderTest, eventually};

/// An authority, and a certificate of its for `localhost`.
struct Authority(TempDir);

impl Authority {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        block_in_place(|| certificate::make_in(directory.path()));
        Self(directory)
    }

    /// Gives a server its certificate, by renaming, as those who renew certificates do.
    fn certify(&self, files: &Path) {
        for name in ["server.key", "server.crt"] {
            fs::copy(self.0.path().join(name), files.join("new")).unwrap();
            fs::rename(files.join("new"), files.join(name)).unwrap();
        }
    }

    /// A connection of a client that trusts this authority alone.
    async fn connect(&self, address: SocketAddr, protocol: &str) -> Option<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        let root = CertificateDer::from_pem_file(self.0.path().join(certificate::CA)).unwrap();
        roots.add(root).unwrap();
        let provider = Arc::new(ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()
    }

    /// The whole answer to a request.
    async fn get(&self, address: SocketAddr, path: &str) -> String {
        let mut stream = self.connect(address, "http/1.1").await.expect("it is trusted");
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8(answer).unwrap()
    }
}

fn settings(files: &Path) -> ServerSettings {
    ServerSettings::default()
        .with("LARDER_TLS_CERT", files.join("server.crt").to_str().unwrap())
        .with("LARDER_TLS_KEY", files.join("server.key").to_str().unwrap())
        .with("LARDER_HEADER_TIMEOUT_SECONDS", "1")
}

async fn serve(files: &Path) -> (Server, SocketAddr) {
    let server = Server::launch_on(StoreUnderTest::embedded().await, settings(files)).await;
    let address = server.address().get();
    (server, address)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_are_served_over_tls_and_nothing_without() {
    let (authority, other) = (Authority::new(), Authority::new());
    let files = tempfile::tempdir().unwrap();
    authority.certify(files.path());
    let (mut server, address) = serve(files.path()).await;
    eventually("the server is ready", async || {
        let answer = authority.get(address, "/readyz").await;
        answer.starts_with("HTTP/1.1 200").then_some(())
    })
    .await;
    assert!(server.log().contains(&format!("https://{address}")), "{}", server.log());
    let page = authority.get(address, "/login").await;
    let cookies = page.lines().filter(|line| line.to_lowercase().starts_with("set-cookie"));
    let cookies: Vec<_> = cookies.collect();
    assert!(!cookies.is_empty() && cookies.iter().all(|it| it.contains("Secure")), "{cookies:?}");

    assert!(other.connect(address, "http/1.1").await.is_none(), "whom it is not from");
    // Who does not speak TLS, or nothing at all, is let go.
    for sent in [&b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n"[..], b""] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));
    }
    assert!(server.terminate().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_may_choose_http_2() {
    let authority = Authority::new();
    let files = tempfile::tempdir().unwrap();
    authority.certify(files.path());
    let (_server, address) = serve(files.path()).await;
    let mut stream = authority.connect(address, "h2").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    // The beginning of every connection, and settings that change nothing.
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    let mut frame = [0; 9];
    stream.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame[3], 4, "the server's settings: {frame:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewed_certificate_is_served_without_a_restart_and_a_broken_one_never() {
    let (old, renewed) = (Authority::new(), Authority::new());
    let files = tempfile::tempdir().unwrap();
    old.certify(files.path());
    let (server, address) = serve(files.path()).await;
    assert!(old.connect(address, "http/1.1").await.is_some());

    fs::write(files.path().join("server.crt"), "-----BEGIN CERTIFICATE-----\nhalf").unwrap();
    eventually("the broken certificate is noticed", async || {
        assert!(old.connect(address, "http/1.1").await.is_some(), "the old one is still good");
        server.log().contains("certificate not reloaded").then_some(())
    })
    .await;

    renewed.certify(files.path());
    eventually("the renewed certificate is served", async || {
        renewed.connect(address, "http/1.1").await.map(drop)
    })
    .await;
    assert!(server.log().contains("certificate reloaded"), "{}", server.log());
    assert!(old.connect(address, "http/1.1").await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_another_certificate_refuses_to_start() {
    let (one, other) = (Authority::new(), Authority::new());
    let files = tempfile::tempdir().unwrap();
    one.certify(files.path());
    fs::copy(other.0.path().join("server.key"), files.path().join("server.key")).unwrap();
    let store = StoreUnderTest::embedded().await;
    let mut command = Server::command(&store);
    let file = |name: &str| files.path().join(name);
    command.env("LARDER_TLS_CERT", file("server.crt")).env("LARDER_TLS_KEY", file("server.key"));
    let output = command.output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(said.contains("the files of tls_cert and tls_key cannot be used together"), "{said}");
}
