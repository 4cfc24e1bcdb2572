//! `POST /tags/{item}/{url}`: another label and another step.

use axum::{extract::Path, response::Response};
use larder_domain::TagPatch;
use serde::Deserialize;

use super::{
    make::{label, step},
    named, path_of,
};
use crate::{Failure, Form, Member, WebState, done};

#[derive(Deserialize)]
pub(super) struct EditedTag {
    #[serde(default)]
    label: String,
    #[serde(default)]
    step: String,
}

pub(super) async fn save(
    web: WebState,
    member: Member,
    Path((item, url)): Path<(String, String)>,
    Form(edited): Form<EditedTag>,
) -> Result<Response, Failure> {
    let (item, url) = named(&item, &url)?;
    let step = step(&edited.step)?.unwrap_or_default();
    let patch = TagPatch { label: Some(label(&edited.label)?), step: Some(step) };
    web.app.update_tag(&member.caller, url, &patch).await?;
    Ok(done(&path_of(item, url), "tag-saved"))
}
