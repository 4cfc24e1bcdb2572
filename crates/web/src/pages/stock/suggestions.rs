//! `GET /stock/suggestions`: what was at home before, for whoever adds something.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::{App, AppError, Caller};
use larder_domain::{Item, ItemFilter, ItemSort, SearchTerm, text::fold};
use serde::{Deserialize, Serialize};

use crate::{failure::Failure, form::Query, state::WebState, visit::Member};

/// More than these nobody reads while typing.
const MOST: usize = 8;

/// How many items are looked at for them: one thing with many dates is one suggestion.
const LOOKED_AT: usize = 40;

#[derive(Deserialize)]
pub(super) struct SuggestionsQuery {
    #[serde(default)]
    search: String,
}

/// Something that was there, as it was kept then.
#[derive(Serialize)]
pub(super) struct Suggestion {
    name: String,
    unit: String,
    category: String,
    location: String,
}

pub(super) async fn suggest(
    State(web): State<WebState>,
    member: Member,
    Query(typed): Query<SuggestionsQuery>,
) -> Result<Response, Failure> {
    let found = like(&web.app, &member.caller, &typed.search).await?;
    let suggestion = |item: Item| Suggestion {
        name: item.details.name.as_str().trim().to_owned(),
        unit: item.details.unit.as_str().to_owned(),
        category: item.details.category.to_string(),
        location: item.details.location.map(|id| id.to_string()).unwrap_or_default(),
    };
    let suggestions: Vec<_> = found.into_iter().map(suggestion).take(MOST).collect();
    let json = serde_json::to_string(&suggestions)
        .map_err(|error| AppError::Defect(format!("suggestions cannot be written: {error}")))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// What was last added under exactly this name.
pub(super) async fn known(app: &App, caller: &Caller, name: &str) -> Result<Option<Item>, Failure> {
    let found = like(app, caller, name).await?;
    Ok(found.into_iter().find(|item| is_called(item, name)))
}

/// What has a word that begins like this in its name, one of each name, the last added first.
async fn like(app: &App, caller: &Caller, text: &str) -> Result<Vec<Item>, Failure> {
    let Some(search) = SearchTerm::parse(text) else { return Ok(Vec::new()) };
    let filter =
        ItemFilter { search: Some(search), include_depleted: true, ..ItemFilter::default() };
    let page = app.list_items(caller, &filter, ItemSort::Created, None, LOOKED_AT).await?;
    let mut kinds: Vec<Item> = Vec::new();
    for item in page.items {
        if !kinds.iter().any(|kind| is_called(kind, item.details.name.as_str())) {
            kinds.push(item);
        }
    }
    Ok(kinds)
}

fn is_called(item: &Item, name: &str) -> bool {
    fold(item.details.name.as_str()) == fold(name)
}
