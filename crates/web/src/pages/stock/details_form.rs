//! Everything that is said about an item, as a form has it.

use larder_domain::{ExpirationDate, ImageUrl, ItemDetails, ItemName, Notes, Quantity, Unit};
use serde::{Deserialize, Serialize};

use crate::{
    failure::{Failure, wrong},
    rule::Rule,
    typed_number::amount,
};

/// The fields as they were typed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DetailsForm {
    pub(super) name: String,
    pub(super) quantity: String,
    pub(super) unit: String,
    pub(super) expiration: String,
    pub(super) category: String,
    pub(super) location: String,
    pub(super) threshold: String,
    pub(super) store: String,
    pub(super) notes: String,
    pub(super) picture: String,
}

impl DetailsForm {
    /// The form of an item as it is.
    pub(super) fn of(details: &ItemDetails) -> Self {
        let text = |value: Option<String>| value.unwrap_or_default();
        Self {
            name: details.name.as_str().to_owned(),
            quantity: details.quantity.to_string(),
            unit: details.unit.as_str().to_owned(),
            expiration: text(details.expiration.map(|date| date.to_string())),
            category: details.category.to_string(),
            location: text(details.location.map(|id| id.to_string())),
            threshold: text(details.low_stock_threshold.map(|it| it.to_string())),
            store: text(details.preferred_store.map(|id| id.to_string())),
            notes: text(details.notes.as_ref().map(|notes| notes.as_str().to_owned())),
            picture: text(details.image_url.as_ref().map(|url| url.as_str().to_owned())),
        }
    }

    /// Every field by its name, to be sent again.
    pub(super) fn fields(&self) -> [(&'static str, &str); 10] {
        let Self {
            name,
            quantity,
            unit,
            expiration,
            category,
            location,
            threshold,
            store,
            notes,
            picture,
        } = self;
        [
            ("name", name),
            ("quantity", quantity),
            ("unit", unit),
            ("expiration", expiration),
            ("category", category),
            ("location", location),
            ("threshold", threshold),
            ("store", store),
            ("notes", notes),
            ("picture", picture),
        ]
    }

    /// What the form says. A field that breaks its rule is named by the key of its label.
    pub(super) fn read(&self) -> Result<ItemDetails, Failure> {
        Ok(ItemDetails {
            name: required(&self.name, ItemName::parse, "field-name")?,
            quantity: required(&self.quantity, quantity, "field-quantity")?,
            unit: required(&self.unit, Unit::parse, "field-unit")?,
            expiration: optional(&self.expiration, ExpirationDate::parse, "stock-expiration")?,
            category: required(&self.category, str::parse, "stock-category")?,
            location: optional(&self.location, str::parse, "stock-location")?,
            image_url: optional(&self.picture, ImageUrl::parse, "stock-picture")?,
            notes: optional(&as_typed(&self.notes), Notes::parse, "field-notes")?,
            low_stock_threshold: optional(&self.threshold, quantity, "stock-threshold")?,
            preferred_store: optional(&self.store, str::parse, "stock-store")?,
        })
    }
}

/// Forms send every line break as two characters (HTML, "constructing the entry list"); notes keep one.
fn as_typed(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// How much of something, as people type it.
pub(super) fn quantity(typed: &str) -> Result<Quantity, Rule> {
    amount(typed, Quantity::parse)
}

/// A field that must say something.
fn required<T, E: Into<Rule>>(
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
    label: &'static str,
) -> Result<T, Failure> {
    let text = text.trim();
    if text.is_empty() {
        Err(Failure::Wrong(label, Rule::Missing))
    } else {
        parse(text).map_err(wrong(label))
    }
}

/// A field that may be left empty.
pub(super) fn optional<T, E: Into<Rule>>(
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
    label: &'static str,
) -> Result<Option<T>, Failure> {
    if text.trim().is_empty() { Ok(None) } else { required(text, parse, label).map(Some) }
}

#[cfg(test)]
mod tests {
    use larder_domain::CATEGORIES;

    use super::*;

    fn filled() -> DetailsForm {
        DetailsForm {
            name: " Milk ".to_owned(),
            quantity: "1.5".to_owned(),
            unit: "L".to_owned(),
            expiration: "2026-02-28".to_owned(),
            category: CATEGORIES[4].id.to_string(),
            notes: "open\r\nsince Monday".to_owned(),
            threshold: "2".to_owned(),
            ..DetailsForm::default()
        }
    }

    #[test]
    fn a_form_says_what_was_typed_and_shows_it_again() {
        let details = filled().read().unwrap();
        assert_eq!(details.name.as_str(), "Milk");
        assert_eq!(details.notes.as_ref().unwrap().as_str(), "open\nsince Monday");
        assert_eq!(details.location, None);
        let again = DetailsForm::of(&details);
        assert_eq!((&*again.quantity, &*again.threshold), ("1.5", "2"));
        assert_eq!(again.read().unwrap(), details);
    }

    #[test]
    fn the_field_that_breaks_its_rule_is_named() {
        let failure = |change: fn(&mut DetailsForm)| {
            let mut form = filled();
            change(&mut form);
            form.read().unwrap_err().view().field
        };
        assert_eq!(failure(|form| form.name.clear()), Some("field-name"));
        assert_eq!(failure(|form| form.quantity = "-1".into()), Some("field-quantity"));
        assert_eq!(failure(|form| form.expiration = "tomorrow".into()), Some("stock-expiration"));
        assert_eq!(failure(|form| form.category.clear()), Some("stock-category"));
        assert_eq!(failure(|form| form.location = "x".into()), Some("stock-location"));
        assert_eq!(failure(|form| form.threshold = "1.234".into()), Some("stock-threshold"));
        assert_eq!(failure(|form| form.picture = "javascript:x".into()), Some("stock-picture"));
    }

    #[test]
    fn amounts_are_read_as_people_type_them() {
        let mut form = filled();
        (form.quantity, form.threshold) = ("1,5".to_owned(), "０，２５".to_owned());
        let details = form.read().unwrap();
        assert_eq!(details.quantity.hundredths(), 150);
        assert_eq!(details.low_stock_threshold.map(Quantity::hundredths), Some(25));
        form.quantity = "1,500".to_owned();
        assert_eq!(form.read().unwrap_err().view().rule, Rule::Separators);
    }
}
