//! The configured catalogs of barcodes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use larder_app::BarcodeCatalog;
use larder_catalog::{EndpointCatalog, FileCatalog};
use larder_outbound::ClientError;
use larder_storage::Clock;

use crate::config::BarcodeSettings;

/// The configured catalogs.
#[derive(Default)]
pub(crate) struct BarcodeCatalogs {
    file: Option<Arc<FileCatalog>>,
    endpoint: Option<Arc<EndpointCatalog>>,
}

impl BarcodeCatalogs {
    /// Creates the catalogs, with the index of a dump in `data_directory`.
    pub(crate) fn open(
        settings: &BarcodeSettings,
        data_directory: &Path,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        let file = settings.catalog.as_deref();
        let endpoint = settings.endpoint.clone();
        let endpoint = endpoint.map(|url| EndpointCatalog::new(url, Arc::clone(clock)));
        Ok(Self {
            file: file.map(|dump| Arc::new(FileCatalog::new(dump, data_directory))),
            endpoint: endpoint.transpose()?.map(Arc::new),
        })
    }

    /// In the order in which they are asked: what is local first.
    pub(crate) fn all(&self) -> Vec<Arc<dyn BarcodeCatalog>> {
        let file = self.file.iter().map(|file| Arc::clone(file) as _);
        file.chain(self.endpoint.iter().map(|endpoint| Arc::clone(endpoint) as _)).collect()
    }

    /// Imports the dump in the background, now and whenever it changes.
    pub(crate) fn keep_fresh(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), FileCatalog::keep_fresh)
    }
}
