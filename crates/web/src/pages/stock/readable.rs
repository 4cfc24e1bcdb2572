//! What is said about an item as people read it, line by line: for the page of the item, for what changed, and for
//! two versions side by side.

use larder_domain::{ImageUrl, ItemDetails, Notes};

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
    let line = |label: &str, text: String| Line { label: label.to_owned(), text };
    let expiration = details.expiration.map(|date| format::day(frame.words, date.date()));
    let location = details.location.map(|id| frame.location(id, &places.locations));
    let threshold = details.low_stock_threshold.map(|it| amount(it, details));
    let store = details.preferred_store.map(|id| places.store(id).to_owned());
    let notes = details.notes.as_ref().map(Notes::as_str);
    let picture = details.image_url.as_ref().map(ImageUrl::as_str);
    [
        line(&frame.t("field-name"), details.name.as_str().to_owned()),
        line(&frame.t("field-quantity"), amount(details.quantity, details)),
        line(&frame.t("stock-expiration"), expiration.unwrap_or_default()),
        line(&frame.t("stock-category"), frame.category(details.category)),
        line(&frame.t("stock-location"), location.unwrap_or_default()),
        line(&frame.t("stock-threshold"), threshold.unwrap_or_default()),
        line(&frame.t("stock-store"), store.unwrap_or_default()),
        line(&frame.t("field-notes"), notes.unwrap_or_default().to_owned()),
        line(&frame.t("stock-picture"), picture.unwrap_or_default().to_owned()),
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
