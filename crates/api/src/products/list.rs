//! `GET /products`: everything that has a name, in stock or not.

use larder_domain::{ProductFilter, ProductSort, SearchTerm};
use larder_http::{Json, Params, Problem, ProblemDocument};

use super::dto::{ProductDto, ProductPage};
use crate::{ApiError, ApiState, InInventory, PageQuery, need::ReadStock};

struct ListProducts {
    filter: ProductFilter,
    sort: ProductSort,
    paging: PageQuery,
}

fn read_query(mut params: Params) -> Result<ListProducts, Problem> {
    let search = params.text("search").as_deref().and_then(SearchTerm::parse);
    let sort = params.optional("sort", |text| match text {
        "name" => Ok(ProductSort::Name),
        "total" => Ok(ProductSort::Total),
        _ => Err("must be \"name\" or \"total\""),
    });
    let paging = PageQuery::read(&mut params);
    let filter = ProductFilter { search, with_gaps: false };
    params.finish(|| Some(ListProducts { filter, sort: sort.unwrap_or_default(), paging }))
}

/// List products
#[utoipa::path(
    get,
    path = "/api/v1/products",
    tag = "Products",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(
        ("search" = Option<String>, Query, description = "Beginning of any word of the name, whatever its case and width"),
        ("sort" = Option<String>, Query, pattern = "^(name|total)$", description = "`name`, or `total` (the least first)"),
        PageQuery,
    ),
    responses(
        (status = 200, body = ProductPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_products(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    params: Params,
) -> Result<Json, ApiError> {
    let ListProducts { filter, sort, paging } = read_query(params)?;
    let list = api.list(format_args!("products {:?} {filter:?} {sort:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.list_products(&caller, &filter, sort, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(ProductDto::of).collect();
    Ok(Json::of(&ProductPage { items, next_cursor }))
}
