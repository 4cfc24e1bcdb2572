//! A call to a server that the operator has named.

mod payload;
pub mod signature;
mod url;

use std::{error::Error as _, io, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use larder_app::{Message, Notifier, SendError};
use larder_domain::Channel;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use thiserror::Error;
use tokio::time::timeout;

use self::payload::{EVENT, Payload};
pub use self::url::WebhookUrl;
use crate::excerpt;

/// Time limit of a call, from connecting to the status of the answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// Time limit for connecting, which leaves time for a receiver's second address.
const CONNECTS_WITHIN: Duration = Duration::from_secs(4);

/// Why the webhook can never be called.
#[derive(Debug, Error)]
pub enum WebhookError {
    /// Without them no server can be verified.
    #[error("the certificates that this system trusts cannot be read: {0}")]
    Roots(io::Error),
    /// The TLS library refuses its own defaults.
    #[error("TLS cannot be used: {0}")]
    Tls(#[from] rustls::Error),
}

/// Sends each notification as a signed JSON `POST`. Redirects are not followed, and the body of an
/// answer is not read: its status suffices.
pub struct Webhook {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: WebhookUrl,
    secret: Vec<u8>,
}

impl Webhook {
    /// A sender to this address that signs with this secret.
    pub fn new(url: WebhookUrl, secret: Vec<u8>) -> Result<Self, WebhookError> {
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?;
        // Without TLS no certificates are needed, on a system that may have none.
        let tls = if url.is_https() {
            tls.with_native_roots().map_err(WebhookError::Roots)?
        } else {
            tls.with_root_certificates(RootCertStore::empty())
        };
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECTS_WITHIN));
        connector.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls.with_no_client_auth())
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        // Calls are rare: a pooled connection would usually be dead.
        let client =
            Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        Ok(Self { client, url, secret })
    }

    fn request(&self, message: &Message) -> Result<Request<Full<Bytes>>, SendError> {
        let defect = |error: &dyn std::error::Error| {
            SendError::Permanent(format!("the call cannot be put together: {error}"))
        };
        let body = serde_json::to_vec(&Payload::of(message)).map_err(|error| defect(&error))?;
        let signature = signature::sign(&self.secret, message.sent_at.as_second(), &body);
        Request::post(self.url.uri())
            .header("content-type", "application/json")
            .header("user-agent", concat!("larder/", env!("CARGO_PKG_VERSION")))
            .header("larder-event", EVENT)
            .header("larder-delivery", &message.delivery_id)
            .header(signature::HEADER, signature)
            .body(Full::new(body.into()))
            .map_err(|error| defect(&error))
    }
}

#[async_trait]
impl Notifier for Webhook {
    fn channel(&self) -> Channel {
        Channel::Webhook
    }

    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let call = self.client.request(self.request(message)?);
        match timeout(ANSWERS_WITHIN, call).await {
            Ok(Ok(answer)) => judge(answer.status().as_u16()),
            Ok(Err(error)) => {
                // The outer error only says "client error"; the cause is inside.
                let inner = error.source().map_or_else(|| error.to_string(), deepest);
                Err(SendError::Temporary(format!("the call failed: {}", excerpt(&inner))))
            }
            Err(_) => {
                let seconds = ANSWERS_WITHIN.as_secs();
                Err(SendError::Temporary(format!("no answer within {seconds} seconds")))
            }
        }
    }
}

/// The meaning of a status: delivered, retry later, or failed for good.
fn judge(status: u16) -> Result<(), SendError> {
    let sentence = format!("the receiver answered {status}");
    match status {
        200..=299 => Ok(()),
        // Request Timeout, Too Early, Too Many Requests: temporary.
        408 | 425 | 429 | 500..=599 => Err(SendError::Temporary(sentence)),
        _ => Err(SendError::Permanent(sentence)),
    }
}

fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), deepest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whether_to_come_back() {
        for taken in [200, 201, 202, 204, 299] {
            assert_eq!(judge(taken), Ok(()));
        }
        for later in [408, 425, 429, 500, 502, 503, 504, 599] {
            let sentence = format!("the receiver answered {later}");
            assert_eq!(judge(later), Err(SendError::Temporary(sentence)));
        }
        for never in [301, 302, 307, 308, 400, 401, 403, 404, 410, 413] {
            let sentence = format!("the receiver answered {never}");
            assert_eq!(judge(never), Err(SendError::Permanent(sentence)));
        }
    }
}
