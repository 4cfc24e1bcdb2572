//! Tags as the API shows them to admins.

use larder_domain::{HouseholdId, ItemId, NfcUrl, TagLabel, UrlId, UserId};
use larder_http::{Hundredths, LinkBase};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// A tag: a secret URL for one item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NfcUrl)]
pub(super) struct TagDto<'a> {
    /// The last segment of the URL: 22 letters and digits. Anyone who knows it can tap.
    #[schema(min_length = 22, max_length = 22)]
    url_id: String,
    /// The URL to write to the tag.
    #[schema(format = "uri")]
    url: String,
    #[schema(value_type = String, format = "uuid")]
    item_id: ItemId,
    #[schema(value_type = String, format = "uuid")]
    family_id: HouseholdId,
    item_name: &'a str,
    #[schema(max_length = 50)]
    label: Option<&'a str>,
    /// The amount of one tap.
    #[schema(value_type = f64)]
    step: Hundredths,
    /// False once replaced.
    is_active: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = "uuid")]
    created_by: UserId,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_accessed_at: Option<Time>,
    access_count: u64,
    #[schema(value_type = Option<String>, format = DateTime)]
    rotated_at: Option<Time>,
    #[schema(value_type = Option<String>, format = "uuid")]
    rotated_by: Option<UserId>,
}

impl<'a> TagDto<'a> {
    /// The tag on a server with this public URL.
    pub(super) fn of(tag: &'a NfcUrl, links: &LinkBase) -> Self {
        Self {
            url_id: tag.id.reveal(),
            url: address(links, tag.id),
            item_id: tag.item,
            family_id: tag.household,
            item_name: tag.item_name.as_str(),
            label: tag.label.as_ref().map(TagLabel::as_str),
            step: Hundredths(tag.step.hundredths()),
            is_active: tag.is_active(),
            created_at: Time(tag.created_at),
            created_by: tag.created_by,
            last_accessed_at: tag.last_accessed_at.map(Time),
            access_count: tag.access_count,
            rotated_at: tag.rotated.map(|rotation| Time(rotation.at)),
            rotated_by: tag.rotated.map(|rotation| rotation.by),
        }
    }
}

/// The full URL of a tag.
pub(super) fn address(links: &LinkBase, id: UrlId) -> String {
    format!("{links}/t/{}", id.reveal())
}

/// A page of tags.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NfcUrlPage)]
pub(super) struct TagPageDto<'a> {
    pub(super) items: Vec<TagDto<'a>>,
    /// The cursor of the next page; null on the last page.
    pub(super) next_cursor: Option<String>,
}
