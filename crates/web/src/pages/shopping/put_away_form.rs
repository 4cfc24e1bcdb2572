//! `GET /shopping/{id}/put-away`: what something bought is in stock, where the list does not know.

use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::{
    CATEGORIES, Category, ExpirationDate, ItemDetails, ItemName, OTHER_CATEGORY, Quantity,
    SEEDED_LOCATIONS, SeededLocation, StorageLocation, Unit,
};
use serde::Deserialize;

use super::{
    entry::{EntryView, bought},
    fields::{entry_id, optional},
    suggestions::find_by_name,
};
use crate::{
    failure::Failure,
    frame::{Frame, Section, render},
    state::WebState,
    visit::Member,
};

/// What somebody wrote about it. Without a name there was no such form.
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
    /// The item that it describes; `None` if there was no such form.
    pub(super) fn read(&self) -> Result<Option<ItemDetails>, Failure> {
        let Self { name, quantity, unit, category, location, expiration } = self;
        if [name, quantity, unit].iter().all(|field| field.is_empty()) {
            return Ok(None);
        }
        let invalid = |field| move |_| Failure::Invalid(field);
        let category = optional(category, |id| id.parse().map_err(|_| Failure::Malformed))?;
        Ok(Some(ItemDetails {
            name: ItemName::parse(name.trim()).map_err(|_| Failure::Invalid("field-name"))?,
            quantity: Quantity::parse(quantity.trim()).map_err(invalid("field-quantity"))?,
            unit: Unit::parse(unit.trim()).map_err(|_| Failure::Invalid("field-unit"))?,
            expiration: optional(expiration, |day| {
                ExpirationDate::parse(day).map_err(|_| Failure::Invalid("shopping-expiration"))
            })?,
            category: category.unwrap_or(OTHER_CATEGORY),
            location: optional(location, |id| id.parse().map_err(|_| Failure::Malformed))?,
            image_url: None,
            notes: None,
            low_stock_threshold: None,
            preferred_store: None,
        }))
    }
}

#[derive(Template)]
#[template(path = "shopping/put-away.html")]
struct PutAwayPage<'a> {
    frame: Frame,
    entry: EntryView,
    fields: StockFields,
    categories: &'static [Category],
    /// Those of everybody.
    seeded: &'static [SeededLocation],
    /// The household's own.
    locations: &'a [StorageLocation],
}

pub(super) async fn page(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let entry = web.app.shopping_item(&member.caller, entry_id(&id)?).await?;
    let locations = web.app.locations(&member.caller).await?;
    let frame = member.frame(Section::Shopping);
    let name = entry.details.name.as_str();
    // The same thing may be there already: then this is most likely more of it.
    let known = find_by_name(&web.app, &member.caller, name).await?.map(|item| item.details);
    let known = known.as_ref();
    let fields = StockFields {
        name: name.to_owned(),
        quantity: bought(&entry).to_string(),
        unit: known.map_or_else(
            || frame.t("shopping-unit-usual").into_owned(),
            |known| known.unit.as_str().to_owned(),
        ),
        category: known.map_or(OTHER_CATEGORY, |known| known.category).to_string(),
        location: known
            .and_then(|known| known.location)
            .map(|location| location.to_string())
            .unwrap_or_default(),
        expiration: String::new(),
    };
    let entry = EntryView::of(&entry, None);
    Ok(render(&PutAwayPage {
        frame,
        entry,
        fields,
        categories: &CATEGORIES,
        seeded: &SEEDED_LOCATIONS,
        locations: &locations,
    }))
}
