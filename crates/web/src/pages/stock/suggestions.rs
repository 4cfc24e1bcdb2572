//! `GET /stock/suggestions`: how a line is understood while it is typed, and earlier items of that
//! name, for autocompletion.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{Item, ItemName, TypedGoods};
use serde::{Deserialize, Serialize};

use crate::{Failure, Keeper, Query, WebState, format, wrong};

/// More are not read while typing.
const MOST: usize = 8;

#[derive(Deserialize)]
pub(super) struct SuggestionsQuery {
    #[serde(default)]
    search: String,
}

#[derive(Serialize)]
struct Suggestions {
    /// What would be added, if it is not the whole line as a name.
    understood: Option<String>,
    known: Vec<Suggestion>,
}

/// An earlier item with its details.
#[derive(Serialize)]
struct Suggestion {
    name: String,
    unit: String,
    category: String,
    location: String,
}

pub(super) async fn suggest(
    web: WebState,
    keeper: Keeper,
    Query(typed): Query<SuggestionsQuery>,
) -> Result<Response, Failure> {
    let (app, caller, words) = (&web.app, &keeper.caller, keeper.visit.words);
    let goods = TypedGoods::read(&typed.search);
    let understood = match goods.quantity {
        Some(quantity) => {
            let whole = ItemName::parse(typed.search.trim()).map_err(wrong("field-name"))?;
            let amount = match &goods.unit {
                Some(unit) => format::amount(quantity, unit),
                None => format!("× {quantity}"),
            };
            let is_name = app.product_named(caller, &whole).await?.is_some();
            let values = [("name", goods.name.as_str().into()), ("amount", amount.into())];
            (!is_name).then(|| words.with("stock-understood", &values))
        }
        None => None,
    };
    let found = app.suggest_items(caller, &goods.name).await?;
    let suggestion = |item: Item| Suggestion {
        name: item.details.name.as_str().trim().to_owned(),
        unit: item.details.unit.as_str().to_owned(),
        category: item.details.category.to_string(),
        location: item.details.location.map(|id| id.to_string()).unwrap_or_default(),
    };
    let known = found.into_iter().map(suggestion).take(MOST).collect();
    let json = serde_json::to_string(&Suggestions { understood, known })
        .map_err(|error| AppError::Defect(format!("suggestions cannot be written: {error}")))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}
