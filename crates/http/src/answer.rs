//! JSON answers.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::Problem;

const CONTENT_TYPE: HeaderValue = HeaderValue::from_static("application/json");

/// A value as a JSON answer. It is serialized at once, so that a handler can answer with a value that
/// borrows from what the handler has read.
#[derive(Debug)]
pub struct Json(serde_json::Result<Vec<u8>>);

impl Json {
    /// The answer with this value.
    pub fn of(value: &impl Serialize) -> Self {
        Self(serde_json::to_vec(value))
    }
}

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(body) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], body).into_response(),
            Err(error) => Problem::internal(&error).into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::testing::bytes;

    #[tokio::test]
    async fn a_value_is_answered_as_json() {
        let response = Json::of(&[1, 2]).into_response();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        assert_eq!(bytes(response).await, "[1,2]");
    }

    #[tokio::test]
    async fn a_value_that_is_no_json_is_a_500() {
        let response = Json::of(&HashMap::from([((1, 2), 3)])).into_response();
        assert_eq!(response.status().as_u16(), 500);
    }
}
