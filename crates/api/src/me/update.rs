//! `PATCH /me`.

use larder_domain::{Language, PersonName, UserPatch, Zone};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use crate::{ApiError, ApiState, Authenticated, auth::dto::UserDto, need::Administrate};

request_body! {
    /// What to change about the caller. A field that is absent stays; one that is null is cleared,
    /// where it can be.
    struct AccountChanges {
        #[schema(min_length = 1, max_length = 100)]
        change name: PersonName as String = read::text(PersonName::parse),
        /// An IANA name such as `Asia/Tokyo`. It counts in individual mode: a household has its own.
        patch zone "timeZone": Zone as String = read::text(Zone::parse),
        /// `en` or `ja`: the language of the pages, unless another was chosen in the browser.
        patch language: Language as String = read::text(str::parse),
    }
}

/// Change my account
///
/// The members of the household see the new name, too.
#[utoipa::path(
    patch,
    path = "/api/v1/me",
    tag = "Accounts",
    security(("program" = ["admin"])),
    request_body = AccountChanges,
    responses(
        (status = 200, body = UserDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn update_me(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let AccountChanges { name, zone, language } = Fields::parse(&body)?.into_body()?;
    let patch = UserPatch { name, zone: zone.into_change(), language: language.into_change() };
    let user = api.app.update_me(&caller, patch).await?;
    Ok(Json::of(&UserDto::of(&user)))
}
