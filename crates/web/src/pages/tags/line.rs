//! A tag in lists.

use jiff::Timestamp;
use larder_domain::{Item, NfcUrl, TagLabel, TagStep, Unit};

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
    /// Why it does not work, if it does not.
    pub(super) fault: Option<&'static str>,
}

/// A time, for machines and for people.
pub(super) struct Moment {
    pub(super) exact: String,
    pub(super) ago: String,
}

impl TagLine {
    /// A tag and its item, if that was not deleted.
    pub(super) fn of(tag: &NfcUrl, item: Option<&Item>, frame: &Frame, now: Timestamp) -> Self {
        let last = tag
            .last_accessed_at
            .map(|at| Moment { exact: at.to_string(), ago: format::ago(frame.words, at, now) });
        Self {
            id: tag.id.reveal(),
            path: path_of(tag.item, tag.id),
            title: title(tag.item_name.as_str(), tag.label.as_ref()),
            per_tap: frame.t1(
                "tags-per-tap",
                "step",
                amount_of(tag.step, item.map(|item| &item.details.unit)),
            ),
            opened: frame.t1("tags-opened", "count", tag.access_count),
            last,
            fault: match item {
                _ if !tag.is_active() => Some("tags-replaced"),
                None => Some("tags-dead"),
                Some(_) => None,
            },
        }
    }
}

/// The amount of one tap, with the unit if that is known.
fn amount_of(step: TagStep, unit: Option<&Unit>) -> String {
    let quantity = quantity_of(step);
    unit.map_or_else(|| quantity.to_string(), |unit| format::amount(quantity, unit))
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
    fn one_tap_is_told_in_the_unit_of_the_item_while_there_is_one() {
        let (step, unit) = (TagStep::parse("0.5").unwrap(), Unit::parse("kg").unwrap());
        assert_eq!(amount_of(step, Some(&unit)), "0.5 kg");
        assert_eq!(amount_of(step, None), "0.5");
    }

    #[test]
    fn a_title_is_the_item_with_the_label_if_there_is_one() {
        assert_eq!(title("Rice", None), "Rice");
        let label = TagLabel::parse("fridge door").unwrap();
        assert_eq!(title("Rice", Some(&label)), "Rice · fridge door");
    }
}
