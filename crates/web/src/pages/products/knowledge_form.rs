//! What is known of a product: as a form, and as readable lines for its page, its history and
//! conflicts.

use larder_domain::{
    Barcodes, Gtin, ItemName, Notes, ProductDetails, Quantity, ShelfLife, TagStep, Unit, UsualStep,
};
use serde::{Deserialize, Serialize};

use crate::{
    Failure, Frame, format,
    pages::{
        stock::{
            choices::Places,
            details_form::{Line, as_typed, days, form, optional, quantity, required},
        },
        tags::quantity_of,
    },
    typed_number::{amount, narrow},
    wrong,
};

form! {
    /// The fields of a product.
    KnowledgeForm {
        name, unit, category, location, store, step, shelf_life, opened_life, threshold, desired,
        barcodes, notes, auto_list,
    }
}

/// The value of a ticked box.
const TICKED: &str = "yes";

impl KnowledgeForm {
    /// The form of an existing product.
    pub(super) fn of(details: &ProductDetails) -> Self {
        let ProductDetails {
            name,
            unit,
            category,
            location,
            preferred_store,
            step,
            shelf_life,
            opened_shelf_life,
            low_stock_threshold,
            desired_quantity,
            barcodes,
            photo: _,
            notes,
            auto_list,
        } = details;
        let text = |value: Option<String>| value.unwrap_or_default();
        Self {
            name: name.as_str().to_owned(),
            unit: unit.as_str().to_owned(),
            category: category.to_string(),
            location: text(location.map(|id| id.to_string())),
            store: text(preferred_store.map(|id| id.to_string())),
            step: text(step.map(|UsualStep(step)| quantity_of(step).to_string())),
            shelf_life: text(shelf_life.map(|life| life.days().to_string())),
            opened_life: text(opened_shelf_life.map(|life| life.days().to_string())),
            threshold: text(low_stock_threshold.map(|it| it.to_string())),
            desired: text(desired_quantity.map(|it| it.to_string())),
            barcodes: written(barcodes),
            notes: text(notes.as_ref().map(|notes| notes.as_str().to_owned())),
            auto_list: if *auto_list { TICKED.to_owned() } else { String::new() },
        }
    }

    /// The parsed details. An invalid field is named by the key of its label.
    pub(super) fn read(&self) -> Result<ProductDetails, Failure> {
        let step = optional(&self.step, |it| amount(it, TagStep::parse), "products-step")?;
        Ok(ProductDetails {
            name: required(&self.name, ItemName::parse, "field-name")?,
            unit: required(&self.unit, Unit::parse, "field-unit")?,
            category: required(&self.category, str::parse, "stock-category")?,
            location: optional(&self.location, str::parse, "products-location")?,
            preferred_store: optional(&self.store, str::parse, "stock-store")?,
            step: step.map(UsualStep),
            shelf_life: optional(&self.shelf_life, days, "stock-shelf-life")?,
            opened_shelf_life: optional(&self.opened_life, days, "stock-opened-life")?,
            low_stock_threshold: optional(&self.threshold, quantity, "stock-threshold")?,
            desired_quantity: optional(&self.desired, quantity, "stock-desired")?,
            barcodes: barcodes(&self.barcodes)?,
            // It has a form of its own.
            photo: None,
            notes: optional(&as_typed(&self.notes), Notes::parse, "field-notes")?,
            auto_list: !self.auto_list.is_empty(),
        })
    }
}

/// The codes as they were written, one per line.
fn written(barcodes: &Barcodes) -> String {
    barcodes.iter().map(Gtin::as_str).collect::<Vec<_>>().join("\n")
}

/// One code per line, perhaps with the gaps that are printed between its digits.
fn barcodes(typed: &str) -> Result<Barcodes, Failure> {
    let label = "products-barcodes";
    let is_gap = |character: char| character.is_whitespace() || character == '-';
    let codes = typed.lines().map(|line| narrow(line).replace(is_gap, ""));
    let codes = codes.filter(|code| !code.is_empty()).map(|code| Gtin::parse(&code));
    let codes = codes.collect::<Result<Vec<_>, _>>().map_err(wrong(label))?;
    Barcodes::new(codes).map_err(wrong(label))
}

/// All lines, in the same order for every product.
pub(super) fn lines(frame: &Frame, details: &ProductDetails, places: &Places) -> [Line; 14] {
    let ProductDetails {
        name,
        unit,
        category,
        location,
        preferred_store,
        step,
        shelf_life,
        opened_shelf_life,
        low_stock_threshold,
        desired_quantity,
        barcodes,
        photo,
        notes,
        auto_list,
    } = details;
    let in_days =
        |life: ShelfLife| frame.words.with("count-days", &[("count", life.days().into())]);
    let in_unit = |quantity: Quantity| format::amount(quantity, unit);
    let line = |label: &str, text: Option<String>| Line {
        label: frame.t(label).into_owned(),
        text: text.unwrap_or_default(),
    };
    let listing = if *auto_list { "products-auto-list-on" } else { "products-auto-list-off" };
    [
        line("field-name", Some(name.to_string())),
        line("products-photo", photo.map(|_| frame.t("products-photo-there").into_owned())),
        line("field-unit", Some(unit.to_string())),
        line("stock-category", Some(frame.category(*category))),
        line("products-location", location.map(|id| frame.location(id, &places.locations))),
        line("stock-store", preferred_store.map(|id| places.store(id).to_owned())),
        line("stock-shelf-life", shelf_life.map(in_days)),
        line("stock-opened-life", opened_shelf_life.map(in_days)),
        line("stock-threshold", low_stock_threshold.map(in_unit)),
        line("stock-desired", desired_quantity.map(in_unit)),
        line("products-step", step.map(|UsualStep(step)| in_unit(quantity_of(step)))),
        line("products-auto-list", Some(frame.t(listing).into_owned())),
        line("products-barcodes", Some(written(barcodes))),
        line("field-notes", notes.as_ref().map(|notes| notes.as_str().to_owned())),
    ]
}

#[cfg(test)]
mod tests {
    use larder_domain::CATEGORIES;

    use super::*;
    use crate::Rule;

    fn filled() -> KnowledgeForm {
        KnowledgeForm {
            name: " Milk ".to_owned(),
            unit: "L".to_owned(),
            category: CATEGORIES[4].id.to_string(),
            step: "0,25".to_owned(),
            shelf_life: "7".to_owned(),
            opened_life: "３".to_owned(),
            threshold: "1.5".to_owned(),
            barcodes: "4 901234 567894\r\n\r\n９６３８５０７４\r\n".to_owned(),
            notes: "the blue\r\none".to_owned(),
            auto_list: TICKED.to_owned(),
            ..KnowledgeForm::default()
        }
    }

    #[test]
    fn a_form_says_what_was_typed_and_shows_it_again() {
        let details = filled().read().unwrap();
        assert_eq!(details.name.as_str(), "Milk");
        assert_eq!(details.opened_shelf_life.map(ShelfLife::days), Some(3));
        assert_eq!(details.notes.as_ref().unwrap().as_str(), "the blue\none");
        assert!(details.auto_list);
        let codes: Vec<_> = details.barcodes.iter().map(Gtin::as_str).collect();
        assert_eq!(codes, ["4901234567894", "96385074"]);
        let again = KnowledgeForm::of(&details);
        assert_eq!((&*again.step, &*again.threshold, &*again.desired), ("0.25", "1.5", ""));
        assert_eq!(again.read().unwrap(), details);
        let unticked = KnowledgeForm { auto_list: String::new(), ..filled() }.read().unwrap();
        assert_eq!(KnowledgeForm::of(&unticked).read().unwrap(), unticked);
    }

    #[test]
    fn the_field_that_breaks_its_rule_is_named() {
        let failure = |change: fn(&mut KnowledgeForm)| {
            let mut form = filled();
            change(&mut form);
            form.read().unwrap_err().view().field
        };
        assert_eq!(failure(|form| form.name.clear()), Some("field-name"));
        assert_eq!(failure(|form| form.unit.clear()), Some("field-unit"));
        assert_eq!(failure(|form| form.step = "0".into()), Some("products-step"));
        assert_eq!(failure(|form| form.shelf_life = "1.5".into()), Some("stock-shelf-life"));
        assert_eq!(failure(|form| form.opened_life = "0".into()), Some("stock-opened-life"));
        assert_eq!(failure(|form| form.desired = "-1".into()), Some("stock-desired"));
        assert_eq!(failure(|form| form.barcodes = "12".into()), Some("products-barcodes"));
        assert_eq!(failure(|form| form.store = "x".into()), Some("stock-store"));
    }

    #[test]
    fn a_mistyped_or_repeated_barcode_says_so() {
        let rule = |typed: &str| barcodes(typed).unwrap_err().view().rule;
        assert_eq!(rule("12345"), Rule::Barcode);
        assert_eq!(rule("4901234567894\n4901234567895"), Rule::CheckDigit);
        assert_eq!(rule("4901234567894\n04901234567894"), Rule::Repeated);
        let many: Vec<_> = (0..21).map(|_| "4901234567894").collect();
        assert_eq!(rule(&many.join("\n")), Rule::TooMany(20));
        assert!(barcodes(" \r\n").unwrap().is_empty());
    }
}
