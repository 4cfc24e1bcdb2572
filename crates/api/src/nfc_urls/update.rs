//! `PATCH /nfc-urls/{urlId}`.

use axum::extract::Path;
use larder_app::AppError;
use larder_domain::{TagLabel, TagPatch, TagStep, UrlId};
use larder_http::{Fields, Json, JsonBody, LinkBase, ProblemDocument, read, request_body};

use super::dto::TagDto;
use crate::{ApiError, ApiState, Authenticated, need::Administrate};

request_body! {
    /// The changes. Absent fields are unchanged.
    struct TagChanges {
        /// The household's name for it, such as where it is. Null clears it.
        #[schema(min_length = 1, max_length = 50)]
        patch label: TagLabel as String = read::text(TagLabel::parse),
        /// The amount of one tap: more than 0, at most 1000, two decimals. Null: 1.
        patch step: TagStep as f64 = read::number(TagStep::parse),
    }
}

/// Change a tag
///
/// Only for admins. Its URL and its item stay; the next tap has the new step.
#[utoipa::path(
    patch,
    path = "/api/v1/nfc-urls/{urlId}",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("urlId" = String, Path)),
    request_body = TagChanges,
    responses(
        (status = 200, body = TagDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`TAG_NOT_FOUND`: not there, or not yours"),
        (status = 410, body = ProblemDocument, description = "`TAG_ROTATED`: it was replaced"),
    ),
)]
pub(super) async fn update_tag(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    Path(url): Path<String>,
    links: LinkBase,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let url = UrlId::parse(&url).map_err(|_| AppError::TagNotFound)?;
    let TagChanges { label, step } = Fields::parse(&body)?.into_body()?;
    let step = step.into_change().map(Option::unwrap_or_default);
    let patch = TagPatch { label: label.into_change(), step };
    let tag = api.app.update_tag(&caller, url, &patch).await?;
    Ok(Json::of(&TagDto::of(&tag, &links)))
}
