//! `GET` and `POST /me/delete`: erases the account. `GET /me/delete/sign-on`: logs in once more. `GET /me/deletions/{id}`: how far an erasure is.

use askama::Template;
use axum::{
    http::{HeaderMap, header},
    response::Response,
};
use larder_app::{AppError, OwnerProof, SignOnPurpose};
use larder_domain::{DeletionId, ErasureKind, Password};
use larder_http::LinkBase;
use serde::Deserialize;

use super::identity::{begun, logged_in};
use crate::{
    Failure, Form, Frame, PathId, Person, Section, WebState, done,
    pages::welcome::{log_out_here, to_provider},
    render, wrong,
};

/// What becomes of the household.
#[derive(PartialEq, Eq)]
enum Home {
    /// There is none.
    None,
    /// Others stay in it.
    Left,
    /// It goes, because nobody else is in it.
    Erased,
}

#[derive(Template)]
#[template(path = "me/delete.html")]
struct DeletePage {
    frame: Frame,
    email: String,
    home: Home,
    has_password: bool,
    /// The provider that somebody without a password has to log in with once more.
    provider: Option<String>,
    /// Whether they just have.
    is_proved: bool,
}

impl DeletePage {
    fn is_erased(&self) -> bool {
        self.home == Home::Erased
    }

    fn is_left(&self) -> bool {
        self.home == Home::Left
    }
}

pub(super) async fn page(
    web: WebState,
    person: Person,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let caller = &person.caller;
    let home = match caller.membership() {
        None => Home::None,
        Some(_) if web.app.members(caller).await?.len() == 1 => Home::Erased,
        Some(_) => Home::Left,
    };
    let has_password = web.app.has_password(caller).await?;
    let proves_by_sign_on = !has_password && web.app.can_prove_by_sign_on(caller).await?;
    let provider = web.app.identity_provider().filter(|_| proves_by_sign_on);
    let proof = web.cookies.sign_on(&headers).unwrap_or_default();
    Ok(render(&DeletePage {
        frame: person.frame(Section::Me),
        email: caller.user().email.as_str().to_owned(),
        home,
        has_password,
        provider: provider.map(|provider| provider.name.to_owned()),
        is_proved: web.app.is_fresh_sign_on(person.session, proof),
    }))
}

/// Has somebody without a password log in at the provider once more.
pub(super) async fn sign_on(
    web: WebState,
    person: Result<Person, Failure>,
    base: LinkBase,
) -> Result<Response, Failure> {
    let person = logged_in(person)?;
    let purpose = SignOnPurpose::Prove(person.session);
    begun(to_provider(&web, purpose, &base, "/me/delete").await)
}

#[derive(Deserialize)]
pub(super) struct Proof {
    password: Option<String>,
    email: Option<String>,
}

pub(super) async fn delete(
    web: WebState,
    person: Person,
    headers: HeaderMap,
    Form(form): Form<Proof>,
) -> Result<Response, Failure> {
    // An unattended browser must not allow more password attempts than the login does.
    if let Some(limits) = &web.account_limits {
        limits.check_password_of(person.caller.user_id())?;
    }
    let caller = &person.caller;
    let proof = match form.password {
        Some(password) => {
            OwnerProof::Password(Password::parse(&password).map_err(wrong("field-password"))?)
        }
        // Whoever finds a browser unattended can read the address in it.
        None if web.app.can_prove_by_sign_on(caller).await? => {
            let proof = web.cookies.sign_on(&headers).unwrap_or_default().to_owned();
            OwnerProof::SignedOn { session: person.session, proof }
        }
        None => OwnerProof::Email(form.email.unwrap_or_default()),
    };
    match (web.app.erase_account(caller, &proof).await, &proof) {
        (Ok(_), _) => {}
        (Err(AppError::InvalidCredentials), OwnerProof::SignedOn { .. }) => {
            return Ok(done("/me/delete", "sign-on-outdated"));
        }
        (Err(error), _) => return Err(error.into()),
    }
    let mut response = done("/login", "account-erased");
    log_out_here(&web, &mut response);
    response.headers_mut().append(header::SET_COOKIE, web.cookies.clear_sign_on());
    Ok(response)
}

#[derive(Template)]
#[template(path = "me/deletion.html")]
struct ProgressPage {
    frame: Frame,
    is_of_household: bool,
    removed: u64,
    is_finished: bool,
}

pub(super) async fn progress(
    web: WebState,
    person: Person,
    PathId(id): PathId<DeletionId>,
) -> Result<Response, Failure> {
    let erasure = web.app.erasure(&person.caller, id).await?;
    Ok(render(&ProgressPage {
        frame: person.frame(Section::Me),
        is_of_household: erasure.kind == ErasureKind::Household,
        removed: erasure.removed,
        is_finished: erasure.finished_at.is_some(),
    }))
}
