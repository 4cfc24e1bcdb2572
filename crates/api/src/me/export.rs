//! `GET /me/export`: everything that the caller may read, as a download.

use std::sync::Arc;

use axum::response::Response;
use larder_app::ExportTable;
use larder_http::{Params, Problem, ProblemDocument, export_response, table_response};

use crate::{ApiError, ApiState, Authenticated, need::ReadAll};

/// The requested table; `None`: everything.
fn read_query(mut params: Params) -> Result<Option<ExportTable>, Problem> {
    let is_csv = params.optional("format", |text| match text {
        "jsonl" => Ok(false),
        "csv" => Ok(true),
        _ => Err("must be \"jsonl\" or \"csv\""),
    });
    let table = params.optional("of", |text| match text {
        "items" => Ok(ExportTable::Items),
        "shopping-list" => Ok(ExportTable::ShoppingList),
        _ => Err("must be \"items\" or \"shopping-list\""),
    });
    if table.is_some() != is_csv.unwrap_or(false) {
        params.refuse("of", "goes with format=csv, which needs it");
    }
    params.finish(|| Some(table))
}

/// Export all data that I may read
///
/// My own and my household's, one JSON object per line; `type` names its type. The response is
/// streamed: if it fails midway, the connection is aborted. docs/export.md describes every type.
#[utoipa::path(
    get,
    path = "/api/v1/me/export",
    tag = "Accounts",
    security(("program" = ["read"])),
    params(
        ("format" = Option<String>, Query, pattern = "^(jsonl|csv)$", description = "`jsonl` (default), or `csv` for one table"),
        ("of" = Option<String>, Query, pattern = "^(items|shopping-list)$", description = "The table: `items` or `shopping-list`"),
    ),
    responses(
        (status = 200, content((String = "application/jsonl"), (String = "text/csv"))),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn export(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadAll>,
    params: Params,
) -> Result<Response, ApiError> {
    let app = Arc::clone(&api.app);
    Ok(match read_query(params)? {
        Some(table) => table_response(app, caller, table),
        None => export_response(app, caller),
    })
}
