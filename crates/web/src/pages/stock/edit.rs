//! `POST /stock/{id}`: say something else about an item, if nobody else did meanwhile.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::AppError;
use larder_domain::ItemPatch;
use serde::Deserialize;

use super::{
    address_of,
    choices::Places,
    details_form::DetailsForm,
    item::{Obstacle, show},
    item_id,
    readable::{differences, lines},
};
use crate::{
    failure::Failure,
    form::{Form, done},
    frame::Section,
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Edit {
    /// The version that the form was filled from.
    version: u64,
    /// Whether another item of this name and date may become one with this.
    #[serde(default)]
    merge: String,
    #[serde(flatten)]
    details: DetailsForm,
}

pub(super) async fn save(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(edit): Form<Edit>,
) -> Result<Response, Failure> {
    let id = item_id(&id)?;
    let (details, merge) = (edit.details.read()?, !edit.merge.is_empty());
    let patch = ItemPatch::to(details.clone());
    let saved = web.app.update_item(&member.caller, id, edit.version, patch, merge).await;
    match saved {
        Ok(item) if item.id == id => Ok(done(&address_of(id), "stock-saved")),
        Ok(other) => Ok(done(&address_of(other.id), "stock-merged")),
        Err(AppError::VersionConflict(current)) => {
            let places = Places::of(&web.app, &member.caller).await?;
            let frame = member.frame(Section::Stock);
            let both = differences(&frame, &details, &current.details, &places);
            if both.is_empty() {
                // Somebody else has said the same.
                return Ok(done(&address_of(id), "stock-saved"));
            }
            let unsaved = (edit.details, Obstacle::Changed(both));
            show(&web, &member, &current, &places, Some(unsaved), "").await
        }
        Err(AppError::DuplicateItem(other)) => {
            let places = Places::of(&web.app, &member.caller).await?;
            let frame = member.frame(Section::Stock);
            let [name, amount, ..] = lines(&frame, &other.details, &places);
            let text = frame.t2("stock-same-text", ("name", name.text), ("amount", amount.text));
            let current = web.app.item(&member.caller, id).await?;
            let unsaved = (edit.details, Obstacle::SameAs(text));
            show(&web, &member, &current, &places, Some(unsaved), "").await
        }
        Err(error) => Err(error.into()),
    }
}
