//! State shared by the handlers of a router.

use std::{convert::Infallible, ops::Deref, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};

/// The state of a router. Handlers take it as a parameter.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Shares the state.
    pub fn new(state: T) -> Self {
        Self(Arc::new(state))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + Sync> FromRequestParts<Self> for Shared<T> {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, state: &Self) -> Result<Self, Infallible> {
        Ok(state.clone())
    }
}
