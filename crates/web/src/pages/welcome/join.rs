//! `GET /join/{code}` and `POST /join`: invitations to a household.

use askama::Template;
use axum::{extract::Path, http::HeaderMap, response::Response};
use larder_app::{AppError, Caller, Registration};
use larder_domain::InviteCode;
use larder_http::ClientAddress;
use serde::Deserialize;

use super::start::has_own_items;
use crate::{
    Failure, Form, Frame, Person, Section, Visit, Web, WebState, address, done, render,
    visit::identify,
};

/// The visitor of an invitation.
enum Guest {
    /// Not logged in: they need an account first.
    Stranger { can_register: bool },
    /// A user without a household, who can join.
    Homeless { has_own_items: bool },
    /// A member of a household already.
    Settled,
}

#[derive(Template)]
#[template(path = "welcome/join.html")]
struct JoinPage<'a> {
    frame: Frame,
    code: &'a str,
    guest: Guest,
}

impl JoinPage<'_> {
    fn register_address(&self) -> String {
        address::with_query("/register", &[("invite", self.code)])
    }

    fn login_address(&self) -> String {
        address::with_query("/login", &[("next", &invitation_path(self.code))])
    }
}

/// The path of the invitation link with this code.
pub(crate) fn invitation_path(code: &str) -> String {
    format!("/join/{}", address::escape(code))
}

/// The page is the same for valid and invalid codes: only an attempt to join tells, and those are
/// rate-limited.
pub(super) async fn page(
    web: WebState,
    visit: Visit,
    headers: HeaderMap,
    Path(code): Path<String>,
) -> Result<Response, Failure> {
    let Some(known) = identify(&web, &headers).await? else {
        let frame = visit.frame(Section::None);
        let can_register = web.app.registration().await? != Registration::Closed;
        let guest = Guest::Stranger { can_register };
        return Ok(render(&JoinPage { frame, code: &code, guest }));
    };
    let guest = match known.caller.membership() {
        Some(_) => Guest::Settled,
        None => Guest::Homeless { has_own_items: has_own_items(&web, &known.caller).await? },
    };
    let person = Person::of(&web, visit, &headers, known).await?;
    Ok(render(&JoinPage { frame: person.frame(Section::None), code: &code, guest }))
}

#[derive(Deserialize)]
pub(super) struct Invitation {
    code: String,
    #[serde(default)]
    move_items: bool,
}

pub(super) async fn accept(
    web: WebState,
    person: Person,
    address: ClientAddress,
    Form(form): Form<Invitation>,
) -> Result<Response, Failure> {
    let kept = join(&web, address, &person.caller, &form.code, form.move_items).await?;
    Ok(done("/stock", if kept > 0 { "joined-kept" } else { "joined" }))
}

/// Joins the household of this code, and returns how many of the person's items could not move. A
/// malformed code is treated like an unknown one.
async fn join(
    web: &Web,
    address: ClientAddress,
    caller: &Caller,
    code: &str,
    move_items: bool,
) -> Result<u32, Failure> {
    if let Some(limits) = &web.account_limits {
        limits.check_join(address, caller.user_id())?;
    }
    let code = read_code(code).ok_or(AppError::InviteNotFound)?;
    let entered = web.app.join_household(caller, &code, move_items, None).await?;
    Ok(entered.moved.map_or(0, |report| report.kept))
}

/// Parses a code as people enter it: with spaces or dashes, or as the whole link.
pub(super) fn read_code(text: &str) -> Option<InviteCode> {
    let code = text.trim().trim_end_matches('/').rsplit('/').next()?;
    let code: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    InviteCode::parse(&code).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_was_passed_on() {
        for text in [
            "ABCDEFGHJKL2",
            " abcd efgh jkl2 ",
            "abcd-efgh-jkl2",
            "https://larder.example/join/ABCDEFGHJKL2",
            "/join/ABCDEFGHJKL2/",
        ] {
            assert_eq!(read_code(text).unwrap().as_str(), "ABCDEFGHJKL2", "{text}");
        }
        for text in ["", "/", "ABCDEFGHJKL", "ABCDEFGHJKL22", "https://larder.example/join/"] {
            assert_eq!(read_code(text), None, "{text}");
        }
    }

    #[test]
    fn whatever_stands_for_a_code_stays_one_segment() {
        assert_eq!(invitation_path("ABCDEFGHJKL2"), "/join/ABCDEFGHJKL2");
        assert_eq!(invitation_path("../me?x"), "/join/..%2Fme%3Fx");
    }
}
