//! `GET /login/provider` sends a browser to the identity provider; `GET /login/callback` is where it
//! comes back to.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use larder_app::{BegunSignOn, ProviderAnswer, SignOnFailure, SignOnPurpose, SignedOn};
use larder_http::{ClientAddress, LinkBase};
use serde::Deserialize;

use super::{
    label::label,
    login::{LoginPage, logged_in},
};
use crate::{
    Failure, Query, Visit, Web, WebState, back_or, done, render_with, see_other, visit::identify,
};

#[derive(Deserialize)]
pub(super) struct StartQuery {
    #[serde(default)]
    next: String,
}

pub(super) async fn start(
    web: WebState,
    visit: Visit,
    base: LinkBase,
    Query(query): Query<StartQuery>,
) -> Result<Response, Failure> {
    let next = back_or(Some(&query.next), "/");
    match to_provider(&web, SignOnPurpose::LogIn, &base, next).await {
        Ok(response) => Ok(response),
        Err(failure) => login_page(&web, &visit, failure).await,
    }
}

/// Sends the browser to the provider.
pub(crate) async fn to_provider(
    web: &Web,
    purpose: SignOnPurpose,
    base: &LinkBase,
    next: &str,
) -> Result<Response, SignOnFailure> {
    let redirect_uri = format!("{}/login/callback", base.as_str());
    let begun = web.app.begin_sign_on(purpose, redirect_uri, next).await?;
    let BegunSignOn { address, cookie, expires_at } = begun;
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, web.cookies.set_sign_on(&cookie, expires_at));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

pub(super) async fn callback(
    web: WebState,
    visit: Visit,
    address: ClientAddress,
    headers: HeaderMap,
    Query(answer): Query<ProviderAnswer>,
) -> Result<Response, Failure> {
    if let Some(limits) = &web.account_limits {
        limits.check_sign_on(address)?;
    }
    let browser = identify(&web, &headers).await?;
    let cookie = web.cookies.sign_on(&headers).unwrap_or_default();
    let signed_on = web.app.finish_sign_on(cookie, answer, browser.as_ref(), label(&headers)).await;
    let kept = match &signed_on {
        Ok(SignedOn::ToConnect(proof) | SignedOn::Proved(proof)) => {
            web.cookies.set_sign_on(&proof.cookie, proof.expires_at)
        }
        _ => web.cookies.clear_sign_on(),
    };
    // What is asked next has an address of its own, because an answer of the provider counts once.
    let mut response = match signed_on {
        Ok(SignedOn::LoggedIn { login, next }) => {
            logged_in(&web, &login, see_other(back_or(Some(&next), "/")))
        }
        Ok(SignedOn::Connected) => done("/me", "identity-connected"),
        Ok(SignedOn::ToConnect(_)) => see_other("/me/identity/confirm"),
        Ok(SignedOn::Proved(_)) => see_other("/me/delete"),
        Err(SignOnFailure::App(error)) => return Err(error.into()),
        Err(failure) if browser.is_some() => done("/me", notice_of(&failure)),
        Err(failure) => login_page(&web, &visit, failure).await?,
    };
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, kept);
    // The address has a code in it.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// The login page with what went wrong.
async fn login_page(web: &Web, visit: &Visit, failure: SignOnFailure) -> Result<Response, Failure> {
    let status = match &failure {
        SignOnFailure::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        SignOnFailure::AddressTaken(_) => StatusCode::CONFLICT,
        SignOnFailure::Outdated => StatusCode::BAD_REQUEST,
        _ => StatusCode::FORBIDDEN,
    };
    let mut page = LoginPage::new(web, visit).await?;
    match failure {
        SignOnFailure::App(error) => return Err(error.into()),
        SignOnFailure::AddressTaken(Some(email)) => {
            let said = visit.words.with("sign-on-address", &[("email", email.as_str().into())]);
            page.failure = Some(said);
            email.as_str().clone_into(&mut page.email);
            // Where they connect it.
            "/me".clone_into(&mut page.next);
        }
        other => page.failure = Some(visit.words.get(message_of(&other)).into_owned()),
    }
    Ok(visit.greet(web, render_with(status, &page)))
}

/// The key of what went wrong, as a message.
fn message_of(failure: &SignOnFailure) -> &'static str {
    match failure {
        SignOnFailure::Unavailable => "notice-sign-on-unavailable",
        SignOnFailure::Denied => "notice-sign-on-denied",
        SignOnFailure::Outdated => "notice-sign-on-outdated",
        SignOnFailure::NoAddress => "notice-sign-on-no-address",
        SignOnFailure::AddressTaken(_) => "notice-sign-on-address-taken",
        SignOnFailure::IdentityTaken => "notice-sign-on-taken",
        SignOnFailure::HasAnother => "notice-sign-on-has-another",
        SignOnFailure::Refused | SignOnFailure::App(_) => "notice-sign-on-refused",
    }
}

/// The same as a notice on another page.
pub(crate) fn notice_of(failure: &SignOnFailure) -> &'static str {
    message_of(failure).trim_start_matches("notice-")
}
