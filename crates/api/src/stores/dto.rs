//! Shops as the API shows them.

use larder_domain::{SortOrder, Store, StoreAddress, StoreId};
use serde::Serialize;
use utoipa::ToSchema;

/// A shop.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Store)]
pub(super) struct StoreDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: StoreId,
    name: &'a str,
    address: Option<&'a str>,
    /// Its place in the household's order of stores: the smallest comes first. Those without one come
    /// after the others, by name.
    sort_order: Option<u16>,
}

impl<'a> StoreDto<'a> {
    pub(super) fn of(store: &'a Store) -> Self {
        Self {
            id: store.id,
            name: store.name.as_str(),
            address: store.address.as_ref().map(StoreAddress::as_str),
            sort_order: store.sort_order.map(SortOrder::get),
        }
    }
}
