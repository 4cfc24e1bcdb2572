//! `POST /shopping-list/put-away`: move purchased entries from the list into stock.

use std::borrow::Cow;

use larder_app::{BoughtEntry, Purchase};
use larder_domain::{
    CategoryId, ExpirationDate, ItemName, Quantity, ShoppingItemId, StorageLocationId, Unit,
};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use super::fields::version;
use crate::{
    ApiError, ApiState, Authenticated, Idempotency,
    batch::{Batch, Entry, MAX_ENTRIES, entry},
    inventory::dto::ItemDto,
    need::ChangeShopping,
    path_id::NamedInPath as _,
};

request_body! {
    /// The purchased entries.
    struct PutAwayRequest {
        #[schema(max_items = 100)]
        required entries: Vec<Entry<BoughtEntry>> as Vec<PutAwayEntry> =
            read::list(MAX_ENTRIES, || entry("shoppingItemId", read_entry)),
    }
}

request_body! {
    /// A purchased entry of the shopping list. Absent fields are as on the list, or else as in
    /// stock.
    struct PutAwayEntry<'a> {
        #[schema(format = "uuid")]
        required id "shoppingItemId": Cow<'a, str> as String = read::borrowed_text,
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        special version: u64 as u64 = version,
        /// Required if the list does not have it, unless nothing of this name is in stock: then 1.
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        optional quantity: Quantity as f64 = read::number(Quantity::parse),
        /// Required if nothing of this name is in stock.
        #[schema(min_length = 1, max_length = 20)]
        optional unit: Unit as String = read::text(Unit::parse),
        /// Absent: today and `shelfLifeDays` of the product, if it is known. The date of the stock
        /// says nothing about a new purchase. Null: no date.
        #[schema(format = Date)]
        patch expiration "expirationDate": ExpirationDate as String =
            read::text(ExpirationDate::parse),
        /// Null: no location.
        #[schema(format = "uuid")]
        patch location "storageLocationId": StorageLocationId as String = read::text(str::parse),
        #[schema(format = "uuid")]
        optional category "categoryId": CategoryId as String = read::text(str::parse),
        #[schema(min_length = 1, max_length = 200)]
        optional name: ItemName as String = read::text(ItemName::parse),
    }
}

/// The result of one entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PutAwayResult<'a> {
    /// As in the request.
    shopping_item_id: &'a str,
    /// 200, or the status of the problem.
    status: u16,
    /// The item after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline = false)]
    item: Option<ItemDto<'a>>,
    /// Whether an item of this name and expiration date existed, and its quantity was increased.
    #[serde(skip_serializing_if = "Option::is_none")]
    merged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a ProblemDocument>,
}

/// The result of each entry, in the order of the request.
#[derive(Serialize, ToSchema)]
struct PutAwayResults<'a> {
    results: Vec<PutAwayResult<'a>>,
}

fn read_entry(fields: Fields<'_>) -> Result<BoughtEntry, ApiError> {
    let PutAwayEntry { id, version, quantity, unit, expiration, location, category, name } =
        fields.into_body()?;
    let (expiration, location) = (expiration.into_change(), location.into_change());
    let purchase = Purchase { name, quantity, unit, expiration, category, location };
    Ok(BoughtEntry { id: id.parse().map_err(|_| ShoppingItemId::malformed())?, version, purchase })
}

/// Put away purchased entries
///
/// Each entry is one transaction, in order: off the list and into stock, by the merge rule. A
/// refused entry does not affect the others. If the store fails midway the status is 503; entries
/// put away before stay so, and the same request with the same `Idempotency-Key` does the rest.
#[utoipa::path(
    post,
    path = "/api/v1/shopping-list/put-away",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(Idempotency),
    request_body = PutAwayRequest,
    responses(
        (status = 200, body = PutAwayResults),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn put_away(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let PutAwayRequest { entries } = Fields::parse(&body)?.into_body()?;
    let Batch { ids, valid } = entries.into_iter().collect();
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
    Ok(Json::of(&PutAwayResults { results: results.collect() }))
}
