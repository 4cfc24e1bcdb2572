//! The external issuer's keys, from a file or from where the issuer publishes them.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Discovery, key_file::KeyFile, key_set::VerificationKey};
use crate::{IssuerKeySource, SettingsError};

/// Keys that verify the issuer's tokens.
pub(super) enum IssuerKeys {
    File(KeyFile),
    Published(Arc<Discovery>),
}

impl IssuerKeys {
    /// Reads the file for the first time; what is published is fetched later, so that an issuer
    /// that is down does not keep Larder from starting.
    pub(super) fn open(
        issuer: &str,
        source: IssuerKeySource,
        now: Timestamp,
    ) -> Result<Self, SettingsError> {
        Ok(match source {
            IssuerKeySource::File(path) => Self::File(KeyFile::open(path, now)?),
            IssuerKeySource::Discovery(http) => {
                Self::Published(Arc::new(Discovery::new(issuer.to_owned(), http)))
            }
        })
    }

    /// The key with this `kid`, which a token names that anybody may have made up.
    pub(super) async fn find(&self, kid: &str, now: Timestamp) -> Option<Arc<VerificationKey>> {
        match self {
            Self::File(keys) => keys.find(kid, now).await,
            Self::Published(discovery) => discovery.find_key(kid, now).await,
        }
    }

    pub(super) fn discovery(&self) -> Option<Arc<Discovery>> {
        match self {
            Self::File(_) => None,
            Self::Published(discovery) => Some(Arc::clone(discovery)),
        }
    }
}
