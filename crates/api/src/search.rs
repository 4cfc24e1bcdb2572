//! `GET /search`: search by name.

use jiff::civil::Date;
use larder_app::{Found, resource_name};
use larder_domain::{SearchTerm, StorageLocationId, Urn};
use larder_http::{Json, Params, Problem, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{ApiError, ApiState, InInventory, PageQuery, inventory::dto::ItemDto, need::ReadAll};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(search))
}

/// A search result of type `kind`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schema(as = SearchResult)]
enum FoundDto<'a> {
    Location(FoundLocationDto<'a>),
    Item(Box<ItemDto<'a>>),
    Resource(FoundResourceDto<'a>),
}

/// A storage location.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FoundLocation)]
struct FoundLocationDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: StorageLocationId,
    name: &'a str,
    /// The English name of a predefined one; null for one of the household.
    name_en: Option<&'a str>,
}

/// A resource.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FoundResource)]
struct FoundResourceDto<'a> {
    urn: &'a str,
    /// Its attribute `name`; null if it has none and was found by a unique value.
    name: Option<&'a str>,
    resource_type: &'a str,
    /// Its parent.
    parent_urn: Option<&'a str>,
}

/// A page of search results.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchPage<'a> {
    items: Vec<FoundDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

impl<'a> FoundDto<'a> {
    fn of(found: &'a Found, today: Date) -> Self {
        match found {
            Found::Location(location) => Self::Location(FoundLocationDto {
                id: location.id,
                name: &location.name,
                name_en: location.name_en,
            }),
            Found::Item(item) => Self::Item(Box::new(ItemDto::of(item, today))),
            Found::Resource(resource) => Self::Resource(FoundResourceDto {
                urn: resource.urn.as_str(),
                name: resource_name(resource),
                resource_type: resource.urn.resource_type().as_str(),
                parent_urn: resource.parent.as_ref().map(Urn::as_str),
            }),
        }
    }
}

fn read_query(mut params: Params) -> Result<(SearchTerm, PageQuery), Problem> {
    let term = params.required("q", |text| SearchTerm::parse(text).ok_or("must not be empty"));
    let paging = PageQuery::read(&mut params);
    params.finish(|| Some((term?, paging)))
}

/// Search locations, items and resources by name
///
/// Storage locations by name, then items, newest first and including depleted ones, then resources,
/// also by their unique values.
#[utoipa::path(
    get,
    path = "/api/v1/search",
    tag = "Inventory",
    security(("program" = ["read"])),
    params(
        ("q" = String, Query, pattern = r"\S", description = "Beginning of any word of the name, whatever its case and width"),
        PageQuery,
    ),
    responses(
        (status = 200, body = SearchPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
async fn search(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadAll>,
    params: Params,
) -> Result<Json, ApiError> {
    let (term, paging) = read_query(params)?;
    let list = api.list(format_args!("search {:?} {term:?}", caller.owner()));
    let after = paging.after(&list)?;
    let today = caller.today(api.app.now());
    let page = api.app.search(&caller, &term, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|found| FoundDto::of(found, today)).collect();
    Ok(Json::of(&SearchPage { items, next_cursor }))
}
