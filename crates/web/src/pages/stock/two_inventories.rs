//! The two inventories of a member: which one is shown, and moving an item into the other.

use axum::{http::header, response::Response};
use larder_domain::{ItemId, Whose};
use serde::Deserialize;

use crate::{
    Failure, Form, Keeper, PathId, Person, WebState, back_or, done, see_other,
    visit::{INVENTORY_COOKIE, KEPT},
};

#[derive(Deserialize)]
pub(super) struct Choice {
    whose: String,
    back: Option<String>,
}

/// `POST /inventory`: shows the other inventory from here on.
pub(super) async fn choose(
    web: WebState,
    _person: Person,
    Form(form): Form<Choice>,
) -> Result<Response, Failure> {
    let whose = form.whose.parse::<Whose>().map_err(|_| Failure::NotFound)?;
    let mut response = see_other(back_or(form.back.as_deref(), "/stock"));
    let kept = web.cookies.set_plain(INVENTORY_COOKIE, whose.as_str(), web.app.now() + KEPT);
    response.headers_mut().append(header::SET_COOKIE, kept);
    Ok(response)
}

/// `POST /stock/{id}/move`: into the inventory that is not shown.
pub(super) async fn move_item(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
) -> Result<Response, Failure> {
    let to = keeper.caller.whose().other();
    web.app.move_item(&keeper.caller, id, to, None).await?;
    let notice = match to {
        Whose::Personal => "stock-moved-own",
        Whose::Household => "stock-moved-household",
    };
    Ok(done("/stock", notice))
}
