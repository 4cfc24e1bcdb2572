//! `GET /stock/suggestions`: earlier items, for autocompletion.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::Item;
use serde::{Deserialize, Serialize};

use crate::{Failure, Member, Query, WebState};

/// More are not read while typing.
const MOST: usize = 8;

#[derive(Deserialize)]
pub(super) struct SuggestionsQuery {
    #[serde(default)]
    search: String,
}

/// An earlier item with its details.
#[derive(Serialize)]
pub(super) struct Suggestion {
    name: String,
    unit: String,
    category: String,
    location: String,
}

pub(super) async fn suggest(
    web: WebState,
    member: Member,
    Query(typed): Query<SuggestionsQuery>,
) -> Result<Response, Failure> {
    let found = web.app.suggest_items(&member.caller, &typed.search).await?;
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
