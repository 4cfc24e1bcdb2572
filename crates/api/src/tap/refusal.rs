//! What stood in the way of a tap, as a page for people or as JSON for the script, in the reader's language.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::Problem;

use crate::problems::ApiError;

use super::{
    language::Language,
    view,
    words::{Notice, Words},
};

/// A problem, and to whom it is told.
pub(super) struct Refusal {
    pub(super) problem: Problem,
    pub(super) language: Language,
    /// Whether a person reads it, and not a script.
    pub(super) is_page: bool,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { problem, language, is_page } = self;
        let words = Words::of(language);
        if is_page {
            let mut page = view::notice(problem.status(), language, notice_of(words, &problem));
            if let Some(seconds) = problem.retry_after_seconds() {
                page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            return page;
        }
        match problem.code() {
            "TAG_NOT_FOUND" | "TAG_ROTATED" | "ITEM_DELETED" | "QUANTITY_OVERFLOW" => {
                let text = notice_of(words, &problem).text;
                let told = problem.detail(text);
                ([(header::VARY, "Accept-Language")], told).into_response()
            }
            // What only a faulty client meets names its fault, in the words of every other problem.
            _ => problem.into_response(),
        }
    }
}

fn notice_of<'a>(words: &'a Words, problem: &Problem) -> &'a Notice {
    match problem.code() {
        "TAG_NOT_FOUND" => &words.unknown,
        "TAG_ROTATED" => &words.rotated,
        "ITEM_DELETED" => &words.item_deleted,
        "QUANTITY_OVERFLOW" => &words.overflow,
        "RATE_LIMITED" => &words.rate_limited,
        _ if problem.status().is_server_error() => &words.failed,
        _ => &words.invalid,
    }
}

/// The problem of a tap. Whoever holds a tag is shown the item's name and quantity, and nothing else of it.
pub(super) fn problem_of_tap(error: AppError) -> Problem {
    match error {
        AppError::QuantityOverflow(_) => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "QUANTITY_OVERFLOW",
            "That is more than an item can hold",
        ),
        other => ApiError::from(other).into(),
    }
}
