//! The household: its members, places and notifications.

mod delete;
mod demo;
mod invitation;
mod members;
mod notifications;
mod overview;
mod places;
mod zones;

use axum::{
    Router,
    routing::{get, post},
};

pub(crate) use invitation::Invitation;
pub(crate) use zones::{ZoneRegion, zone_regions};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/household", get(overview::page).post(overview::change))
        .route("/household/invite-code", post(overview::replace_invite_code))
        .route("/household/delete", get(delete::page).post(delete::delete))
        .route("/household/leave", post(members::leave))
        .route("/household/members/{user}/role", post(members::change_role))
        .route("/household/members/{user}/remove", post(members::remove))
        .route("/household/places", get(places::page))
        .route("/household/locations", post(places::add_location))
        .route("/household/locations/{location}", post(places::rename_location))
        .route("/household/locations/{location}/delete", post(places::delete_location))
        .route("/household/stores", post(places::add_store))
        .route("/household/stores/{store}", post(places::change_store))
        .route("/household/stores/{store}/shift", post(places::shift_store))
        .route("/household/stores/{store}/delete", post(places::delete_store))
        .route("/notifications", get(notifications::page))
        .route("/notifications/acknowledge", post(notifications::acknowledge_all))
        .route("/notifications/{notification}/acknowledge", post(notifications::acknowledge))
        .route("/demo", post(demo::add))
        .route("/demo/remove", post(demo::remove))
}
