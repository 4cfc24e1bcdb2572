//! `POST /me/tokens`.

use axum::http::StatusCode;
use jiff::Timestamp;
use larder_app::NewProgramToken;
use larder_domain::{InvalidTokenScopes, TokenName, TokenScope, TokenScopes};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::{MadeTokenDto, TokenDto};
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::LoggedIn};

/// The maximum, plus room for duplicates.
const MOST_SCOPES: usize = 64;

request_body! {
    /// A token to be.
    #[schema(as = ProgramTokenRequest)]
    struct TokenRequest {
        /// Which program it is for.
        #[schema(min_length = 1, max_length = 100)]
        required name: TokenName as String = read::text(TokenName::parse),
        /// At least one of `read`, `stock`, `shopping`, `devices`, `things` and `admin`.
        #[schema(min_items = 1)]
        required scopes: TokenScopes as Vec<String> = |value| {
            let scopes = read::list(MOST_SCOPES, || read::text(str::parse::<TokenScope>))(value)?;
            TokenScopes::of(scopes).ok_or_else(|| InvalidTokenScopes::Empty.to_string().into())
        },
        /// In the future. Absent or null: it is good until it is revoked.
        #[schema(format = DateTime)]
        optional expires_at "expiresAt": Timestamp as String = read::text(read_time),
    }
}

fn read_time(text: &str) -> Result<Timestamp, &'static str> {
    text.parse().map_err(|_| "must be a time such as 2031-01-31T00:00:00Z")
}

/// Make a token for a program
///
/// It has my rights of the moment in which it is used, as far as its scopes go: `read` reads
/// everything, the others change one area each and read that area. It can never do what takes a
/// login: change the password, end sessions, or make, list and revoke tokens. A new password revokes
/// it.
///
/// Its text is shown only once. An `Idempotency-Key` is accepted and ignored, because the response
/// contains a secret that is not stored: a retry makes another token.
#[utoipa::path(
    post,
    path = "/api/v1/me/tokens",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    request_body = TokenRequest,
    responses(
        (status = 201, body = MadeTokenDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`QUOTA_EXCEEDED`: there are 50 tokens"),
    ),
)]
pub(super) async fn add_token(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<LoggedIn>,
    _: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let TokenRequest { name, scopes, expires_at } = Fields::parse(&body)?.into_body()?;
    let new = NewProgramToken { name, scopes, expires_at };
    let made = api.app.make_program_token(&caller, new).await?;
    let answer = MadeTokenDto { described: TokenDto::of(&made.token), token: &made.text };
    Ok((StatusCode::CREATED, Json::of(&answer)))
}
