//! `ETag` and `If-Match` of a resource: its version, and the schema version in which it is shown.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, header, request::Parts},
};
use larder_app::{Precondition, ResourceTag};
use larder_domain::{Resource, SchemaVersion};
use larder_http::Problem;

/// The state that a change is based on. Without it a change could overwrite another that the client
/// has not seen.
pub(super) struct IfMatch(pub(super) Precondition);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        read(&parts.headers).map(Self)
    }
}

/// The `ETag` of a resource as shown.
pub(super) fn tag_of(resource: &Resource) -> HeaderValue {
    let ResourceTag { version, schema_version } = ResourceTag::of(resource);
    let text = format!("\"{version}-{}\"", schema_version.number());
    HeaderValue::try_from(text).expect("quoted digits are a valid header value")
}

fn read(headers: &HeaderMap) -> Result<Precondition, Problem> {
    let mut tags = Vec::new();
    for value in headers.get_all(header::IF_MATCH) {
        // A comma inside of a quoted tag gives two invalid tags, and the whole is as invalid.
        for text in value.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            if text == b"*" {
                return Ok(Precondition::Any);
            }
            tags.push(text);
        }
    }
    if tags.is_empty() {
        return Err(Problem::bad_request("IF_MATCH_REQUIRED", "If-Match is needed").detail(
            "send the ETag of the resource that the change is based on, or * for whatever it is",
        ));
    }
    Ok(Precondition::OneOf(tags.into_iter().filter_map(own_tag).collect()))
}

/// The state that one of our own tags names. Any other tag matches no state; nor does a weak tag
/// (RFC 9110, 13.1.1).
fn own_tag(text: &[u8]) -> Option<ResourceTag> {
    let text = str::from_utf8(text).ok()?.strip_prefix('"')?.strip_suffix('"')?;
    let (version, schema_version) = text.split_once('-')?;
    let schema_version = SchemaVersion::new(schema_version.parse().ok()?)?;
    Some(ResourceTag { version: version.parse().ok()?, schema_version })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn precondition(values: &[&str]) -> Result<Precondition, &'static str> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_MATCH, HeaderValue::from_str(value).unwrap());
        }
        read(&headers).map_err(|problem| problem.code())
    }

    fn tag(version: u64, schema_version: u32) -> ResourceTag {
        ResourceTag { version, schema_version: SchemaVersion::new(schema_version).unwrap() }
    }

    #[test]
    fn our_own_tags_are_read_wherever_they_stand() {
        assert_eq!(precondition(&["\"3-1\""]), Ok(Precondition::OneOf(vec![tag(3, 1)])));
        assert_eq!(
            precondition(&["\"x\", \"3-1\"", "\"4-2\""]),
            Ok(Precondition::OneOf(vec![tag(3, 1), tag(4, 2)]))
        );
        assert_eq!(precondition(&["\"3-1\", *"]), Ok(Precondition::Any));
    }

    #[test]
    fn what_is_no_tag_of_ours_allows_nothing() {
        for value in
            ["\"0123abc\"", "W/\"3-1\"", "3-1", "3", "\"3\"", "\"3-0\"", "\"-1-1\"", "\"3-1"]
        {
            assert_eq!(precondition(&[value]), Ok(Precondition::OneOf(Vec::new())), "{value}");
        }
    }

    #[test]
    fn without_it_nothing_is_changed() {
        assert_eq!(precondition(&[]), Err("IF_MATCH_REQUIRED"));
    }
}
