//! JSON answers.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::Problem;

const CONTENT_TYPE: HeaderValue = HeaderValue::from_static("application/json");

/// A value as a JSON answer.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
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
        let response = Json([1, 2]).into_response();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        assert_eq!(bytes(response).await, "[1,2]");
    }

    #[tokio::test]
    async fn a_value_that_is_no_json_is_a_500() {
        let response = Json(HashMap::from([((1, 2), 3)])).into_response();
        assert_eq!(response.status().as_u16(), 500);
    }
}
