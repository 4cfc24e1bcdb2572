//! The buttons of an item: change its quantity, open it, undo the last change, put it on the shopping
//! list, and delete it unless it has changed since the page was shown.

use axum::response::Response;
use larder_app::{App, AppError, Caller, NewShoppingItem};
use larder_domain::{Delta, Item, ItemId, ShoppingName};
use serde::Deserialize;

use super::{
    address_of,
    details_form::{more_than_zero, optional},
};
use crate::{
    Failure, Form, Keeper, PathId, Rule, WebState, back_or, done, see_other, typed_number::amount,
    wrong,
};

#[derive(Deserialize)]
pub(super) struct Adjustment {
    delta: String,
    back: Option<String>,
}

pub(super) async fn adjust(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(adjustment): Form<Adjustment>,
) -> Result<Response, Failure> {
    let delta = amount(&adjustment.delta, Delta::parse).map_err(wrong("field-quantity"))?;
    web.app.adjust_item(&keeper.caller, id, delta, None).await?;
    Ok(see_other(back_or(adjustment.back.as_deref(), "/stock")))
}

#[derive(Deserialize)]
pub(super) struct Opening {
    /// How much; empty: all of it.
    #[serde(default)]
    quantity: String,
}

/// Shows the lot that is open, which may be another one than the rest.
pub(super) async fn open(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(opening): Form<Opening>,
) -> Result<Response, Failure> {
    let part = optional(&opening.quantity, more_than_zero, "field-quantity")?;
    let opened = web.app.open_item(&keeper.caller, id, part, None).await?.opened;
    Ok(done(&address_of(opened.id), "stock-opened"))
}

#[derive(Deserialize)]
pub(super) struct Unwanted {
    /// The version after the change.
    version: u64,
}

pub(super) async fn undo(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(unwanted): Form<Unwanted>,
) -> Result<Response, Failure> {
    web.app.undo_item_change(&keeper.caller, id, unwanted.version, None).await?;
    Ok(done(&address_of(id), "stock-undone"))
}

#[derive(Deserialize)]
pub(super) struct Wish {
    back: Option<String>,
}

pub(super) async fn put_on_list(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(wish): Form<Wish>,
) -> Result<Response, Failure> {
    let item = web.app.item(&keeper.caller, id).await?;
    let address = address_of(item.id);
    let back = back_or(wish.back.as_deref(), &address);
    Ok(match wish_for(&web.app, &keeper.caller, &item).await {
        Ok(()) => done(back, "stock-on-list"),
        Err(Failure::App(AppError::DuplicateShoppingItem(_))) => {
            done(back, "stock-on-list-already")
        }
        Err(failure) => return Err(failure),
    })
}

/// Puts an item on the shopping list, with its preferred shop.
pub(super) async fn wish_for(app: &App, caller: &Caller, item: &Item) -> Result<(), Failure> {
    let new = NewShoppingItem {
        item: Some(item.id),
        name: name_to_buy(item)?,
        store: None,
        quantity: None,
        notes: None,
    };
    app.add_shopping_item(caller, new, false, None).await?;
    Ok(())
}

/// The name of an item may be too long for the list.
fn name_to_buy(item: &Item) -> Result<ShoppingName, Failure> {
    let name = item.details.name.as_str().trim();
    let short: String = name.chars().take(ShoppingName::MAX_CHARS).collect();
    ShoppingName::parse_stored(&short)
        .map_err(|_| Failure::Wrong("field-name", Rule::SHOPPING_NAME))
}

#[derive(Deserialize)]
pub(super) struct Seen {
    /// The version on the page.
    version: Option<u64>,
}

pub(super) async fn delete(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(seen): Form<Seen>,
) -> Result<Response, Failure> {
    web.app.delete_item(&keeper.caller, id, seen.version, None).await?;
    Ok(done("/stock", "stock-deleted"))
}
