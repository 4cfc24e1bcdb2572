//! Catalogs of barcodes.

use std::path::PathBuf;

use larder_outbound::OutboundUrl;

use super::SettingError;
use super::layers::Layers;

const ENDPOINT_EXAMPLE: &str = "https://world.openfoodfacts.org";

/// Who suggests names for unknown barcodes. By default no one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BarcodeSettings {
    /// A dump of Open Food Facts.
    pub catalog: Option<PathBuf>,
    /// A service in its format.
    pub endpoint: Option<OutboundUrl>,
}

impl BarcodeSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Self, SettingError> {
        let catalog = layers.find("barcode_catalog")?.map(|given| given.readable_path());
        let accepted =
            format!("{}, and without query, such as {ENDPOINT_EXAMPLE}", OutboundUrl::ACCEPTED);
        let endpoint = layers.parse("barcode_endpoint", &accepted, |text| {
            OutboundUrl::parse(text).filter(|url| !url.has_query())
        });
        Ok(Self { catalog: catalog.transpose()?, endpoint: endpoint? })
    }
}
