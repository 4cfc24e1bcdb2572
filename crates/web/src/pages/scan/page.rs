//! `GET /scan`: read codes, and see what became of the last one.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use larder_domain::{Gtin, ProductId, StockSum};
use serde::Deserialize;

use super::{Action, with_camera};
use crate::{Failure, Frame, Keeper, Query, Section, WebState, format::amount, render};

#[derive(Deserialize)]
pub(super) struct ScanQuery {
    #[serde(default)]
    then: String,
    /// A code that no product has yet.
    #[serde(default)]
    code: String,
    /// How long the package with that code is good.
    #[serde(default)]
    until: String,
    /// The product of the last code.
    #[serde(default)]
    product: String,
}

#[derive(Template)]
#[template(path = "scan/page.html")]
struct ScanPage {
    frame: Frame,
    action: Action,
    actions: Vec<(String, String, bool)>,
    /// An unknown code, whose name is asked for.
    unknown: Option<Gtin>,
    until: String,
    /// The product of the last code: its name and what there is of it.
    last: Option<(String, String)>,
}

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    Query(query): Query<ScanQuery>,
) -> Result<Response, Failure> {
    let action = Action::named(&query.then);
    let frame = keeper.frame(Section::Stock);
    let last = match query.product.parse::<ProductId>() {
        Ok(id) => match web.app.product(&keeper.caller, id).await {
            Ok(stocked) => {
                let unit = &stocked.product.details.unit;
                let sum = StockSum::of(unit, stocked.lots.iter().map(|lot| &lot.details));
                let sum = sum.map(|sum| amount(sum.quantity(), unit)).unwrap_or_default();
                Some((stocked.product.details.name.as_str().to_owned(), sum))
            }
            Err(AppError::ProductNotFound) => None,
            Err(error) => return Err(error.into()),
        },
        Err(_) => None,
    };
    let text = |action| match action {
        Action::Add => frame.t("scan-add"),
        Action::Use => frame.t("scan-use"),
        Action::Tick => frame.t("scan-tick"),
        Action::PutAway | Action::Row => frame.t("scan-put-away"),
    };
    let actions = Action::CHOICES
        .map(|other| (other.address(), text(other).into_owned(), other == action))
        .to_vec();
    let unknown = Gtin::parse(&query.code).ok();
    Ok(with_camera(render(&ScanPage { frame, action, actions, unknown, until: query.until, last })))
}
