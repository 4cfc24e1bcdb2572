//! `GET /products`: what the household knows of its goods.

use askama::Template;
use axum::response::Response;
use larder_storage::StockedProduct;

use super::{
    address_of,
    lots::{gaps, is_low, total},
    photo_address,
    query::{MOST, ProductQuery, RawProductQuery},
};
use crate::{Failure, Frame, Keeper, Query, Section, WebState, render};

#[derive(Template)]
#[template(path = "products/list.html")]
struct ListPage {
    frame: Frame,
    query: ProductQuery,
    rows: Vec<ProductRow>,
    /// The URL of the next products.
    more: Option<String>,
    /// The maximum number of rows of the page.
    most: usize,
}

/// A product as a row of the list.
struct ProductRow {
    id: String,
    address: String,
    name: String,
    /// The URL of its small photo.
    photo: Option<String>,
    total: Option<String>,
    /// How many lots it has.
    lots: String,
    is_low: bool,
    /// What is unknown of it; may be empty.
    gaps: String,
}

impl ProductRow {
    fn of(frame: &Frame, StockedProduct { product, lots }: &StockedProduct) -> Self {
        let details = &product.details;
        let at_hand = lots.iter().filter(|lot| !lot.details.is_depleted()).count();
        Self {
            id: product.id.to_string(),
            address: address_of(product.id),
            name: details.name.as_str().to_owned(),
            photo: details.photo.map(|it| photo_address(product.id, it, "photo/thumbnail")),
            total: total(&details.unit, lots),
            lots: frame.t1("products-lots-count", "count", at_hand),
            is_low: is_low(details, lots),
            gaps: gaps(frame, details),
        }
    }
}

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    Query(raw): Query<RawProductQuery>,
) -> Result<Response, Failure> {
    let (frame, caller) = (keeper.frame(Section::Stock), &keeper.caller);
    let query = ProductQuery::from(raw);
    let (filter, sort) = (query.filter(), query.sort);
    let list = web.list(format_args!("products {:?} {filter:?} {sort:?}", caller.owner()));
    // An invalid cursor leads to the first page.
    let after = list.open(&query.cursor).ok();
    let page = web.app.list_products(caller, &filter, sort, after.as_ref(), query.shown).await?;
    let more = list.seal(page.next.as_ref()).map(|cursor| query.after(cursor).address());
    let rows = page.items.iter().map(|stocked| ProductRow::of(&frame, stocked)).collect();
    Ok(render(&ListPage { rows, more, most: MOST, query, frame }))
}
