//! `POST /stock/{id}/shopping`: put an item on the shopping list.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::{App, AppError, Caller, NewShoppingItem};
use larder_domain::{Item, ShoppingName};
use serde::Deserialize;

use super::{address_of, item_id};
use crate::{
    failure::Failure,
    form::{Form, back_or, done},
    rule::Rule,
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Wish {
    back: Option<String>,
}

pub(super) async fn put_on_list(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(wish): Form<Wish>,
) -> Result<Response, Failure> {
    let item = web.app.item(&member.caller, item_id(&id)?).await?;
    let address = address_of(item.id);
    let back = back_or(wish.back.as_deref(), &address);
    Ok(match wish_for(&web.app, &member.caller, &item).await {
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
    ShoppingName::parse(&short).map_err(|_| Failure::Wrong("field-name", Rule::SHOPPING_NAME))
}
