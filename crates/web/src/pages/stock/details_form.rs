//! The details of an item: as a form, and as readable lines for the item's page, its history and
//! conflicts.

use larder_domain::{
    ExpirationDate, ItemDetails, ItemName, Notes, OpeningDate, Price, Quantity, ShelfLife, Unit,
};
use serde::{Deserialize, Serialize};

use super::choices::Places;
use crate::{
    Failure, Frame, Rule, format,
    typed_number::{amount, whole},
    wrong,
};

/// Declares a form: fields as typed, under their names in templates.
macro_rules! form {
    ($(#[$doc:meta])* $form:ident { $($field:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub(super) struct $form {
            $(pub(super) $field: String,)+
        }

        impl $form {
            /// Every field with its name, for hidden inputs.
            pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
                [$((stringify!($field), self.$field.as_str())),+].into_iter()
            }
        }
    };
}
pub(in crate::pages) use form;

form! {
    /// The fields of an item.
    DetailsForm {
        name, quantity, unit, expiration, category, location, threshold, store, notes,
        opened, price, desired, shelf_life, opened_life,
    }
}

impl DetailsForm {
    /// The form of an existing item.
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
            opened: text(details.opened_on.map(|date| date.to_string())),
            price: text(details.price_paid.map(|price| price.to_string())),
            desired: text(details.desired_quantity.map(|it| it.to_string())),
            shelf_life: text(details.shelf_life.map(|life| life.days().to_string())),
            opened_life: text(details.opened_shelf_life.map(|life| life.days().to_string())),
        }
    }

    /// The parsed details. An invalid field is named by the key of its label.
    pub(super) fn read(&self) -> Result<ItemDetails, Failure> {
        Ok(ItemDetails {
            name: required(&self.name, ItemName::parse, "field-name")?,
            quantity: required(&self.quantity, quantity, "field-quantity")?,
            unit: required(&self.unit, Unit::parse, "field-unit")?,
            expiration: optional(&self.expiration, ExpirationDate::parse, "stock-expiration")?,
            category: required(&self.category, str::parse, "stock-category")?,
            location: optional(&self.location, str::parse, "stock-location")?,
            notes: optional(&as_typed(&self.notes), Notes::parse, "field-notes")?,
            low_stock_threshold: optional(&self.threshold, quantity, "stock-threshold")?,
            preferred_store: optional(&self.store, str::parse, "stock-store")?,
            opened_on: optional(&self.opened, OpeningDate::parse, "stock-opened")?,
            price_paid: optional(&self.price, |it| amount(it, Price::parse), "stock-price")?,
            desired_quantity: optional(&self.desired, quantity, "stock-desired")?,
            shelf_life: optional(&self.shelf_life, days, "stock-shelf-life")?,
            opened_shelf_life: optional(&self.opened_life, days, "stock-opened-life")?,
            // Only programs set it.
            image_url: None,
            // The product's.
            photo: None,
        })
    }
}

/// Forms send every line break as two characters (HTML, "constructing the entry list"); notes keep
/// one.
pub(in crate::pages) fn as_typed(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// A quantity as typed.
pub(in crate::pages) fn quantity(typed: &str) -> Result<Quantity, Rule> {
    amount(typed, Quantity::parse)
}

/// A quantity as typed that is not 0.
pub(in crate::pages) fn more_than_zero(typed: &str) -> Result<Quantity, Rule> {
    amount(typed, Quantity::parse_more_than_zero)
}

/// Days as typed.
pub(in crate::pages) fn days(typed: &str) -> Result<ShelfLife, Rule> {
    let most = u32::from(ShelfLife::MAX_DAYS);
    let days = whole(typed, 1, most)?;
    ShelfLife::from_days(days.into()).map_err(|_| Rule::Whole(1, most))
}

/// A required field.
pub(in crate::pages) fn required<T, E: Into<Rule>>(
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

/// An optional field.
pub(in crate::pages) fn optional<T, E: Into<Rule>>(
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
    label: &'static str,
) -> Result<Option<T>, Failure> {
    if text.trim().is_empty() { Ok(None) } else { required(text, parse, label).map(Some) }
}

/// One line: label and value, which may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) struct Line {
    pub(in crate::pages) label: String,
    pub(in crate::pages) text: String,
}

/// All lines, in the same order for every item.
pub(super) fn lines(frame: &Frame, details: &ItemDetails, places: &Places) -> [Line; 15] {
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
        opened_on,
        price_paid,
        desired_quantity,
        shelf_life,
        opened_shelf_life,
        photo,
    } = details;
    let in_days =
        |life: ShelfLife| frame.words.with("count-days", &[("count", life.days().into())]);
    let line = |label: &str, text: Option<String>| Line {
        label: frame.t(label).into_owned(),
        text: text.unwrap_or_default(),
    };
    [
        line("field-name", Some(name.to_string())),
        line("field-quantity", Some(with_unit(*quantity, details))),
        line("products-photo", photo.map(|_| frame.t("products-photo-there").into_owned())),
        line("stock-expiration", expiration.map(|date| format::day(frame.words, date.date()))),
        line("stock-opened", opened_on.map(|date| format::day(frame.words, date.date()))),
        line("stock-category", Some(frame.category(*category))),
        line("stock-location", location.map(|id| frame.location(id, &places.locations))),
        line("stock-threshold", low_stock_threshold.map(|it| with_unit(it, details))),
        line("stock-desired", desired_quantity.map(|it| with_unit(it, details))),
        line("stock-shelf-life", shelf_life.map(in_days)),
        line("stock-opened-life", opened_shelf_life.map(in_days)),
        line("stock-store", preferred_store.map(|id| places.store(id).to_owned())),
        line("stock-price", price_paid.map(|price| format!("{price} {}", places.currency))),
        line("field-notes", notes.as_ref().map(|notes| notes.as_str().to_owned())),
        line("stock-picture", image_url.as_ref().map(|url| url.as_str().to_owned())),
    ]
}

/// A quantity with the unit of the item.
fn with_unit(quantity: Quantity, details: &ItemDetails) -> String {
    format!("{quantity} {}", details.unit)
}

/// A difference of two versions: the label and both values.
pub(in crate::pages) struct Difference {
    pub(in crate::pages) label: String,
    pub(in crate::pages) first: String,
    pub(in crate::pages) second: String,
}

/// All differences of two versions.
pub(in crate::pages) fn differences(
    frame: &Frame,
    first: &ItemDetails,
    second: &ItemDetails,
    places: &Places,
) -> Vec<Difference> {
    differing(lines(frame, first, places), lines(frame, second, places))
}

/// The lines that differ, of two versions with the same labels.
pub(in crate::pages) fn differing(
    first: impl IntoIterator<Item = Line>,
    second: impl IntoIterator<Item = Line>,
) -> Vec<Difference> {
    let differing = first.into_iter().zip(second).filter(|(first, second)| first != second);
    differing
        .map(|(Line { label, text: first }, Line { text: second, .. })| {
            let or_none = |text: String| if text.is_empty() { "—".to_owned() } else { text };
            Difference { label, first: or_none(first), second: or_none(second) }
        })
        .collect()
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
            opened: "2026-02-20".to_owned(),
            price: "3,5".to_owned(),
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
        assert_eq!((&*again.opened, &*again.price), ("2026-02-20", "3.50"));
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
        assert_eq!(failure(|form| form.opened = "2026-02-30".into()), Some("stock-opened"));
        assert_eq!(failure(|form| form.price = "-1".into()), Some("stock-price"));
        assert_eq!(failure(|form| form.category.clear()), Some("stock-category"));
        assert_eq!(failure(|form| form.location = "x".into()), Some("stock-location"));
        assert_eq!(failure(|form| form.threshold = "1.234".into()), Some("stock-threshold"));
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
