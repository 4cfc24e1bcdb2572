//! `GET /shopping/{id}/put-away`: amount and expiry date, and the item's other fields if the entry
//! is not linked.

use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use larder_app::{AppError, Purchase};
use larder_domain::{
    CATEGORIES, Category, ExpirationDate, ItemDetails, ItemName, OTHER_CATEGORY, Quantity,
    SEEDED_LOCATIONS, SeededLocation, ShoppingItem, ShoppingItemId, StorageLocation, Unit,
};
use serde::Deserialize;

use super::{entry::EntryView, fields::optional, shopping_list_view::find_item};
use crate::{
    Failure, Frame, Member, PathId, Rule, Section, WebState, render, typed_number::amount, wrong,
};

/// The fields of the form. For a linked entry it has only amount and date.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct StockFields {
    name: String,
    quantity: String,
    unit: String,
    category: String,
    location: String,
    expiration: String,
}

impl StockFields {
    /// The purchase to put into stock.
    pub(super) fn read(&self) -> Result<Purchase, Failure> {
        let Self { name, quantity, unit, category, location, expiration } = self;
        let (quantity, expiration) = (bought_amount(quantity)?, Some(day(expiration)?));
        if name.is_empty() && unit.is_empty() {
            return Ok(Purchase { quantity, expiration, ..Purchase::default() });
        }
        Ok(Purchase {
            name: Some(ItemName::parse(name.trim()).map_err(wrong("field-name"))?),
            quantity: Some(quantity.ok_or(AppError::AmountRequired)?),
            unit: Some(read_unit(unit)?),
            expiration,
            category: optional(category, |id| id.parse().map_err(|_| Failure::Malformed))?,
            location: Some(optional(location, |id| id.parse().map_err(|_| Failure::Malformed))?),
        })
    }
}

/// The purchased amount, if specified. It cannot be zero.
pub(super) fn bought_amount(text: &str) -> Result<Option<Quantity>, Failure> {
    optional(text, |text| {
        let quantity = amount(text, Quantity::parse).map_err(wrong("field-quantity"))?;
        if quantity.is_zero() {
            return Err(Failure::Wrong("field-quantity", Rule::Zero));
        }
        Ok(quantity)
    })
}

/// The expiry date, if specified.
pub(super) fn day(text: &str) -> Result<Option<ExpirationDate>, Failure> {
    optional(text, |day| ExpirationDate::parse(day).map_err(wrong("shopping-expiration")))
}

pub(super) fn read_unit(text: &str) -> Result<Unit, Failure> {
    Unit::parse(text.trim()).map_err(wrong("field-unit"))
}

#[derive(Template)]
#[template(path = "shopping/put-away.html")]
struct PutAwayPage<'a> {
    frame: Frame,
    entry: EntryView,
    fields: StockFields,
    categories: &'static [Category],
    /// The predefined ones.
    seeded: &'static [SeededLocation],
    /// Those of the household.
    locations: &'a [StorageLocation],
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
) -> Result<Response, Failure> {
    let entry = web.app.shopping_item(&member.caller, id).await?;
    let locations = web.app.locations(&member.caller).await?;
    let frame = member.frame(Section::Shopping);
    let name = entry.details.name.as_str();
    let known = match entry.item {
        Some(item) => find_item(&web.app, &member.caller, item).await?,
        // An item of this name most likely is the same product.
        None => web.app.find_item_by_name(&member.caller, name).await?,
    };
    let (known, today) = (known.map(|item| item.details), member.caller.today(web.app.now()));
    let fields = StockFields {
        name: name.to_owned(),
        quantity: asked_amount(&entry, known.as_ref()),
        unit: usual_unit(&frame, known.as_ref()),
        category: known.as_ref().map_or(OTHER_CATEGORY, |known| known.category).to_string(),
        location: known
            .as_ref()
            .and_then(|known| known.location)
            .map(|location| location.to_string())
            .unwrap_or_default(),
        expiration: usual_date(known.as_ref(), today).map(|it| it.to_string()).unwrap_or_default(),
    };
    let entry = EntryView::of(&entry, known.as_ref().map(|known| &known.unit));
    Ok(render(&PutAwayPage {
        frame,
        entry,
        fields,
        categories: &CATEGORIES,
        seeded: &SEEDED_LOCATIONS,
        locations: &locations,
    }))
}

/// The initial amount: the one on the list. Otherwise it is left empty, because one of an unknown
/// unit may be a gram, unless there is no item of this name yet.
pub(super) fn asked_amount(entry: &ShoppingItem, known: Option<&ItemDetails>) -> String {
    match (entry.details.quantity, known) {
        (Some(quantity), _) => quantity.get().to_string(),
        (None, None) if entry.item.is_none() => "1".to_owned(),
        (None, _) => String::new(),
    }
}

/// Until when it is good if it keeps as long as such things do.
pub(super) fn usual_date(known: Option<&ItemDetails>, today: Date) -> Option<ExpirationDate> {
    known?.shelf_life?.end(today)
}

/// The unit of the existing item, or pieces.
pub(super) fn usual_unit(frame: &Frame, known: Option<&ItemDetails>) -> String {
    known.map_or_else(
        || frame.t("shopping-unit-usual").into_owned(),
        |known| known.unit.as_str().to_owned(),
    )
}
