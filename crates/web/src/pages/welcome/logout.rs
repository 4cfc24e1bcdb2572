//! `POST /logout`.

use axum::{
    extract::State,
    http::{
        HeaderMap, HeaderValue,
        header::{self, HeaderName},
    },
    response::Response,
};

use crate::{failure::Failure, form::see_other, state::WebState};

/// Makes the browser delete its offline data.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

pub(super) async fn log_out(
    State(web): State<WebState>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if let Some(cookie) = web.cookies.session(&headers) {
        web.app.log_out_browser(cookie).await?;
    }
    let mut response = see_other("/login");
    response.headers_mut().append(header::SET_COOKIE, web.cookies.clear_session());
    response
        .headers_mut()
        .insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\", \"storage\""));
    Ok(response)
}
