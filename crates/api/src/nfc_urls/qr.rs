//! `GET /nfc-urls/{urlId}/qr.svg`.

use axum::{
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::UrlId;
use larder_http::{LinkBase, Problem, ProblemDocument, qr_svg};

use super::dto::address;
use crate::{ApiError, ApiState, Authenticated, need::Administrate};

/// Read a tag as a QR code
///
/// Only for admins. The tag's URL as an image, to be printed beside the tag or instead of it.
#[utoipa::path(
    get,
    path = "/api/v1/nfc-urls/{urlId}/qr.svg",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("urlId" = String, Path)),
    responses(
        (status = 200, body = String, content_type = "image/svg+xml"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`TAG_NOT_FOUND`: not there, or not yours"),
        (status = 410, body = ProblemDocument, description = "`TAG_ROTATED`, `ITEM_DELETED`: it would open nothing"),
    ),
)]
pub(super) async fn tag_qr_code(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    links: LinkBase,
    Path(url): Path<String>,
) -> Result<Response, ApiError> {
    let url = UrlId::parse(&url).map_err(|_| AppError::TagNotFound)?;
    let open = api.app.tag_to_print(&caller, url).await?;
    let picture = qr_svg(&address(&links, open.tag.id))
        .map_err(|_| Problem::internal(&"the public URL is too long for a QR code"))?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // It contains the secret, so it must not be cached.
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ];
    Ok((headers, picture).into_response())
}
