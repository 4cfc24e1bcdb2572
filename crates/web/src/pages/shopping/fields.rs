//! The forms of the list.

use larder_app::NewShoppingItem;
use larder_domain::{
    ItemId, ShoppingDetails, ShoppingName, ShoppingNotes, ShoppingQuantity, StoreId,
};
use serde::{Deserialize, Serialize};

use super::entry::EntryView;
use crate::{Failure, Rule, typed_number::whole, wrong};

/// The value of a shop that means: no shop in particular, whatever the item prefers.
pub(super) const ANY_STORE: &str = "any";

/// The form of an entry.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EntryFields {
    pub(super) name: String,
    pub(super) quantity: String,
    pub(super) store: String,
    pub(super) notes: String,
}

impl EntryFields {
    pub(super) fn of(entry: &EntryView) -> Self {
        Self {
            name: entry.name.clone(),
            quantity: entry.quantity.clone(),
            store: entry.store.clone(),
            notes: entry.notes.clone(),
        }
    }

    /// The parsed values, if all are valid.
    pub(super) fn read(&self) -> Result<ShoppingDetails, Failure> {
        let name = ShoppingName::parse(self.name.trim()).map_err(wrong("field-name"))?;
        let notes = self.notes.trim().replace("\r\n", "\n");
        let notes = ShoppingNotes::parse(&notes)
            .map_err(|_| Failure::Wrong("field-notes", Rule::SHOPPING_NOTES))?;
        let quantity = optional(&self.quantity, |text| {
            let count = whole(text, 1, ShoppingQuantity::MAX).map_err(wrong("field-quantity"))?;
            ShoppingQuantity::new(count.into())
                .map_err(|_| Failure::Wrong("field-quantity", Rule::SHOPPING_QUANTITY))
        })?;
        let store = if self.store == ANY_STORE { "" } else { &self.store };
        let store: Option<StoreId> =
            optional(store, |text| text.parse().map_err(wrong("shopping-store")))?;
        Ok(ShoppingDetails { name, store, quantity, notes })
    }

    /// The new entry. An empty shop means the item's preferred one, if it has one.
    pub(super) fn read_new(&self, item: Option<ItemId>) -> Result<NewShoppingItem, Failure> {
        let ShoppingDetails { name, store, quantity, notes } = self.read()?;
        let is_any = self.store == ANY_STORE;
        let store = if is_any { Some(None) } else { store.map(Some) };
        Ok(NewShoppingItem { item, name, store, quantity, notes })
    }
}

/// An optional field.
pub(super) fn optional<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let text = text.trim();
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(name: &str, quantity: &str) -> EntryFields {
        EntryFields {
            name: name.to_owned(),
            quantity: quantity.to_owned(),
            ..EntryFields::default()
        }
    }

    #[test]
    fn what_is_left_empty_is_nothing() {
        let read = fields(" Milk ", " ").read().unwrap();
        assert_eq!(read.name.as_str(), "Milk");
        assert_eq!((read.quantity, read.store, read.notes), (None, None, None));
        assert_eq!(
            fields("Milk", "3").read().unwrap().quantity.map(ShoppingQuantity::get),
            Some(3)
        );
        let wide = fields("Milk", "１２").read().unwrap();
        assert_eq!(wide.quantity.map(ShoppingQuantity::get), Some(12));
    }

    #[test]
    fn any_shop_is_said_or_left_to_the_item() {
        let store = |store: &str| {
            let fields = EntryFields { store: store.to_owned(), ..fields("Milk", "") };
            fields.read_new(None).unwrap().store
        };
        let id = StoreId::fixed(7);
        assert_eq!(store(""), None);
        assert_eq!(store(ANY_STORE), Some(None));
        assert_eq!(store(&id.to_string()), Some(Some(id)));
    }

    #[test]
    fn a_field_that_breaks_its_rule_is_named() {
        let field = |fields: EntryFields| fields.read().unwrap_err().view().field.unwrap();
        assert_eq!(field(fields(" ", "1")), "field-name");
        for quantity in ["0", "-1", "1.5", "1,5", "many", "100000000"] {
            assert_eq!(field(fields("Milk", quantity)), "field-quantity");
        }
        assert_eq!(
            field(EntryFields { store: "x".to_owned(), ..fields("Milk", "") }),
            "shopping-store"
        );
        let notes = "n".repeat(ShoppingNotes::MAX_CHARS + 1);
        assert_eq!(field(EntryFields { notes, ..fields("Milk", "") }), "field-notes");
    }

    #[test]
    fn line_breaks_of_a_form_are_plain_ones() {
        let fields = EntryFields { notes: "a\r\nb".to_owned(), ..fields("Milk", "") };
        assert_eq!(fields.read().unwrap().notes.unwrap().as_str(), "a\nb");
    }
}
