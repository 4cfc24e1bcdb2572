//! `POST /tags/{item}/{url}/replace`.

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::{named, path_of};
use crate::{failure::Failure, form::done, state::WebState, visit::Member};

pub(super) async fn replace(
    State(web): State<WebState>,
    member: Member,
    Path((item, url)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (item, url) = named(&item, &url)?;
    let new = web.app.rotate_tag(&member.caller, item, url, None).await?.new;
    Ok(done(&path_of(new.item, new.id), "tag-replaced"))
}
