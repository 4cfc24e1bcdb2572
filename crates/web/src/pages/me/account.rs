//! `POST /me/name`, `POST /me/zone` and `POST /me/password`.

use axum::response::Response;
use larder_app::NewPassword;
use larder_domain::{Password, PersonName, UserPatch, Zone};
use serde::Deserialize;

use crate::{Failure, Form, Person, WebState, done, wrong};

#[derive(Deserialize)]
pub(super) struct Renaming {
    name: String,
}

pub(super) async fn rename(
    web: WebState,
    person: Person,
    Form(form): Form<Renaming>,
) -> Result<Response, Failure> {
    let name = PersonName::parse(form.name.trim()).map_err(wrong("me-name"))?;
    let patch = UserPatch { name: Some(name), ..UserPatch::default() };
    web.app.update_me(&person.caller, patch).await?;
    Ok(done("/me", "me-renamed"))
}

#[derive(Deserialize)]
pub(super) struct Relocation {
    zone: String,
}

pub(super) async fn change_zone(
    web: WebState,
    person: Person,
    Form(form): Form<Relocation>,
) -> Result<Response, Failure> {
    let zone = Zone::parse(&form.zone).map_err(wrong("household-zone"))?;
    let patch = UserPatch { zone: Some(Some(zone)), ..UserPatch::default() };
    web.app.update_me(&person.caller, patch).await?;
    Ok(done("/me", "me-zone-changed"))
}

#[derive(Deserialize)]
pub(super) struct PasswordChange {
    current: String,
    new: String,
}

pub(super) async fn change_password(
    web: WebState,
    person: Person,
    Form(form): Form<PasswordChange>,
) -> Result<Response, Failure> {
    let caller = &person.caller;
    // An unattended browser must not allow more password attempts than the login does.
    if let Some(limits) = &web.account_limits {
        limits.check_password_of(caller.user_id())?;
    }
    let new = Password::parse(&form.new).map_err(wrong("me-password-new"))?;
    let about = [caller.user().email.as_str(), caller.user().name.as_str()];
    let new = NewPassword::choose(new, &about).map_err(wrong("me-password-new"))?;
    let current = Password::parse(&form.current).map_err(wrong("me-password-current"))?;
    web.app.change_password(caller, &current, new, Some(person.session)).await?;
    Ok(done("/me", "me-password-changed"))
}
