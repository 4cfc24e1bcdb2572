//! Storage locations as the API shows them.

use larder_domain::{
    DeviceReference, SEEDED_LOCATIONS, SeededLocation, StorageLocation, StorageLocationId,
};
use serde::Serialize;
use utoipa::ToSchema;

/// A storage location: a predefined one, or one of the household.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StorageLocation)]
pub(super) struct LocationDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: StorageLocationId,
    name: &'a str,
    /// The English name of a predefined one; null for one of the household.
    name_en: Option<&'a str>,
    icon: Option<&'a str>,
    /// Those of the household follow the predefined ones.
    sort_order: usize,
    /// The device that monitors it.
    device_id: Option<&'a str>,
    /// Whether it belongs to the household, which can change and delete it.
    is_own: bool,
}

impl<'a> LocationDto<'a> {
    pub(super) fn seeded(location: &SeededLocation) -> Self {
        Self {
            id: location.id,
            name: location.name,
            name_en: Some(location.name_en),
            icon: Some(location.icon),
            sort_order: location.sort_order.into(),
            device_id: None,
            is_own: false,
        }
    }

    pub(super) fn own(location: &'a StorageLocation) -> Self {
        Self {
            id: location.id,
            name: location.name.as_str(),
            name_en: None,
            icon: None,
            sort_order: SEEDED_LOCATIONS.len() + 1,
            device_id: location.device.as_ref().map(DeviceReference::as_str),
            is_own: true,
        }
    }
}
