//! Entries of the list for templates.

use larder_domain::{Quantity, ShoppingItem, ShoppingNotes, ShoppingStatus, Unit};

use crate::format;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EntryView {
    pub(super) id: String,
    pub(super) version: u64,
    pub(super) name: String,
    /// The quantity; empty if unspecified.
    pub(super) quantity: String,
    /// The suffix of the number: the unit of the linked item.
    pub(super) unit: String,
    /// The id of the shop; empty for any.
    pub(super) store: String,
    /// When it was added, in milliseconds: the order of entries.
    pub(super) added: i64,
    pub(super) notes: String,
    pub(super) is_bought: bool,
    /// Whether it is linked to an item.
    pub(super) is_linked: bool,
}

impl EntryView {
    /// What scripts make new entries of: they come after all others.
    pub(super) fn blank() -> Self {
        Self { added: i64::MAX, ..Self::default() }
    }

    pub(super) fn of(entry: &ShoppingItem, unit: Option<&Unit>) -> Self {
        let details = &entry.details;
        let notes = details.notes.as_ref().map(ShoppingNotes::as_str);
        Self {
            id: entry.id.to_string(),
            version: entry.version,
            name: details.name.as_str().to_owned(),
            quantity: details
                .quantity
                .map(|quantity| quantity.get().to_string())
                .unwrap_or_default(),
            unit: unit.map(suffix).unwrap_or_default(),
            store: details.store.map(|store| store.to_string()).unwrap_or_default(),
            added: entry.created_at.as_millisecond(),
            notes: notes.unwrap_or_default().to_owned(),
            is_bought: entry.status == ShoppingStatus::Purchased,
            is_linked: entry.item.is_some(),
        }
    }

    /// The amount: `2 kg`, `× 3`; empty if unspecified.
    pub(super) fn amount(&self) -> String {
        match (self.quantity.as_str(), self.unit.as_str()) {
            ("", _) => String::new(),
            (quantity, "") => format!("× {quantity}"),
            (quantity, unit) => format!("{quantity}{unit}"),
        }
    }

    pub(super) fn status(&self) -> &'static str {
        status(self.is_bought).as_str()
    }

    /// The status after pressing its button.
    pub(super) fn next_status(&self) -> &'static str {
        status(!self.is_bought).as_str()
    }
}

const fn status(is_bought: bool) -> ShoppingStatus {
    if is_bought { ShoppingStatus::Purchased } else { ShoppingStatus::Pending }
}

/// The suffix of a number with this unit: ` kg`, `個`.
pub(super) fn suffix(unit: &Unit) -> String {
    format::amount(Quantity::ZERO, unit).split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_the_unit_of_its_item_or_counts() {
        let view = |quantity: &str, unit: Option<&str>| {
            let unit = unit.map(|unit| suffix(&Unit::parse(unit).unwrap())).unwrap_or_default();
            EntryView { quantity: quantity.to_owned(), unit, ..EntryView::default() }.amount()
        };
        assert_eq!(view("2", Some("kg")), "2 kg");
        assert_eq!(view("3", Some("個")), "3個");
        assert_eq!(view("3", None), "× 3");
        assert_eq!(view("", Some("kg")), "");
    }

    #[test]
    fn pressing_turns_an_entry_round() {
        let pending = EntryView::default();
        assert_eq!((pending.status(), pending.next_status()), ("pending", "purchased"));
        let bought = EntryView { is_bought: true, ..pending };
        assert_eq!((bought.status(), bought.next_status()), ("purchased", "pending"));
    }
}
