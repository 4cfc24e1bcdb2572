//! Tags on shelves and jars, and the labels to print for them.
//!
//! A tag's URL is a secret: anyone who knows it can adjust the item without a login. So these pages
//! are only for admins, and members are told why.

mod delete;
mod edit;
mod label_format;
mod labels;
mod line;
mod list;
mod make;
mod sheet;
mod tag;

use axum::{
    Router,
    routing::{get, post},
};
use larder_app::{AppError, Caller};
use larder_domain::{ItemId, Quantity, TagStep, UrlId};
use larder_http::{LinkBase, qr_svg};

use crate::{Failure, WebState};

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/tags", get(list::page).post(make::make))
        .route("/tags/new", get(make::page))
        .route("/tags/labels", get(labels::page))
        .route("/tags/labels/sheet", get(sheet::page))
        .route("/tags/{item}/{url}", get(tag::page).post(edit::save))
        .route("/tags/{item}/{url}/delete", post(delete::delete))
        .route("/tags/{item}/{url}/replace", post(tag::replace))
}

/// The path of a tag's page. It includes the item, because the tags of an item are read
/// consistently while the index of all tags may lag.
fn path_of(item: ItemId, url: UrlId) -> String {
    format!("/tags/{item}/{}", url.reveal())
}

/// The URL on the tag itself.
fn address(links: &LinkBase, url: UrlId) -> String {
    format!("{links}/t/{}", url.reveal())
}

/// A URL as a QR code.
fn qr_code(address: &str) -> Result<String, Failure> {
    let too_long = |_| AppError::Defect("the public URL is too long for a QR code".to_owned());
    Ok(qr_svg(address).map_err(too_long)?)
}

/// The item and tag of a path. Malformed ids are not found.
fn named(item: &str, url: &str) -> Result<(ItemId, UrlId), Failure> {
    match (item.parse(), UrlId::parse(url)) {
        (Ok(item), Ok(url)) => Ok((item, url)),
        _ => Err(AppError::TagNotFound.into()),
    }
}

/// For pages that do not call a use case that refuses members.
fn only_admins(caller: &Caller) -> Result<(), Failure> {
    if caller.is_admin() { Ok(()) } else { Err(AppError::AdminRequired.into()) }
}

/// A step as a quantity, for formatting.
pub(super) fn quantity_of(step: TagStep) -> Quantity {
    Quantity::from_hundredths(step.hundredths()).unwrap_or(Quantity::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_tag_names_its_item_and_itself() {
        let (item, url) = (ItemId::fixed(7), UrlId::from_random([9; 16]));
        let path = path_of(item, url);
        let mut parts = path.strip_prefix("/tags/").unwrap().split('/');
        let (of, which) = (parts.next().unwrap(), parts.next().unwrap());
        assert_eq!(named(of, which).unwrap(), (item, url));
    }

    #[test]
    fn what_is_no_id_names_no_tag() {
        let (item, url) = (ItemId::fixed(7).to_string(), UrlId::from_random([9; 16]).reveal());
        for (item, url) in [("rice", &*url), (&item, "short"), (&item, ""), ("", "")] {
            assert!(matches!(named(item, url), Err(Failure::App(AppError::TagNotFound))));
        }
    }

    #[test]
    fn a_step_is_written_as_a_quantity() {
        for literal in ["0.01", "1", "2.5", "1000"] {
            assert_eq!(quantity_of(TagStep::parse(literal).unwrap()).to_string(), literal);
        }
    }
}
