//! `POST /tags/{item}/{url}/delete`.

use axum::{extract::Path, response::Response};

use super::named;
use crate::{Failure, Member, WebState, done};

pub(super) async fn delete(
    web: WebState,
    member: Member,
    Path((item, url)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (_, url) = named(&item, &url)?;
    web.app.delete_tag(&member.caller, url).await?;
    Ok(done("/tags", "tag-deleted"))
}
