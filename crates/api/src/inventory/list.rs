//! `GET /inventory/items`: the stock.

use axum::extract::RawQuery;
use jiff::civil::Date;
use larder_app::Caller;
use larder_domain::{Expiring, ItemFilter, ItemSort, SearchTerm};
use larder_http::{Params, Problem, ProblemDocument};
use larder_storage::{AtVersion, Lookup};

use super::{
    dto::{ItemDto, ItemPage},
    page_cache::Page,
};
use crate::{Api, ApiError, ApiState, InInventory, PageQuery, need::ReadStock};

/// Which items or lots are wanted.
pub(super) struct ListItems {
    pub(super) filter: ItemFilter,
    /// Whether only those of products that are low.
    pub(super) is_low: bool,
    pub(super) sort: ItemSort,
    pub(super) paging: PageQuery,
}

fn read_sort(params: &mut Params) -> Option<ItemSort> {
    params.optional("sort", |text| match text {
        "created" => Ok(ItemSort::Created),
        "name" => Ok(ItemSort::Name),
        "expiration" => Ok(ItemSort::Expiration),
        _ => Err("must be \"created\", \"name\" or \"expiration\""),
    })
}

pub(super) fn read_query(mut params: Params) -> Result<ListItems, Problem> {
    let search = params.text("search").as_deref().and_then(SearchTerm::parse);
    let category = params.optional("categoryId", str::parse);
    let location = params.optional("storageLocationId", str::parse);
    let expiring = params.optional("expiring", |text| match text {
        "soon" => Ok(Expiring::Soon),
        "expired" => Ok(Expiring::Expired),
        _ => Err("must be \"soon\" or \"expired\""),
    });
    let is_low = params.boolean("lowStock").unwrap_or(false);
    let include_depleted = params.boolean("includeDepleted").unwrap_or(false);
    let sort = read_sort(&mut params);
    let paging = PageQuery::read(&mut params);
    let filter = ItemFilter {
        search,
        category,
        location,
        expiring,
        low: None,
        include_depleted,
        only_depleted: false,
    };
    params.finish(|| Some(ListItems { filter, is_low, sort: sort.unwrap_or_default(), paging }))
}

/// List items
///
/// Newest first by default. Depleted items are omitted unless `includeDepleted=true`.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(
        ("search" = Option<String>, Query, description = "Beginning of any word of the name, whatever its case and width"),
        ("categoryId" = Option<String>, Query, format = "uuid"),
        ("storageLocationId" = Option<String>, Query, format = "uuid"),
        ("expiring" = Option<String>, Query, pattern = "^(soon|expired)$", description = "`soon` (today and three days) or `expired`"),
        ("lowStock" = Option<bool>, Query, description = "Only lots of products that are below their threshold, all lots together"),
        ("includeDepleted" = Option<bool>, Query),
        ("sort" = Option<String>, Query, pattern = "^(created|name|expiration)$", description = "`created` (newest first), `name` or `expiration`"),
        PageQuery,
    ),
    responses(
        (status = 200, body = ItemPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_items(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    RawQuery(query): RawQuery,
) -> Result<Page, ApiError> {
    let today = caller.today(api.app.now());
    let key = (caller.owner(), query.unwrap_or_default());
    // Read before the page: a change in between makes the cached page stale, never wrong.
    let Some(list) = api.app.list_version(&caller).await? else {
        return read_page(&api, &caller, &key.1, today).await;
    };
    match api.pages.look_up(&key, AtVersion((list, today))) {
        Lookup::Hit(page) => Ok(page),
        Lookup::Miss(ticket) => {
            let page = read_page(&api, &caller, &key.1, today).await?;
            api.pages.insert(ticket, key, page.clone());
            Ok(page)
        }
    }
}

async fn read_page(api: &Api, caller: &Caller, query: &str, today: Date) -> Result<Page, ApiError> {
    let ListItems { mut filter, is_low, sort, paging } = read_query(Params::parse(Some(query))?)?;
    let list = api.list(format_args!("items {:?} {filter:?} {is_low} {sort:?}", caller.owner()));
    let after = paging.after(&list)?;
    if is_low {
        filter.low = Some(api.app.stock_overview(caller).await?.low);
    }
    let page = api.app.list_items(caller, &filter, sort, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|item| ItemDto::of(item, today)).collect();
    let body = serde_json::to_vec(&ItemPage { items, next_cursor });
    Ok(Page::new(body.map_err(|error| Problem::internal(&error))?))
}
