//! The first run: account, household and invitations.

mod home;
mod join;
mod label;
mod login;
mod ready;
mod register;
mod reset;
mod sign_on;
mod start;

use axum::{
    Router,
    routing::{get, post},
};

pub(crate) use join::invitation_path;
pub(crate) use login::log_out_here;
pub(crate) use sign_on::{notice_of, to_provider};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/", get(home::home))
        .route("/login", get(login::page).post(login::log_in))
        .route("/login/provider", get(sign_on::start))
        .route("/login/callback", get(sign_on::callback))
        .route("/logout", post(login::log_out))
        .route("/forgot", get(reset::ask_page).post(reset::ask))
        .route("/reset/{token}", get(reset::page).post(reset::choose))
        .route("/register", get(register::page).post(register::register))
        .route("/welcome", get(start::page))
        .route("/welcome/household", post(start::found))
        .route("/welcome/alone", post(start::begin_alone))
        .route("/welcome/ready", get(ready::page))
        .route("/join", post(join::accept))
        .route("/join/{code}", get(join::page))
}
