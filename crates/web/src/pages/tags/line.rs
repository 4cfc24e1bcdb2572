//! A tag in lists.

use jiff::Timestamp;
use larder_domain::{NfcUrl, TagLabel};

use super::{path_of, quantity_of};
use crate::{Frame, format};

/// A tag in a list, in the reader's language.
pub(super) struct TagLine {
    pub(super) id: String,
    /// The path of its page.
    pub(super) path: String,
    /// Its item, and its label if it has one.
    pub(super) title: String,
    pub(super) per_tap: String,
    pub(super) opened: String,
    pub(super) last: Option<Moment>,
    pub(super) is_active: bool,
}

/// A time, for machines and for people.
pub(super) struct Moment {
    pub(super) exact: String,
    pub(super) ago: String,
}

impl TagLine {
    pub(super) fn of(tag: &NfcUrl, frame: &Frame, now: Timestamp) -> Self {
        let last = tag
            .last_accessed_at
            .map(|at| Moment { exact: at.to_string(), ago: format::ago(frame.words, at, now) });
        Self {
            id: tag.id.reveal(),
            path: path_of(tag.item, tag.id),
            title: title(tag.item_name.as_str(), tag.label.as_ref()),
            per_tap: frame.t1("tags-per-tap", "step", quantity_of(tag.step).to_string()),
            opened: frame.t1("tags-opened", "count", tag.access_count),
            last,
            is_active: tag.is_active(),
        }
    }
}

/// `Rice · fridge door`.
fn title(item: &str, label: Option<&TagLabel>) -> String {
    match label {
        Some(label) => format!("{item} · {}", label.as_str()),
        None => item.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_item_with_the_label_if_there_is_one() {
        assert_eq!(title("Rice", None), "Rice");
        let label = TagLabel::parse("fridge door").unwrap();
        assert_eq!(title("Rice", Some(&label)), "Rice · fridge door");
    }
}
