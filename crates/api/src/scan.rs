//! `POST /scan`: the codes in a frame of a camera.

use larder_app::Code;
use larder_domain::{ExpirationDate, Gtin};
use larder_http::{Json, MediaBody, MediaKind, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{ApiError, ApiState, Authenticated, need::ChangeStock};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(scan))
}

/// A frame of a camera: enough for 1280 pixels in good quality.
struct Frame;

impl MediaKind for Frame {
    const TYPES: &'static [&'static str] = &["image/jpeg", "image/png"];
    const MAX_BYTES: usize = 100 << 10;
}

/// The bytes of a picture.
#[derive(ToSchema)]
#[schema(as = Picture, value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its schema is used")]
struct PictureSchema(Vec<u8>);

/// A code, and what it means.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScannedCode)]
struct CodeDto<'a> {
    /// `ean_8`, `ean_13`, `upc_a`, `itf`, `code_128`, `qr_code` or `data_matrix`.
    format: &'static str,
    /// What it says.
    text: &'a str,
    /// The number of a product, with its check digit verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    gtin: Option<Gtin>,
    /// How long the package is good, if a GS1 code says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    expiration_date: Option<ExpirationDate>,
}

/// The codes in a picture, each once.
#[derive(Serialize, ToSchema)]
struct ScanResult<'a> {
    codes: Vec<CodeDto<'a>>,
}

impl<'a> CodeDto<'a> {
    fn of(code: &'a Code) -> Self {
        Self {
            format: code.format.as_str(),
            text: &code.text,
            gtin: code.gtin,
            expiration_date: code.expiration,
        }
    }
}

/// Read the codes in a picture
///
/// For browsers that cannot do it themselves. Nothing is kept. A picture without codes is an empty
/// list.
#[utoipa::path(
    post,
    path = "/api/v1/scan",
    tag = "Products",
    security(("program" = ["stock"])),
    request_body(
        content((PictureSchema = "image/jpeg"), (PictureSchema = "image/png")),
        description = "At most 100 KiB and 8 megapixels",
    ),
    responses(
        (status = 200, body = ScanResult),
        (status = 413, body = ProblemDocument, description = "`BODY_TOO_LARGE`"),
        (status = 415, body = ProblemDocument, description = "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`"),
        (status = 422, body = ProblemDocument, description = "`IMAGE_REFUSED`: damaged, too many pixels, or not what it claims to be"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
async fn scan(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    frame: MediaBody<Frame>,
) -> Result<Json, ApiError> {
    if let Some(limits) = &api.rate_limits {
        limits.check_scan(caller.user_id())?;
    }
    let codes = api.app.read_codes(&caller, frame.bytes).await?;
    Ok(Json::of(&ScanResult { codes: codes.iter().map(CodeDto::of).collect() }))
}
