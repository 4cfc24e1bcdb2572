//! The logged-in user: name and password, language, appearance, sessions, tokens for programs,
//! export.

mod account;
mod choices;
mod confirmation;
mod delete;
mod export;
mod identity;
mod overview;
mod sessions;
mod tokens;

use axum::{
    Router,
    response::Redirect,
    routing::{get, post},
};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/me", get(overview::page))
        .route("/me/name", post(account::rename))
        .route("/me/zone", post(account::change_zone))
        .route("/me/password", post(account::change_password))
        .route("/me/confirm-email", post(confirmation::ask))
        .route("/confirm-email/{token}", get(confirmation::page).post(confirmation::confirm))
        .route("/me/delete", get(delete::page).post(delete::delete))
        .route("/me/delete/sign-on", get(delete::sign_on))
        .route("/me/identity/connect", get(identity::begin).post(identity::connect))
        .route("/me/identity/confirm", get(identity::confirmation))
        .route("/me/identity/disconnect", post(identity::disconnect))
        .route("/me/deletions/{id}", get(delete::progress))
        .route("/me/choices", post(choices::choose))
        .route("/me/sessions", get(sessions::page))
        .route("/me/sessions/end-others", post(sessions::end_others))
        .route("/me/sessions/{session}/end", post(sessions::end))
        .route("/me/tokens", post(tokens::make))
        .route("/me/tokens/{id}/revoke", post(tokens::revoke))
        .route("/me/export.jsonl", get(export::export))
        // Its address while it was one JSON object.
        .route("/me/export.json", get(async || Redirect::permanent("/me/export.jsonl")))
        .route("/me/readings/{device}", get(export::readings))
}
