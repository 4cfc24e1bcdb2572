//! `POST /stock/add`: add an item.

use axum::response::Response;
use larder_domain::{ExpirationDate, ItemDetails, ItemName, Quantity, Unit};
use serde::Deserialize;

use super::details_form::{optional, quantity};
use crate::{Failure, Form, Member, WebState, back_or, done, wrong};

#[derive(Deserialize)]
pub(super) struct NewItem {
    name: String,
    #[serde(default)]
    quantity: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    location: String,
    #[serde(default)]
    expiration: String,
    back: Option<String>,
}

pub(super) async fn add(
    web: WebState,
    member: Member,
    Form(new): Form<NewItem>,
) -> Result<Response, Failure> {
    let name = ItemName::parse(new.name.trim()).map_err(wrong("field-name"))?;
    let quantity = optional(&new.quantity, quantity, "field-quantity")?;
    let unit = optional(&new.unit, Unit::parse, "field-unit")?;
    let category = optional(&new.category, str::parse, "stock-category")?;
    let location = optional(&new.location, str::parse, "stock-location")?;
    let expiration = optional(&new.expiration, ExpirationDate::parse, "stock-expiration")?;
    // Unspecified fields are as the last time.
    let before = web.app.find_item_by_name(&member.caller, name.as_str()).await?;
    let before = before.map(|item| item.details);
    let unit = match unit.or(before.as_ref().map(|before| before.unit.clone())) {
        Some(unit) => unit,
        None => {
            Unit::parse(&member.visit.words.get("stock-usual-unit")).map_err(wrong("field-unit"))?
        }
    };
    let quantity = quantity.unwrap_or(Quantity::ONE);
    let before = before.unwrap_or_else(|| ItemDetails::new(name.clone(), quantity, unit.clone()));
    let details = ItemDetails {
        name,
        unit,
        category: category.unwrap_or(before.category),
        location: location.or(before.location),
        ..before.another_lot(quantity, expiration)
    };
    let was_there = web.app.add_item(&member.caller, details, None).await?.merged;
    let back = back_or(new.back.as_deref(), "/stock");
    Ok(if was_there { done(back, "stock-merged") } else { done(back, "stock-added") })
}
