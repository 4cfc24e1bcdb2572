//! `GET /inventory/lots`: the stock, one row per product.

use jiff::civil::Date;
use larder_domain::{ItemSort, LotFilter, ProductId, SearchTerm};
use larder_http::{Json, Params, Problem, ProblemDocument};
use larder_storage::StockedProduct;
use serde::Serialize;
use utoipa::ToSchema;

use super::{dto::ItemDto, list::read_sort};
use crate::{ApiError, ApiState, Authenticated, PageQuery, products::dto::Total};

/// A product with its lots.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LotsRow<'a> {
    #[schema(value_type = String, format = "uuid")]
    product_id: ProductId,
    name: &'a str,
    /// The sum; null if the units of the lots do not convert.
    total: Option<Total<'a>>,
    unit: &'a str,
    /// The first to expire first.
    #[schema(inline = false)]
    lots: Vec<ItemDto<'a>>,
}

/// A page of products with their lots.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LotsPage<'a> {
    items: Vec<LotsRow<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

fn row(StockedProduct { product, lots }: &StockedProduct, today: Date) -> LotsRow<'_> {
    LotsRow {
        product_id: product.id,
        name: product.details.name.as_str(),
        total: Total::of(product, lots),
        unit: product.details.unit.as_str(),
        lots: lots.iter().map(|lot| ItemDto::of(lot, today)).collect(),
    }
}

struct ListLots {
    filter: LotFilter,
    sort: ItemSort,
    paging: PageQuery,
}

fn read_query(mut params: Params) -> Result<ListLots, Problem> {
    let search = params.text("search").as_deref().and_then(SearchTerm::parse);
    let include_depleted = params.boolean("includeDepleted").unwrap_or(false);
    let sort = read_sort(&mut params);
    let paging = PageQuery::read(&mut params);
    let filter = LotFilter { search, include_depleted };
    params.finish(|| Some(ListLots { filter, sort: sort.unwrap_or_default(), paging }))
}

/// List lots by product
///
/// A product stands where the first of its lots stands in the list of items. Depleted lots are
/// omitted unless `includeDepleted=true`.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/lots",
    tag = "Inventory",
    params(
        ("search" = Option<String>, Query, description = "Beginning of any word of the name, whatever its case and width"),
        ("includeDepleted" = Option<bool>, Query),
        ("sort" = Option<String>, Query, description = "`created` (newest first), `name` or `expiration`"),
        PageQuery,
    ),
    responses(
        (status = 200, body = LotsPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_lots(
    api: ApiState,
    Authenticated(caller): Authenticated,
    params: Params,
) -> Result<Json, ApiError> {
    let ListLots { filter, sort, paging } = read_query(params)?;
    let list = api.list(format_args!("lots {:?} {filter:?} {sort:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.list_lots(&caller, &filter, sort, after.as_ref(), paging.limit).await?;
    let today = caller.today(api.app.now());
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|stocked| row(stocked, today)).collect();
    Ok(Json::of(&LotsPage { items, next_cursor }))
}
