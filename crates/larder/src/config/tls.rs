//! TLS by the server itself.

use std::path::PathBuf;

use super::SettingError;
use super::layers::Layers;

/// The files that TLS needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// The certificate, followed by those that vouch for it (PEM).
    pub certificate: PathBuf,
    /// Its private key (PEM).
    pub key: PathBuf,
}

impl TlsSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Option<Self>, SettingError> {
        let certificate =
            layers.find("tls_cert")?.map(|given| given.readable_path()).transpose()?;
        let key = layers.find("tls_key")?.map(|given| given.readable_path()).transpose()?;
        match (certificate, key) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => Ok(Some(Self { certificate, key })),
            (None, _) => Err(SettingError::TlsIncomplete { missing: "tls_cert" }),
            (_, None) => Err(SettingError::TlsIncomplete { missing: "tls_key" }),
        }
    }
}
