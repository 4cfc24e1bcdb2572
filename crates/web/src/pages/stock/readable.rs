//! What is said about an item as people read it, line by line: for the page of the item, for what changed, and for
//! two versions side by side.

use larder_domain::ItemDetails;

use super::choices::Places;
use crate::{format, frame::Frame};

/// One line: the label and what it says, empty where nothing is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) text: String,
}

/// All lines, in the same order for every item.
pub(super) fn lines(frame: &Frame, details: &ItemDetails, places: &Places) -> [Line; 9] {
    let ItemDetails {
        name,
        quantity,
        unit: _,
        expiration,
        category,
        location,
        image_url,
        notes,
        low_stock_threshold,
        preferred_store,
    } = details;
    let line = |label: &str, text: Option<String>| Line {
        label: frame.t(label).into_owned(),
        text: text.unwrap_or_default(),
    };
    [
        line("field-name", Some(name.to_string())),
        line("field-quantity", Some(amount(*quantity, details))),
        line("stock-expiration", expiration.map(|date| format::day(frame.words, date.date()))),
        line("stock-category", Some(frame.category(*category))),
        line("stock-location", location.map(|id| frame.location(id, &places.locations))),
        line("stock-threshold", low_stock_threshold.map(|it| amount(it, details))),
        line("stock-store", preferred_store.map(|id| places.store(id).to_owned())),
        line("field-notes", notes.as_ref().map(|notes| notes.as_str().to_owned())),
        line("stock-picture", image_url.as_ref().map(|url| url.as_str().to_owned())),
    ]
}

/// A quantity with the unit of the item.
fn amount(quantity: larder_domain::Quantity, details: &ItemDetails) -> String {
    format!("{quantity} {}", details.unit)
}

/// Where two versions differ: the label, what the first says, what the second says.
pub(super) struct Difference {
    pub(super) label: String,
    pub(super) first: String,
    pub(super) second: String,
}

/// All lines in which two versions differ.
pub(super) fn differences(
    frame: &Frame,
    first: &ItemDetails,
    second: &ItemDetails,
    places: &Places,
) -> Vec<Difference> {
    let pairs = lines(frame, first, places).into_iter().zip(lines(frame, second, places));
    let differing = pairs.filter(|(first, second)| first != second);
    differing
        .map(|(Line { label, text: first }, Line { text: second, .. })| {
            let or_none = |text: String| if text.is_empty() { "—".to_owned() } else { text };
            Difference { label, first: or_none(first), second: or_none(second) }
        })
        .collect()
}
