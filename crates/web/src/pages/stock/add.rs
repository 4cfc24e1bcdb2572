//! `POST /stock/add`: add an item.

use axum::response::Response;
use larder_app::{App, Caller};
use larder_domain::{ExpirationDate, ItemDetails, ItemName, LeftOpen, Quantity, TypedGoods, Unit};
use serde::Deserialize;

use super::details_form::{optional, quantity};
use crate::{Failure, Form, Keeper, WebState, back_or, done, form::Resendable, wrong};

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
    /// One of the dates that are offered.
    #[serde(default)]
    until: String,
    #[serde(default)]
    remember: String,
    back: Option<String>,
}

pub(super) async fn add(
    web: WebState,
    keeper: Keeper,
    Resendable(request): Resendable,
    Form(new): Form<NewItem>,
) -> Result<Response, Failure> {
    let typed = understand(&web.app, &keeper.caller, &new).await?;
    let name = ItemName::parse(&typed.name).map_err(wrong("field-name"))?;
    let quantity = typed.quantity.or(optional(&new.quantity, quantity, "field-quantity")?);
    let unit = typed.unit.or(optional(&new.unit, Unit::parse, "field-unit")?);
    let category = optional(&new.category, str::parse, "stock-category")?;
    let location = optional(&new.location, str::parse, "stock-location")?;
    let date = |typed| optional(typed, ExpirationDate::parse, "stock-expiration");
    let expiration = date(&new.expiration)?.or(date(&new.until)?);
    // Unspecified fields are as the product knows them, and otherwise as the last time.
    let (app, caller) = (&web.app, &keeper.caller);
    let before = app.find_item_by_name(caller, name.as_str()).await?.map(|item| item.details);
    let known = app.product_named(caller, &name).await?.map(|product| product.details);
    let unit = unit.or_else(|| before.as_ref().map(|before| before.unit.clone()));
    let unit = match unit.or_else(|| known.as_ref().map(|known| known.unit.clone())) {
        Some(unit) => unit,
        None => {
            Unit::parse(&keeper.visit.words.get("stock-usual-unit")).map_err(wrong("field-unit"))?
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
    let write = async |claim: Option<_>| app.add_item(caller, details, claim.as_ref()).await;
    let added = app.run_once(caller, request, write).await?;
    if !new.remember.is_empty() {
        app.remember_lot(caller, &added.item).await?;
    }
    let was_there = added.merged;
    let back = back_or(new.back.as_deref(), "/stock");
    let back = match added.item.product {
        Some(product) if !back.contains('#') => {
            let join = if back.contains('?') { '&' } else { '?' };
            format!("{back}{join}new={product}")
        }
        _ => back.to_owned(),
    };
    Ok(if was_there { done(&back, "stock-merged") } else { done(&back, "stock-added") })
}

/// What was typed as the name: with an amount, unless there is a field for it that was filled in, or
/// all of it is the name of something that is known.
async fn understand(app: &App, caller: &Caller, new: &NewItem) -> Result<TypedGoods, Failure> {
    let name = new.name.trim().to_owned();
    let plain = TypedGoods { name, quantity: None, unit: None };
    if !new.quantity.trim().is_empty() || !new.unit.trim().is_empty() {
        return Ok(plain);
    }
    let typed = TypedGoods::read(&plain.name);
    if typed == plain {
        return Ok(plain);
    }
    let whole = ItemName::parse(&plain.name).map_err(wrong("field-name"))?;
    Ok(if app.product_named(caller, &whole).await?.is_some() { plain } else { typed })
}
