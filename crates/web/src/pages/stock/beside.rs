//! One item beside the list, where the screen is wide.

use larder_app::{AppError, Caller};
use larder_domain::{Item, ItemId, LowProducts};

use super::{
    choices::Places,
    details_form::{Line, lines},
    row::Row,
};
use crate::{Frame, Web, pages::products::photo_address};

pub(super) struct Beside {
    pub(super) row: Row,
    /// The id of its product.
    pub(super) product: String,
    pub(super) photo: Option<String>,
    pub(super) facts: Vec<Line>,
}

impl Beside {
    /// The item, unless it is gone.
    pub(super) async fn of(
        web: &Web,
        caller: &Caller,
        frame: &Frame,
        places: &Places,
        id: ItemId,
        low: &LowProducts,
    ) -> Result<Option<Self>, AppError> {
        let item = match web.app.item(caller, id).await {
            Ok(item) => item,
            Err(AppError::ItemNotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let [_, _, _, facts @ .., _] = lines(frame, &item.details, places);
        let today = caller.today(web.app.now());
        Ok(Some(Self {
            row: Row::of(frame, &item, &places.locations, today, low.has(&item)),
            product: item.product.map(|id| id.to_string()).unwrap_or_default(),
            photo: photo_of(web, caller, &item, "photo").await?,
            facts: facts.into_iter().filter(|line| !line.text.is_empty()).collect(),
        }))
    }
}

/// The URL of the photo of an item's product, `photo` or `photo/thumbnail`.
pub(super) async fn photo_of(
    web: &Web,
    caller: &Caller,
    item: &Item,
    size: &str,
) -> Result<Option<String>, AppError> {
    let Some(product) = item.product else { return Ok(None) };
    let photo = web.app.product(caller, product).await?.product.details.photo;
    Ok(photo.map(|photo| photo_address(product, photo, size)))
}
