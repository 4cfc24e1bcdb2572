//! `GET /stock/{id}`: one item, and everything about it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use larder_domain::Item;
use serde::Deserialize;

use super::{
    choices::{Choice, Places, categories},
    details_form::{DetailsForm, Difference, Line, lines},
    history::History,
    item_id,
    row::Row,
};
use crate::{
    failure::Failure,
    form::{Query, base_of},
    frame::{Frame, Section, render_with},
    state::Web,
    state::WebState,
    visit::Member,
};

#[derive(Template)]
#[template(path = "stock/item.html")]
struct ItemPage {
    frame: Frame,
    row: Row,
    facts: Vec<Line>,
    form: DetailsForm,
    /// What the form is filled with, apart from what was not saved.
    base: String,
    obstacle: Option<Obstacle>,
    categories: Vec<Choice>,
    locations: Vec<Choice>,
    stores: Vec<Choice>,
    history: History,
}

/// What stands in the way of a change, with what was typed.
pub(super) enum Obstacle {
    /// Somebody else has changed the item meanwhile: what was typed (first), and what is there now (second).
    Changed(Vec<Difference>),
    /// Another item has this name and date: a sentence that says so.
    SameAs(String),
}

impl ItemPage {
    /// Where what was typed and what is there differ, if that is what stands in the way.
    fn both_versions(&self) -> &[Difference] {
        match &self.obstacle {
            Some(Obstacle::Changed(differences)) => differences,
            _ => &[],
        }
    }

    /// Which other item there is, if that is what stands in the way.
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
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Query(query): Query<ItemQuery>,
) -> Result<Response, Failure> {
    let item = web.app.item(&member.caller, item_id(&id)?).await?;
    let places = Places::of(&web.app, &member.caller).await?;
    show(&web, &member, &item, &places, None, &query.before).await
}

/// What was typed, and why it was not saved.
pub(super) type Unsaved = (DetailsForm, Obstacle);

/// The page of an item as it is, or with what was not saved.
pub(super) async fn show(
    web: &Web,
    member: &Member,
    item: &Item,
    places: &Places,
    unsaved: Option<Unsaved>,
    before: &str,
) -> Result<Response, Failure> {
    let (frame, caller) = (member.frame(Section::Stock), &member.caller);
    let status = if unsaved.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    let (form, obstacle) = unsaved.unzip();
    let [_, _, facts @ ..] = lines(&frame, &item.details, places);
    let saved = DetailsForm::of(&item.details);
    let base = base_of(&saved);
    let form = form.unwrap_or(saved);
    let page = ItemPage {
        row: Row::of(&frame, item, &places.locations, caller.today(web.app.now())),
        facts: facts.into_iter().filter(|line| !line.text.is_empty()).collect(),
        categories: categories(&frame, form.category.parse().ok()),
        locations: places.locations(&frame, form.location.parse().ok()),
        stores: places.stores(form.store.parse().ok()),
        form,
        base,
        obstacle,
        history: History::of(web, caller, &frame, item.id, places, before).await?,
        frame,
    };
    Ok(render_with(status, &page))
}
