//! Users and tokens as the API shows them.

use larder_app::Login;
use larder_domain::{HouseholdId, Language, User, UserId, Zone};
use larder_http::{read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

/// A user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub(crate) struct UserDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: UserId,
    email: &'a str,
    name: &'a str,
    /// Their own time zone, an IANA name; it counts in individual mode.
    time_zone: Option<&'a str>,
    /// `en` or `ja`; null if they have not chosen.
    language: Option<&'static str>,
    /// The household; null in individual mode.
    #[schema(value_type = Option<String>, format = "uuid")]
    household_id: Option<HouseholdId>,
    /// `admin` or `member`; null in individual mode.
    role: Option<&'static str>,
}

impl<'a> UserDto<'a> {
    pub(crate) fn of(user: &'a User) -> Self {
        Self {
            id: user.id,
            email: user.email.as_str(),
            name: user.name.as_str(),
            time_zone: user.zone.as_ref().map(Zone::name),
            language: user.language.map(Language::tag),
            household_id: user.membership.map(|membership| membership.household),
            role: user.membership.map(|membership| membership.role.as_str()),
        }
    }
}

/// The result of a login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Login)]
pub(super) struct LoginDto<'a> {
    #[schema(inline = false)]
    user: UserDto<'a>,
    /// Send it as `Authorization: Bearer …`.
    access_token: &'a str,
    /// Valid for one refresh, within 30 days.
    refresh_token: &'a str,
    /// Lifetime of the access token in seconds.
    expires_in: u64,
}

impl<'a> LoginDto<'a> {
    pub(super) fn of(login: &'a Login) -> Self {
        Self {
            user: UserDto::of(&login.user),
            access_token: &login.access_token,
            refresh_token: &login.refresh_token,
            expires_in: login.expires_in_seconds,
        }
    }
}

request_body! {
    /// A refresh token.
    pub(super) struct RefreshToken {
        required refresh_token "refreshToken": String as String = read::text(str::parse),
    }
}
