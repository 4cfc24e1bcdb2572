//! `POST /shopping-list/put-away`: what was bought goes off the list and into stock.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_app::{BoughtEntry, Purchase};
use larder_domain::{ExpirationDate, ItemName, Quantity, Unit};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read};
use serde::Serialize;
use utoipa::ToSchema;

use super::fields::{path_id, version};
use crate::{
    batch::{Batch, MAX_ENTRIES, entry},
    idempotency::Idempotency,
    inventory::dto::ItemDto,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What was bought.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what `read_entries` reads")]
struct PutAwayRequest {
    #[schema(max_items = 100)]
    entries: Vec<PutAwayEntry>,
}

/// An entry of the shopping list that was bought. What is absent is as on the list, or else as in stock.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `read_entry` reads")]
struct PutAwayEntry {
    #[schema(format = "uuid")]
    shopping_item_id: String,
    /// The version that this is based on.
    #[schema(minimum = 1)]
    version: u64,
    /// Required if the list does not say it, unless nothing of this name is in stock: then one.
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    quantity: Option<f64>,
    /// Required if nothing of this name is in stock.
    #[schema(min_length = 1, max_length = 20)]
    unit: Option<String>,
    /// Absent: none. The date of what is in stock says nothing about what was bought now.
    #[schema(format = Date)]
    expiration_date: Option<String>,
    /// Null: nowhere in particular.
    #[schema(format = "uuid")]
    storage_location_id: Option<String>,
    #[schema(format = "uuid")]
    category_id: Option<String>,
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
}

/// What came of one entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PutAwayResult<'a> {
    #[schema(format = "uuid")]
    shopping_item_id: &'a str,
    /// 200, or the status of the problem.
    status: u16,
    /// The item now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline = false)]
    item: Option<ItemDto<'a>>,
    /// Whether the same thing (name and date) was there, and this was added to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    merged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a ProblemDocument>,
}

/// What came of each entry, in the order of the request.
#[derive(Serialize, ToSchema)]
struct PutAwayResults<'a> {
    results: Vec<PutAwayResult<'a>>,
}

fn read_entries(body: &[u8]) -> Result<Batch<BoughtEntry>, Problem> {
    let mut fields = Fields::parse(body)?;
    let entries = read::list(MAX_ENTRIES, || entry("shoppingItemId", read_entry));
    let entries = fields.required("entries", entries);
    fields.finish(|| Some(entries?.into_iter().collect()))
}

fn read_entry(id: &str, mut fields: Fields<'_>) -> Result<BoughtEntry, ApiError> {
    let version = version(&mut fields);
    let purchase = Purchase {
        name: fields.optional("name", read::text(ItemName::parse)),
        quantity: fields.optional("quantity", read::number(Quantity::parse)),
        unit: fields.optional("unit", read::text(Unit::parse)),
        expiration: fields.optional("expirationDate", read::text(ExpirationDate::parse)),
        category: fields.optional("categoryId", read::text(str::parse)),
        location: fields.patch("storageLocationId", read::text(str::parse)).into_change(),
    };
    let version = fields.finish(|| version)?;
    Ok(BoughtEntry { id: path_id(id)?, version, purchase })
}

/// Put away what was bought
///
/// Each entry is one transaction, in order: off the list and into stock, by the merge rule. A refused entry does not
/// affect the others. If the store fails midway the answer is 503; what was put away until then stays, and the same
/// request with the same `Idempotency-Key` does the rest.
#[utoipa::path(
    post,
    path = "/api/v1/shopping-list/put-away",
    tag = "Shopping",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repetition safe for 24 hours")),
    request_body = PutAwayRequest,
    responses(
        (status = 200, body = PutAwayResults),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn put_away(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let Batch { ids, valid } = read_entries(&body)?;
    let today = caller.today(api.app.now());
    let added = api.app.put_away(&caller, valid, idempotency.request(&body)).await?;
    let results = ids.results(added);
    let results = results.iter().map(|(id, result)| {
        let (item, problem) = (result.as_ref().ok(), result.as_ref().err());
        PutAwayResult {
            shopping_item_id: id,
            status: problem.map_or(200, |problem| problem.status),
            item: item.map(|added| ItemDto::of(&added.item, today)),
            merged: item.map(|added| added.merged),
            problem,
        }
    });
    Ok(Json(PutAwayResults { results: results.collect() }).into_response())
}
