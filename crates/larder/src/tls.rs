//! TLS by the server itself: a certificate and its key in files, which are read again when they
//! change, so that renewing them needs no restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config::TlsSettings;

/// How often new connections may look whether the files have changed.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// The protocols that clients may choose from. With HTTP/2 the live pages of a browser share one
/// connection, where HTTP/1.1 allows it six.
pub(crate) const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Why TLS cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Not a file with certificates in PEM.
    #[error("the setting tls_cert is {path:?}, but no certificate can be read there: {reason}")]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: pem::Error,
    },
    /// Not a file with a private key in PEM.
    #[error("the setting tls_key is {path:?}, but no private key can be read there: {reason}")]
    Key {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: pem::Error,
    },
    /// The two do not belong together, or are of no use.
    #[error("the files of tls_cert and tls_key cannot be used together: {0}")]
    Pair(#[from] tokio_rustls::rustls::Error),
}

/// The certificate and key that new connections get.
pub(crate) struct Certificate {
    files: TlsSettings,
    current: Mutex<Current>,
}

struct Current {
    config: Arc<ServerConfig>,
    stamps: [Stamp; 2],
    looked_at: Instant,
}

impl Certificate {
    /// Reads the files for the first time. They must be good then.
    pub(crate) fn open(files: TlsSettings) -> Result<Self, TlsError> {
        // Before reading: what changes meanwhile is found at the next look.
        let stamps = stamps(&files);
        let config = read(&files)?;
        let current = Mutex::new(Current { config, stamps, looked_at: Instant::now() });
        Ok(Self { files, current })
    }

    /// Shakes hands with new connections, with the newest good certificate.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        // No change below can stop halfway, so a panic elsewhere does not spoil it.
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.duration_since(current.looked_at) >= LOOK_INTERVAL {
            current.looked_at = now;
            self.look_again(&mut current);
        }
        TlsAcceptor::from(Arc::clone(&current.config))
    }

    fn look_again(&self, current: &mut Current) {
        let stamps = stamps(&self.files);
        if stamps == current.stamps {
            return;
        }
        current.stamps = stamps;
        match read(&self.files) {
            Ok(config) => {
                current.config = config;
                tracing::info!(path = %self.files.certificate.display(), "certificate reloaded");
            }
            // Half-written, or the key is still the old one: the next change is another attempt.
            Err(reason) => {
                tracing::warn!(%reason, "certificate not reloaded, keeping the old one");
            }
        }
    }
}

/// What shows that a file is another. `None` if it cannot be seen.
type Stamp = Option<(SystemTime, u64)>;

fn stamps(files: &TlsSettings) -> [Stamp; 2] {
    let stamp = |path: &Path| -> io::Result<_> {
        let metadata = fs::metadata(path)?;
        Ok((metadata.modified()?, metadata.len()))
    };
    [stamp(&files.certificate).ok(), stamp(&files.key).ok()]
}

fn read(files: &TlsSettings) -> Result<Arc<ServerConfig>, TlsError> {
    let unreadable = |reason| TlsError::Certificate { path: files.certificate.clone(), reason };
    let chain = CertificateDer::pem_file_iter(&files.certificate).map_err(unreadable)?;
    let chain: Vec<_> = chain.collect::<Result<_, _>>().map_err(unreadable)?;
    if chain.is_empty() {
        return Err(unreadable(pem::Error::NoItemsFound));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|reason| TlsError::Key { path: files.key.clone(), reason })?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![HTTP2.to_vec(), HTTP1.to_vec()];
    Ok(Arc::new(config))
}
