//! `POST /scan`: do what was chosen with the thing that has this code.

use axum::response::Response;
use larder_app::{App, AppError, BoughtEntry, Caller, ProductChoice, Purchase};
use larder_domain::{
    ExpirationDate, ItemDetails, ItemName, Quantity, ShoppingChange, ShoppingFilter, ShoppingItem,
    ShoppingStatus, Unit, text::fold,
};
use larder_storage::StockedProduct;
use serde::Deserialize;

use super::{Action, PUT_AWAY, scanned::Scanned};
use crate::{Failure, Form, Keeper, WebState, done, form::EDIT_ATTEMPTS, see_other, wrong};

/// How much of the shopping list is searched for a product. Households have tens of entries.
const MOST_ENTRIES: usize = 500;

#[derive(Deserialize)]
pub(super) struct Scan {
    code: String,
    #[serde(default)]
    then: String,
    /// What the thing is called, if its code is new.
    #[serde(default)]
    name: String,
    /// How long the package is good, if an unknown code has said so.
    #[serde(default)]
    until: String,
}

pub(super) async fn act(
    web: WebState,
    keeper: Keeper,
    Form(scan): Form<Scan>,
) -> Result<Response, Failure> {
    let (app, caller) = (&*web.app, &keeper.caller);
    let action = Action::named(&scan.then);
    let scanned = Scanned::parse(&scan.code, caller.today(app.now()))?;
    let expiration = scanned.expiration.or_else(|| ExpirationDate::parse(&scan.until).ok());
    let scanned = Scanned { expiration, ..scanned };
    let known = app.product_by_barcode(caller, &scanned.code).await?;
    let product = match known {
        Some(product) => product,
        None if action == Action::Row => return Ok(done(PUT_AWAY, "scan-not-on-list")),
        None if scan.name.trim().is_empty() => {
            let until = expiration.map(|day| format!("&until={day}")).unwrap_or_default();
            return Ok(see_other(&format!("{}&code={}{until}", action.address(), scanned.code)));
        }
        None => {
            let name = ItemName::parse(scan.name.trim()).map_err(wrong("field-name"))?;
            match app.product_named(caller, &name).await? {
                Some(product) => {
                    app.remember_barcode(caller, product.id, scanned.code).await?;
                    app.product(caller, product.id).await?
                }
                // Nothing of it can be used, or bought, before there is some.
                None if action != Action::Add => return Err(AppError::ProductNotFound.into()),
                None => {
                    let usual = keeper.visit.words.get("stock-usual-unit");
                    let unit = Unit::parse(&usual).map_err(wrong("field-unit"))?;
                    let details = ItemDetails::new(name, Quantity::ONE, unit);
                    return add(app, caller, details, scanned).await;
                }
            }
        }
    };
    match action {
        Action::Add => add_another(app, caller, product, scanned).await,
        Action::Use => take_one(app, caller, &product).await,
        Action::Tick => {
            let entry = entry_of(app, caller, &product, ShoppingStatus::Pending).await?;
            let told = if tick(app, caller, entry).await?.is_some() {
                "scan-ticked"
            } else {
                "scan-not-on-list"
            };
            Ok(told_of(action, &product, told))
        }
        Action::PutAway => put_away(app, caller, &product, scanned).await,
        Action::Row => Ok(match bought_entry(app, caller, &product).await? {
            Some(entry) => see_other(&format!("{PUT_AWAY}?row={}", entry.id)),
            None => done(PUT_AWAY, "scan-not-on-list"),
        }),
    }
}

/// Back to the page, which shows the product.
fn told_of(action: Action, product: &StockedProduct, notice: &str) -> Response {
    done(&format!("{}&product={}", action.address(), product.product.id), notice)
}

/// Adds one of a known product.
async fn add_another(
    app: &App,
    caller: &Caller,
    product: StockedProduct,
    scanned: Scanned,
) -> Result<Response, Failure> {
    let known = product.product.details;
    let before = app.find_item_by_name(caller, known.name.as_str()).await?;
    let details = match before {
        Some(item) => item.details,
        None => ItemDetails {
            category: known.category,
            location: known.location,
            ..ItemDetails::new(known.name, Quantity::ONE, known.unit)
        },
    };
    add(app, caller, details, scanned).await
}

async fn add(
    app: &App,
    caller: &Caller,
    details: ItemDetails,
    scanned: Scanned,
) -> Result<Response, Failure> {
    let details = details.another_lot(Quantity::ONE, scanned.expiration);
    let added = app.add_item_with_barcode(caller, details, scanned.code, None).await?;
    let product = added.item.product.map(|id| format!("&product={id}")).unwrap_or_default();
    Ok(done(&format!("{}{product}", Action::Add.address()), "scan-added"))
}

async fn take_one(
    app: &App,
    caller: &Caller,
    product: &StockedProduct,
) -> Result<Response, Failure> {
    let choice = ProductChoice::Id(product.product.id);
    let consumed = app.consume(caller, &choice, Quantity::ONE, None, None).await?;
    let told = if consumed.missing == Quantity::ONE { "scan-none-left" } else { "scan-used" };
    Ok(told_of(Action::Use, product, told))
}

/// The entry for a product: linked to one of its lots, or of the same name.
async fn entry_of(
    app: &App,
    caller: &Caller,
    product: &StockedProduct,
    status: ShoppingStatus,
) -> Result<Option<ShoppingItem>, Failure> {
    let filter = ShoppingFilter { store: None, status: Some(status) };
    let entries = app.shopping_list(caller, &filter, None, MOST_ENTRIES).await?.items;
    let name = fold(product.product.details.name.as_str());
    let is_lot = |entry: &ShoppingItem| product.lots.iter().any(|lot| Some(lot.id) == entry.item);
    let found = entries.into_iter().find(|entry| {
        is_lot(entry) || (entry.item.is_none() && fold(entry.details.name.as_str()) == name)
    });
    Ok(found)
}

/// Checks an entry off, whatever else of it changes at the same time.
async fn tick(
    app: &App,
    caller: &Caller,
    entry: Option<ShoppingItem>,
) -> Result<Option<ShoppingItem>, Failure> {
    let Some(mut entry) = entry else { return Ok(None) };
    let change = ShoppingChange::Status(ShoppingStatus::Purchased);
    for _ in 0..EDIT_ATTEMPTS {
        if entry.status == ShoppingStatus::Purchased {
            return Ok(Some(entry));
        }
        match app.change_shopping_item(caller, entry.id, entry.version, &change).await {
            Ok(changed) => return Ok(Some(changed)),
            Err(AppError::ShoppingVersionConflict(current)) => entry = *current,
            Err(AppError::ShoppingItemNotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppError::ShoppingVersionConflict(Box::new(entry)).into())
}

/// The entry of a product as bought, checked off before or not: whoever holds it has bought it.
async fn bought_entry(
    app: &App,
    caller: &Caller,
    product: &StockedProduct,
) -> Result<Option<ShoppingItem>, Failure> {
    let bought = entry_of(app, caller, product, ShoppingStatus::Purchased).await?;
    if bought.is_some() {
        return Ok(bought);
    }
    tick(app, caller, entry_of(app, caller, product, ShoppingStatus::Pending).await?).await
}

/// Puts the entry of a product away.
async fn put_away(
    app: &App,
    caller: &Caller,
    product: &StockedProduct,
    scanned: Scanned,
) -> Result<Response, Failure> {
    let Some(entry) = bought_entry(app, caller, product).await? else {
        return Ok(told_of(Action::PutAway, product, "scan-not-on-list"));
    };
    let quantity = entry.details.quantity.is_none().then_some(Quantity::ONE);
    let expiration = scanned.expiration.map(Some);
    let purchase = Purchase { quantity, expiration, ..Purchase::default() };
    let bought = BoughtEntry { id: entry.id, version: entry.version, purchase };
    for added in app.put_away(caller, vec![bought], None).await? {
        added?;
    }
    Ok(told_of(Action::PutAway, product, "scan-put-away"))
}
