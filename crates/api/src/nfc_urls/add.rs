//! `POST /inventory/items/{itemId}/nfc-urls`.

use axum::http::StatusCode;
use larder_domain::{ItemId, TagLabel, TagStep};
use larder_http::{Fields, Json, JsonBody, LinkBase, ProblemDocument, read, request_body};

use super::dto::TagDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, PathId, need::Administrate};

request_body! {
    /// A new tag.
    struct NewTag {
        /// The household's name for it, such as where it is.
        #[schema(min_length = 1, max_length = 50)]
        optional label: TagLabel as String = read::text(TagLabel::parse),
        /// The amount of one tap: more than 0, at most 1000, two decimals. Absent: the product's, or 1.
        optional step: TagStep as f64 = read::number(TagStep::parse),
    }
}

/// Create a tag
///
/// Only for admins. Anyone who knows its URL can tap, so it is shown only to admins.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{itemId}/nfc-urls",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("itemId" = String, Path, format = "uuid"), Idempotency),
    request_body = Option<NewTag>,
    responses(
        (status = 201, body = TagDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_tag(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    PathId(item): PathId<ItemId>,
    links: LinkBase,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let NewTag { label, step } = Fields::parse_optional(&body)?.into_body()?;
    let write =
        async |claim: Option<_>| api.app.add_tag(&caller, item, label, step, claim.as_ref()).await;
    let tag = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json::of(&TagDto::of(&tag, &links))))
}
