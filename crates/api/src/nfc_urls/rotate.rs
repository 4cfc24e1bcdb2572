//! `POST /inventory/items/{itemId}/nfc-urls/{urlId}/rotate`.

use axum::extract::Path;
use larder_app::AppError;
use larder_domain::UrlId;
use larder_http::{Fields, Json, JsonBody, LinkBase, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::TagDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::Administrate};

/// A tag and its replacement.
#[derive(Serialize, ToSchema)]
struct RotatedTag<'a> {
    /// No longer works.
    #[schema(inline = false)]
    old: TagDto<'a>,
    /// The same item, label and step with another URL.
    #[schema(inline = false)]
    new: TagDto<'a>,
}

/// Replace a tag
///
/// Only for admins. The old URL stops working immediately: opening it says that the tag was
/// replaced.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{itemId}/nfc-urls/{urlId}/rotate",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("itemId" = String, Path, format = "uuid"), ("urlId" = String, Path), Idempotency),
    responses(
        (status = 200, body = RotatedTag),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`TAG_NOT_FOUND`: not there, or not yours"),
        (status = 410, body = ProblemDocument, description = "`TAG_ROTATED`: it was replaced before"),
    ),
)]
pub(super) async fn rotate_tag(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    Path((item, url)): Path<(String, String)>,
    links: LinkBase,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let item = item.parse().map_err(|_| AppError::TagNotFound)?;
    let old = UrlId::parse(&url).map_err(|_| AppError::TagNotFound)?;
    Fields::parse_optional(&body)?.finish(|| Some(()))?;
    let write =
        async |claim: Option<_>| api.app.rotate_tag(&caller, item, old, claim.as_ref()).await;
    let rotated = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let dto = |tag| TagDto::of(tag, &links);
    Ok(Json::of(&RotatedTag { old: dto(&rotated.old), new: dto(&rotated.new) }))
}
