//! Tags.

use larder_domain::{ItemName, NfcUrl, TagLabel, TagRotation, TagStep, UrlId};
use larder_storage::Result;
use serde::{Deserialize, Serialize};

use super::fields::{check, corrupt, parse, parse_optional, read, read_optional, time};

/// A tag. Its address is a secret, so it does not print.
#[derive(Serialize, Deserialize)]
pub(crate) struct TagJson {
    url_id: String,
    household_id: String,
    item_id: String,
    item_name: String,
    label: Option<String>,
    step_hundredths: i64,
    rotated_at: Option<String>,
    rotated_by: Option<String>,
    created_by: String,
    created_at: String,
    last_accessed_at: Option<String>,
    access_count: u64,
}

impl TagJson {
    pub(crate) fn of(tag: &NfcUrl) -> Self {
        Self {
            url_id: tag.id.reveal(),
            household_id: tag.household.to_string(),
            item_id: tag.item.to_string(),
            item_name: tag.item_name.to_string(),
            label: tag.label.as_ref().map(|label| label.as_str().to_owned()),
            step_hundredths: tag.step.hundredths(),
            rotated_at: tag.rotated.map(|rotation| time(rotation.at)),
            rotated_by: tag.rotated.map(|rotation| rotation.by.to_string()),
            created_by: tag.created_by.to_string(),
            created_at: time(tag.created_at),
            last_accessed_at: tag.last_accessed_at.map(time),
            access_count: tag.access_count,
        }
    }

    pub(crate) fn into_tag(self) -> Result<NfcUrl> {
        let rotated_at = read_optional("rotated_at", self.rotated_at.as_deref())?;
        let rotated_by = read_optional("rotated_by", self.rotated_by.as_deref())?;
        let rotated = match (rotated_at, rotated_by) {
            (None, None) => None,
            (Some(at), Some(by)) => Some(TagRotation { at, by }),
            _ => return Err(corrupt("rotated_at", "is known by halves")),
        };
        Ok(NfcUrl {
            id: parse("url_id", &self.url_id, UrlId::parse)?,
            item: read("item_id", &self.item_id)?,
            household: read("household_id", &self.household_id)?,
            item_name: parse("item_name", &self.item_name, ItemName::parse)?,
            label: parse_optional("label", self.label.as_deref(), TagLabel::parse)?,
            step: check("step", TagStep::from_hundredths(self.step_hundredths))?,
            rotated,
            created_by: read("created_by", &self.created_by)?,
            created_at: read("created_at", &self.created_at)?,
            last_accessed_at: read_optional("last_accessed_at", self.last_accessed_at.as_deref())?,
            access_count: self.access_count,
        })
    }
}
