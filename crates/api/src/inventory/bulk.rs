//! `POST /inventory/items/bulk`: change several items, each independently.

use std::borrow::Cow;

use jiff::civil::Date;
use larder_app::{AppError, ItemEdit, VersionedEdit};
use larder_domain::Item;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, RequestBody, read, request_body};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::dto::{BulkPatch, ItemDto};
use crate::{
    ApiError, ApiState, Idempotency, InInventory,
    batch::{Batch, Entry, MAX_ENTRIES, entry},
    need::ChangeStock,
};

request_body! {
    /// Changes of items, applied in order.
    struct BulkChanges {
        #[schema(max_items = 100)]
        required changes: Vec<Entry<VersionedEdit>> as Vec<BulkChange> =
            read::list(MAX_ENTRIES, || entry("id", read_edit)),
    }
}

request_body! {
    /// A change of one item: `patch` or `delete`.
    struct BulkChange<'a> {
        #[schema(format = "uuid")]
        required id: Cow<'a, str> as String = read::borrowed_text,
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        required version: u64 as u64 = read::integer,
        optional patch: &'a RawValue as BulkPatch = read::any_object,
        /// True to delete the item instead.
        default delete: bool as bool = read::boolean,
    }
}

/// The result of one change.
#[derive(Serialize, ToSchema)]
struct BulkResult<'a> {
    /// As in the request.
    id: &'a str,
    /// The status that this change would have by itself: 200, 204 for a deletion, or the status of
    /// the problem.
    status: u16,
    /// The item after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline = false)]
    item: Option<ItemDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a ProblemDocument>,
}

/// The result of each change, in the order of the request.
#[derive(Serialize, ToSchema)]
struct BulkResults<'a> {
    results: Vec<BulkResult<'a>>,
}

impl<'a> BulkResult<'a> {
    fn of(id: &'a str, result: &'a Result<Option<Item>, ProblemDocument>, today: Date) -> Self {
        let (status, item, problem) = match result {
            Ok(Some(item)) => (200, Some(ItemDto::of(item, today)), None),
            Ok(None) => (204, None, None),
            Err(problem) => (problem.status, None, Some(problem)),
        };
        Self { id, status, item, problem }
    }
}

fn read_edit(mut fields: Fields<'_>) -> Result<VersionedEdit, ApiError> {
    let change = BulkChange::read(&mut fields);
    if change.as_ref().is_some_and(|change| change.patch.is_some() == change.delete) {
        fields.refuse("patch", "must be there, unless \"delete\" is true");
    }
    let BulkChange { id, version, patch, delete: _ } = fields.finish(|| change)?;
    let id = id.parse().map_err(|_| AppError::ItemNotFound);
    let edit = match patch {
        Some(patch) => {
            let patch: BulkPatch = Fields::parse(patch.get().as_bytes())?.into_body()?;
            ItemEdit::Update { merge: patch.merge, patch: Box::new(patch.into()) }
        }
        None => ItemEdit::Delete,
    };
    Ok(VersionedEdit { id: id?, version, edit })
}

/// Change several items
///
/// Each change is applied independently and in order: a refused one does not affect the others. If
/// the store fails midway the status is 503; earlier changes stay, and the same request with the
/// same `Idempotency-Key` applies the rest.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/bulk",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(Idempotency),
    request_body = BulkChanges,
    responses(
        (status = 200, body = BulkResults),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn change_items(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let BulkChanges { changes } = Fields::parse(&body)?.into_body()?;
    let Batch { ids, valid } = changes.into_iter().collect();
    let today = caller.today(api.app.now());
    let edited = api.app.edit_items(&caller, valid, idempotency.request(&body)).await?;
    let results = ids.results(edited);
    let results = results.iter().map(|(id, result)| BulkResult::of(id, result, today)).collect();
    Ok(Json::of(&BulkResults { results }))
}
