//! `GET` and `POST /me/delete`: erases the account. `GET /me/deletions/{id}`: how far an erasure is.

use askama::Template;
use axum::response::Response;
use larder_app::OwnerProof;
use larder_domain::{DeletionId, ErasureKind, Password};
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, PathId, Person, Section, WebState, done, pages::welcome::log_out_here,
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
}

impl DeletePage {
    fn is_erased(&self) -> bool {
        self.home == Home::Erased
    }

    fn is_left(&self) -> bool {
        self.home == Home::Left
    }
}

pub(super) async fn page(web: WebState, person: Person) -> Result<Response, Failure> {
    let caller = &person.caller;
    let home = match caller.membership() {
        None => Home::None,
        Some(_) if web.app.members(caller).await?.len() == 1 => Home::Erased,
        Some(_) => Home::Left,
    };
    Ok(render(&DeletePage {
        frame: person.frame(Section::Me),
        email: caller.user().email.as_str().to_owned(),
        home,
        has_password: web.app.has_password(caller).await?,
    }))
}

#[derive(Deserialize)]
pub(super) struct Proof {
    password: Option<String>,
    email: Option<String>,
}

pub(super) async fn delete(
    web: WebState,
    person: Person,
    Form(form): Form<Proof>,
) -> Result<Response, Failure> {
    // An unattended browser must not allow more password attempts than the login does.
    if let Some(limits) = &web.account_limits {
        limits.check_password_of(person.caller.user_id())?;
    }
    let proof = match form.password {
        Some(password) => {
            OwnerProof::Password(Password::parse(&password).map_err(wrong("field-password"))?)
        }
        None => OwnerProof::Email(form.email.unwrap_or_default()),
    };
    web.app.erase_account(&person.caller, &proof).await?;
    let mut response = done("/login", "account-erased");
    log_out_here(&web, &mut response);
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
