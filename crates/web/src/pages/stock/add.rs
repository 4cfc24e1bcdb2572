//! `POST /stock/add`: add an item.

use axum::response::Response;
use larder_domain::{ExpirationDate, ItemDetails, ItemName, LeftOpen, Quantity, Unit};
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
    #[serde(default)]
    remember: String,
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
    // Unspecified fields are as the product knows them, and otherwise as the last time.
    let (app, caller) = (&web.app, &member.caller);
    let before = app.find_item_by_name(caller, name.as_str()).await?.map(|item| item.details);
    let known = app.product_named(caller, &name).await?.map(|product| product.details);
    let unit = unit.or_else(|| before.as_ref().map(|before| before.unit.clone()));
    let unit = match unit.or_else(|| known.as_ref().map(|known| known.unit.clone())) {
        Some(unit) => unit,
        None => {
            Unit::parse(&member.visit.words.get("stock-usual-unit")).map_err(wrong("field-unit"))?
        }
    };
    let quantity = quantity.unwrap_or(Quantity::ONE);
    let open = LeftOpen {
        expiration: expiration.is_none(),
        category: category.is_none(),
        location: location.is_none() && known.as_ref().is_some_and(|it| it.location.is_some()),
    };
    let before = before.unwrap_or_else(|| ItemDetails::new(name.clone(), quantity, unit.clone()));
    let details = ItemDetails {
        name,
        unit,
        category: category.unwrap_or(before.category),
        location: location.or(before.location),
        ..before.another_lot(quantity, expiration)
    };
    let details = match &known {
        Some(known) => details.filled_in(open, known, caller.today(app.now())),
        None => details,
    };
    let added = app.add_item(caller, details, None).await?;
    if !new.remember.is_empty() {
        app.remember_lot(caller, &added.item).await?;
    }
    let was_there = added.merged;
    let back = back_or(new.back.as_deref(), "/stock");
    Ok(if was_there { done(back, "stock-merged") } else { done(back, "stock-added") })
}
