//! Errors of taps, as a page for people or as JSON for the script, in the reader's language.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use larder_app::{AppError, ErrorKind};
use larder_http::{Problem, RateLimited, status_of};

use super::view::{self, Notice, VARY};
use crate::Words;

pub(super) enum TapError {
    App(AppError),
    RateLimited(RateLimited),
    /// A request that the page does not send.
    Malformed(Problem),
}

impl From<AppError> for TapError {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<RateLimited> for TapError {
    fn from(limited: RateLimited) -> Self {
        Self::RateLimited(limited)
    }
}

impl From<Problem> for TapError {
    fn from(problem: Problem) -> Self {
        Self::Malformed(problem)
    }
}

impl TapError {
    /// Whether there was such a tag, but it does not work any more.
    pub(super) const fn is_gone(&self) -> bool {
        matches!(self, Self::App(AppError::TagRotated | AppError::TagItemDeleted))
    }

    /// For a person. `link` leads into the app.
    pub(super) fn into_page(self, words: &'static Words, link: Option<String>) -> Response {
        let notice = self.notice();
        let problem = self.into_problem();
        let mut page = view::notice(problem.status(), words, notice, link);
        if let Some(seconds) = problem.retry_after_seconds() {
            page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        page
    }

    /// For the script. Errors that only a faulty client causes are worded like all other problems.
    pub(super) fn into_json(self, words: &'static Words) -> Response {
        let is_for_people = matches!(&self, Self::App(error) if has_code(error));
        let notice = self.notice();
        let problem = self.into_problem();
        if !is_for_people {
            return problem.into_response();
        }
        let problem = problem.detail(words.get(notice.text).into_owned());
        ([(header::VARY, VARY)], problem).into_response()
    }

    const fn notice(&self) -> Notice {
        match self {
            Self::RateLimited(_) => view::RATE_LIMITED,
            Self::Malformed(_) => view::INVALID,
            Self::App(AppError::TagRotated) => view::ROTATED,
            Self::App(error) => match error.kind() {
                ErrorKind::NotFound => view::UNKNOWN,
                ErrorKind::Gone => view::ITEM_DELETED,
                ErrorKind::Unprocessable => view::OVERFLOW,
                ErrorKind::Unavailable | ErrorKind::Defect => view::FAILED,
                ErrorKind::Unauthenticated
                | ErrorKind::Forbidden
                | ErrorKind::Conflict
                | ErrorKind::Invalid
                | ErrorKind::TooLarge => view::INVALID,
            },
        }
    }

    fn into_problem(self) -> Problem {
        match self {
            Self::App(error) => problem_of(&error),
            Self::RateLimited(limited) => limited.into(),
            Self::Malformed(problem) => problem,
        }
    }
}

/// Whether the error has its own code for taps.
const fn has_code(error: &AppError) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Gone | ErrorKind::Unprocessable)
}

/// A tag reveals only the item's name and quantity.
fn problem_of(error: &AppError) -> Problem {
    let kind = error.kind();
    let problem = |code, title| Problem::new(status_of(kind), code, title);
    match error {
        AppError::TagNotFound => problem("TAG_NOT_FOUND", "No such tag"),
        AppError::TagRotated => problem("TAG_ROTATED", "This tag was replaced"),
        AppError::TagItemDeleted => problem("ITEM_DELETED", "The item of this tag was deleted"),
        AppError::QuantityOverflow(_) => {
            problem("QUANTITY_OVERFLOW", "That is more than an item can hold")
        }
        AppError::Storage(cause) => Problem::of_kind(kind, cause),
        other => Problem::of_kind(kind, other),
    }
}
