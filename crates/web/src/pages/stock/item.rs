//! `GET /stock/{id}`: one item with all details.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use larder_domain::{Currency, Item, ItemDetails, ItemId, Quantity};
use serde::Deserialize;

use super::{
    beside::photo_of,
    choices::{Choice, Places, categories},
    details_form::{DetailsForm, Difference, Line, lines},
    goods::Face,
    history::History,
    row::Row,
};
use crate::{
    Failure, Frame, Keeper, PathId, Query, Section, Web, WebState, form::base_of, pages::products,
    render_with,
};

#[derive(Template)]
#[template(path = "stock/item.html")]
struct ItemPage {
    frame: Frame,
    row: Row,
    face: Face,
    /// The URL of its product.
    product: Option<String>,
    /// How much of it one usually opens, if it can be opened.
    usual_opening: Option<String>,
    facts: Vec<Line>,
    /// The link to a picture elsewhere, which only programs set.
    picture: Option<String>,
    form: DetailsForm,
    /// The initial values of the form, without unsaved ones.
    base: String,
    obstacle: Option<Obstacle>,
    categories: Vec<Choice>,
    locations: Vec<Choice>,
    stores: Vec<Choice>,
    currency: Currency,
    history: History,
}

/// Why a change was not saved.
pub(super) enum Obstacle {
    /// The item was changed concurrently: typed (first) and current (second) values.
    Changed(Vec<Difference>),
    /// Another item has this name and date: the message.
    SameAs(String),
}

impl ItemPage {
    /// The differences, if the item was changed concurrently.
    fn both_versions(&self) -> &[Difference] {
        match &self.obstacle {
            Some(Obstacle::Changed(differences)) => differences,
            _ => &[],
        }
    }

    /// The message about another item, if there is one.
    fn other(&self) -> Option<&str> {
        match &self.obstacle {
            Some(Obstacle::SameAs(other)) => Some(other),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ItemQuery {
    #[serde(default)]
    before: String,
}

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Query(query): Query<ItemQuery>,
) -> Result<Response, Failure> {
    let item = web.app.item(&keeper.caller, id).await?;
    let places = Places::of(&web.app, &keeper.caller).await?;
    show(&web, &keeper, &item, &places, None, &query.before).await
}

/// The typed values, and why they were not saved.
pub(super) type Unsaved = (DetailsForm, Obstacle);

/// The page of an item, with unsaved values if there are any.
pub(super) async fn show(
    web: &Web,
    keeper: &Keeper,
    item: &Item,
    places: &Places,
    unsaved: Option<Unsaved>,
    before: &str,
) -> Result<Response, Failure> {
    let (frame, caller) = (keeper.frame(Section::Stock), &keeper.caller);
    let status = if unsaved.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    let (form, obstacle) = unsaved.unzip();
    let [_, _, _, facts @ .., _] = lines(&frame, &item.details, places);
    let saved = DetailsForm::of(&item.details);
    let base = base_of(&saved);
    let form = form.unwrap_or(saved);
    let is_low = web.app.stock_overview(caller).await?.low.has(item);
    let page = ItemPage {
        row: row(&frame, item, places, caller.today(web.app.now()), is_low),
        face: Face::of(
            item.details.name.as_str(),
            photo_of(web, caller, item, "photo/thumbnail").await?,
        ),
        picture: item.details.image_url.as_ref().map(|url| url.as_str().to_owned()),
        product: item.product.map(products::address_of),
        usual_opening: usual_opening(&item.details),
        facts: facts.into_iter().filter(|line| !line.text.is_empty()).collect(),
        categories: categories(&frame, form.category.parse().ok()),
        locations: places.locations(&frame, form.location.parse().ok()),
        stores: places.stores(form.store.parse().ok()),
        currency: places.currency,
        form,
        base,
        obstacle,
        history: History::of(web, caller, &frame, item.id, places, before).await?,
        frame,
    };
    Ok(render_with(status, &page))
}

/// The item without the badge that only repeats its expiration date.
fn row(frame: &Frame, item: &Item, places: &Places, today: Date, is_low: bool) -> Row {
    let mut row = Row::of(frame, item, &places.locations, today, is_low);
    if item.details.good_until() == item.details.expiration {
        row.badges.retain(|badge| badge.tone != "plain");
    }
    row
}

/// One package of several, or all of what is weighed or measured.
fn usual_opening(details: &ItemDetails) -> Option<String> {
    if details.opened_on.is_some() || details.is_depleted() {
        return None;
    }
    let is_counted = details.unit.usual_step() == Quantity::ONE;
    let part = if is_counted { details.quantity.min(Quantity::ONE) } else { details.quantity };
    Some(part.to_string())
}
