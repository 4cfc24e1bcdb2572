//! The HTTP client.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use thiserror::Error;
use tokio::time::timeout;

use crate::OutboundUrl;

/// Why a server can never be called.
#[derive(Debug, Error)]
pub enum ClientError {
    /// Without them no server can be verified.
    #[error("the certificates that this system trusts cannot be read: {0}")]
    Roots(io::Error),
    /// The TLS library refuses its own defaults.
    #[error("TLS cannot be used: {0}")]
    Tls(#[from] rustls::Error),
}

/// Why a call has failed, in the words of its cause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct CallError(String);

/// Calls one server. Redirects are not followed.
pub struct Calls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Calls {
    /// A client for this address that gives up connecting after a while.
    pub fn to(url: &OutboundUrl, connects_within: Duration) -> Result<Self, ClientError> {
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?;
        // Without TLS no certificates are needed, on a system that may have none.
        let tls = if url.is_https() {
            tls.with_native_roots().map_err(ClientError::Roots)?
        } else {
            tls.with_root_certificates(RootCertStore::empty())
        };
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(connects_within));
        connector.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls.with_no_client_auth())
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        // Calls are rare: a pooled connection would usually be dead.
        let client =
            Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        Ok(Self(client))
    }

    /// Makes one call, and reads the answer up to a limit of bytes, all within a limit of time.
    pub async fn fetch(
        &self,
        request: Request<Full<Bytes>>,
        max_bytes: usize,
        within: Duration,
    ) -> Result<Response<Bytes>, CallError> {
        let fetched = async {
            let (parts, body) = self.send(request).await?.into_parts();
            let body = Limited::new(body, max_bytes).collect().await;
            let body = body.map_err(|_| {
                CallError(format!("the answer is longer than {max_bytes} bytes, or broke off"))
            })?;
            Ok(Response::from_parts(parts, body.to_bytes()))
        };
        let late = || Err(CallError(format!("no answer within {} seconds", within.as_secs())));
        timeout(within, fetched).await.unwrap_or_else(|_| late())
    }

    /// Makes one call. Its time limit is the caller's.
    pub async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, CallError> {
        self.0.request(request).await.map_err(|error| {
            // The outer error only says "client error"; the cause is inside.
            CallError(error.source().map_or_else(|| error.to_string(), deepest))
        })
    }
}

fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), deepest)
}
