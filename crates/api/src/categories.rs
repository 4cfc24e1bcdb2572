//! `GET /categories`.

use larder_domain::{CATEGORIES, CategoryId};
use larder_http::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{ApiState, Authenticated, need::ReadStock};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(list_categories))
}

/// A category.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Category)]
struct CategoryDto {
    #[schema(value_type = String, format = "uuid")]
    id: CategoryId,
    name: &'static str,
    name_en: &'static str,
    icon: &'static str,
    sort_order: u16,
}

/// All categories.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CategoryPage {
    items: Vec<CategoryDto>,
    /// Always null, because there are few.
    next_cursor: Option<String>,
}

/// List categories
#[utoipa::path(
    get,
    path = "/api/v1/categories",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["stock"])),
    responses((status = 200, body = CategoryPage)),
)]
async fn list_categories(_: ApiState, _: Authenticated<ReadStock>) -> Json {
    let items = CATEGORIES.iter().map(|category| CategoryDto {
        id: category.id,
        name: category.name,
        name_en: category.name_en,
        icon: category.icon,
        sort_order: category.sort_order,
    });
    Json::of(&CategoryPage { items: items.collect(), next_cursor: None })
}
