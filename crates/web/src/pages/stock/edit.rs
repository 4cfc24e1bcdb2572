//! `POST /stock/{id}`: edit an item. Only changed fields are written, and only fields that were
//! also changed concurrently are a conflict.

use axum::response::Response;
use larder_app::{AppError, ConflictingItem};
use larder_domain::{Edit, Item, ItemDetails, ItemId, ItemPatch};
use serde::Deserialize;

use super::{
    address_of,
    choices::Places,
    details_form::{DetailsForm, differences, lines},
    item::{Obstacle, show},
};
use crate::{
    Failure, Form, Keeper, PathId, Section, WebState, done,
    form::{EDIT_ATTEMPTS, read_base},
};

#[derive(Deserialize)]
pub(super) struct Edited {
    /// The version of the form's initial values.
    version: u64,
    /// The initial values of the form.
    #[serde(default)]
    base: String,
    /// Whether to merge with another item of this name and date.
    #[serde(default)]
    merge: String,
    #[serde(flatten)]
    details: DetailsForm,
}

pub(super) async fn save(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ItemId>,
    Form(edit): Form<Edited>,
) -> Result<Response, Failure> {
    let caller = &keeper.caller;
    let (mine, merge) = (edit.details.read()?, !edit.merge.is_empty());
    let base: Option<DetailsForm> = read_base(&edit.base)?;
    let base = base.map(|base| base.read()).transpose()?;
    let mut current = web.app.item(caller, id).await?;
    // The form does not have the link to a picture.
    let with_its_link = |form: &ItemDetails, item: &Item| ItemDetails {
        image_url: item.details.image_url.clone(),
        ..form.clone()
    };
    for _ in 0..EDIT_ATTEMPTS {
        let base = base.as_ref().map(|base| with_its_link(base, &current));
        let mine = with_its_link(&mine, &current);
        let Edit { changes, contested } =
            ItemPatch::of_edit(base.as_ref(), &mine, &current.details);
        if contested != ItemPatch::default() && current.version != edit.version {
            let places = Places::of(&web.app, caller).await?;
            let frame = keeper.frame(Section::Stock);
            let wanted = contested.apply(&current.details);
            let both = differences(&frame, &wanted, &current.details, &places);
            let form = DetailsForm::of(&changes.apply(&current.details));
            let unsaved = (form, Obstacle::Changed(both));
            return show(&web, &keeper, &current, &places, Some(unsaved), "").await;
        }
        if changes == ItemPatch::default() {
            // Nothing was changed, or a concurrent edit was the same.
            return Ok(done(&address_of(id), "stock-saved"));
        }
        match web.app.update_item(caller, id, current.version, changes.clone(), merge, None).await {
            Ok(item) if item.id == id => return Ok(done(&address_of(id), "stock-saved")),
            Ok(other) => return Ok(done(&address_of(other.id), "stock-merged")),
            Err(AppError::VersionConflict(now)) => current = now.item,
            Err(AppError::DuplicateItem(other)) => {
                let places = Places::of(&web.app, caller).await?;
                let frame = keeper.frame(Section::Stock);
                let [name, amount, ..] = lines(&frame, &other.item.details, &places);
                let text =
                    frame.t2("stock-same-text", ("name", name.text), ("amount", amount.text));
                let form = DetailsForm::of(&changes.apply(&current.details));
                let unsaved = (form, Obstacle::SameAs(text));
                return show(&web, &keeper, &current, &places, Some(unsaved), "").await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    let today = caller.today(web.app.now());
    Err(AppError::VersionConflict(Box::new(ConflictingItem { item: current, today })).into())
}
