//! The port for calls to the identity provider.

use std::fmt;

use async_trait::async_trait;
use thiserror::Error;

/// A call to the identity provider.
#[derive(Clone)]
pub struct IssuerCall {
    /// An https URL, or an http URL of this machine.
    pub url: String,
    /// The value of the header.
    pub authorization: Option<String>,
    /// The form that is posted; `None` gets the URL.
    pub form: Option<String>,
}

/// Codes and secrets stay out of logs.
impl fmt::Debug for IssuerCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuerCall").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Its answer.
#[derive(Clone)]
pub struct IssuerAnswer {
    /// The status.
    pub status: u16,
    /// The whole body.
    pub body: Vec<u8>,
}

/// Tokens stay out of logs.
impl fmt::Debug for IssuerAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuerAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Why there is no answer, in the words of its cause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct IssuerCallError(pub String);

/// Calls the identity provider. Calls have a time limit and answers a size limit, and redirects are
/// not followed.
#[async_trait]
pub trait IssuerHttp: Send + Sync + 'static {
    /// Makes one call.
    async fn call(&self, call: IssuerCall) -> Result<IssuerAnswer, IssuerCallError>;
}
