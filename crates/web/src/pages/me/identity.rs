//! `/me/identity`: connecting the account with one at the identity provider, and disconnecting it.

use askama::Template;
use axum::{
    http::{HeaderMap, header},
    response::Response,
};
use larder_app::{SignOnFailure, SignOnPurpose};
use larder_http::LinkBase;

use crate::{
    Failure, Frame, Person, Section, Web, WebState, done,
    pages::welcome::{notice_of, to_provider},
    render,
};

/// The connection, as the account page shows it.
pub(super) struct IdentityCard {
    /// What people call the provider, or the issuer if it is another one.
    pub(super) name: String,
    pub(super) is_connected: bool,
    /// Whether there is another way to log in.
    pub(super) can_disconnect: bool,
}

impl IdentityCard {
    /// `None` if there is no provider, and never was one.
    pub(super) async fn of(web: &Web, person: &Person) -> Result<Option<Self>, Failure> {
        let caller = &person.caller;
        let provider = web.app.identity_provider().map(|provider| provider.name.to_owned());
        let issuer = web.app.identity_issuer(caller).await?;
        let is_of_provider = issuer.is_none() || web.app.can_prove_by_sign_on(caller).await?;
        let is_connected = issuer.is_some();
        let Some(name) = provider.filter(|_| is_of_provider).or(issuer) else { return Ok(None) };
        let can_disconnect = is_connected && web.app.has_password(caller).await?;
        Ok(Some(Self { name, is_connected, can_disconnect }))
    }
}

pub(super) async fn begin(
    web: WebState,
    person: Result<Person, Failure>,
    base: LinkBase,
) -> Result<Response, Failure> {
    let person = logged_in(person)?;
    let purpose = SignOnPurpose::Connect(person.session);
    begun(to_provider(&web, purpose, &base, "/me").await)
}

/// Somebody who is not logged in comes back to the account page: the login is a form, and the policy
/// of its page lets no form lead to the provider.
pub(super) fn logged_in(person: Result<Person, Failure>) -> Result<Person, Failure> {
    person.map_err(|failure| match failure {
        Failure::Elsewhere(_) => Failure::Elsewhere("/login?next=%2Fme".to_owned()),
        other => other,
    })
}

/// The way to the provider, or back to the account page with the reason.
pub(super) fn begun(begun: Result<Response, SignOnFailure>) -> Result<Response, Failure> {
    match begun {
        Ok(response) => Ok(response),
        Err(SignOnFailure::App(error)) => Err(error.into()),
        Err(failure) => Ok(done("/me", notice_of(&failure))),
    }
}

#[derive(Template)]
#[template(path = "me/connect.html")]
struct ConnectPage<'a> {
    frame: Frame,
    name: &'a str,
    email: &'a str,
    who: &'a str,
}

impl ConnectPage<'_> {
    fn who_it_is(&self) -> String {
        self.frame.t2("identity-confirm-who", ("name", self.name), ("who", self.who))
    }
}

/// Asks whether the account is to be connected with that of somebody who has just logged in at the
/// provider.
pub(super) async fn confirmation(
    web: WebState,
    person: Person,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let proof = web.cookies.sign_on(&headers).unwrap_or_default();
    let who = web.app.offered_identity(person.session, proof);
    let (Some(who), Some(provider)) = (who, web.app.identity_provider()) else {
        return Ok(done("/me", "sign-on-outdated"));
    };
    let email = person.caller.user().email.as_str();
    let frame = person.frame(Section::Me);
    Ok(render(&ConnectPage { frame, name: provider.name, email, who: &who }))
}

pub(super) async fn connect(
    web: WebState,
    person: Person,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let proof = web.cookies.sign_on(&headers).unwrap_or_default();
    let connected = web.app.connect_identity(&person.caller, person.session, proof).await;
    let mut response = match connected {
        Ok(()) => done("/me", "identity-connected"),
        Err(SignOnFailure::App(error)) => return Err(error.into()),
        Err(failure) => done("/me", notice_of(&failure)),
    };
    response.headers_mut().append(header::SET_COOKIE, web.cookies.clear_sign_on());
    Ok(response)
}

pub(super) async fn disconnect(web: WebState, person: Person) -> Result<Response, Failure> {
    let is_disconnected = web.app.disconnect_identity(&person.caller).await?;
    let notice = if is_disconnected { "identity-disconnected" } else { "identity-needed" };
    Ok(done("/me", notice))
}
