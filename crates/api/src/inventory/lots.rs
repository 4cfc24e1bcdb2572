//! `GET /inventory/lots`: the stock, one row per product.

use jiff::civil::Date;
use larder_domain::ProductId;
use larder_http::{Json, Params, ProblemDocument};
use larder_storage::StockRow;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    dto::ItemDto,
    list::{ListItems, read_query},
};
use crate::{ApiError, ApiState, InInventory, PageQuery, need::ReadStock, products::dto::Total};

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

fn row(StockRow { product, unit, photo: _, lots }: &StockRow, today: Date) -> LotsRow<'_> {
    LotsRow {
        product_id: *product,
        // All lots have the name of their product.
        name: lots.first().map_or("", |lot| lot.details.name.as_str()),
        total: Total::of(unit, lots),
        unit: unit.as_str(),
        lots: lots.iter().map(|lot| ItemDto::of(lot, today)).collect(),
    }
}

/// List lots by product
///
/// The filters of the list of items apply to lots; a product is listed with those that match, where
/// the first of them stands in the list of items. Depleted lots are omitted unless
/// `includeDepleted=true`.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/lots",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(
        ("search" = Option<String>, Query, description = "Beginning of any word of the name, whatever its case and width"),
        ("categoryId" = Option<String>, Query, format = "uuid"),
        ("storageLocationId" = Option<String>, Query, format = "uuid"),
        ("expiring" = Option<String>, Query, pattern = "^(soon|expired)$", description = "`soon` (today and three days) or `expired`"),
        ("lowStock" = Option<bool>, Query, description = "Only products that are below their threshold, all lots together"),
        ("includeDepleted" = Option<bool>, Query),
        ("sort" = Option<String>, Query, pattern = "^(created|name|expiration)$", description = "`created` (newest first), `name` or `expiration`"),
        PageQuery,
    ),
    responses(
        (status = 200, body = LotsPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_lots(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    params: Params,
) -> Result<Json, ApiError> {
    let ListItems { mut filter, is_low, sort, paging } = read_query(params)?;
    let list = api.list(format_args!("lots {:?} {filter:?} {is_low} {sort:?}", caller.owner()));
    let after = paging.after(&list)?;
    if is_low {
        filter.low = Some(api.app.stock_overview(&caller).await?.low);
    }
    let page = api.app.list_lots(&caller, &filter, sort, after.as_ref(), paging.limit).await?;
    let today = caller.today(api.app.now());
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|it| row(it, today)).collect();
    Ok(Json::of(&LotsPage { items, next_cursor }))
}
