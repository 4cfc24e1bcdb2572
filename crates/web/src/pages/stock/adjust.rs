//! `POST /stock/{id}/adjust`: change a quantity.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::Delta;
use serde::Deserialize;

use super::item_id;
use crate::{
    failure::{Failure, wrong},
    form::{Form, back_or, see_other},
    state::WebState,
    typed_number::amount,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Adjustment {
    delta: String,
    back: Option<String>,
}

pub(super) async fn adjust(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(adjustment): Form<Adjustment>,
) -> Result<Response, Failure> {
    let id = item_id(&id)?;
    let delta = amount(&adjustment.delta, Delta::parse).map_err(wrong("field-quantity"))?;
    web.app.adjust_item(&member.caller, id, delta, None).await?;
    Ok(see_other(back_or(adjustment.back.as_deref(), "/stock")))
}
