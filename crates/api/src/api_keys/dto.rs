//! API keys as the API shows them: never the key itself or its hash.

use jiff::Timestamp;
use larder_app::FleetCaller;
use larder_domain::{ApiKey, ApiKeyId, KeyDescription};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::{Whose, as_optional_text, as_text};

/// A key that devices authenticate with.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub(super) struct ApiKeyDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    key_id: ApiKeyId,
    /// The household whose devices use it. Only shown to the operator; `null` for the operator's
    /// own keys.
    #[serde(skip_serializing_if = "Whose::is_untold")]
    #[schema(value_type = Option<String>, format = "uuid", required = false)]
    family_id: Whose,
    /// Its purpose.
    #[schema(max_length = 200)]
    description: Option<&'a str>,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When a device last used it, to within five minutes.
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    /// False once revoked.
    is_active: bool,
}

impl<'a> ApiKeyDto<'a> {
    /// The key as the caller sees it.
    pub(super) fn of(key: &'a ApiKey, caller: &FleetCaller) -> Self {
        Self {
            key_id: key.id,
            family_id: Whose::told_to(caller, key.household),
            description: key.description.as_ref().map(KeyDescription::as_str),
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            is_active: key.is_active,
        }
    }
}

/// A newly created key.
#[derive(Serialize, ToSchema)]
#[schema(as = NewApiKey)]
pub(super) struct MadeApiKeyDto<'a> {
    #[serde(flatten)]
    pub(super) key: ApiKeyDto<'a>,
    /// The value of `X-API-Key`: 64 digits. Shown only once; it cannot be recovered.
    #[schema(min_length = 64, max_length = 64)]
    pub(super) api_key: &'a str,
}

/// A page of keys.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKeyPage)]
pub(super) struct ApiKeyPageDto<'a> {
    #[schema(inline = false)]
    pub(super) items: Vec<ApiKeyDto<'a>>,
    /// The `cursor` of the next page; `null` on the last page.
    pub(super) next_cursor: Option<String>,
}
