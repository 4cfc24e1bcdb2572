//! The HTTP client of a simulated device.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{Client as HttpClient, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::time::timeout;

use crate::device::{Readings, Registration};

const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// More than any answer has.
const MOST_OF_AN_ANSWER: usize = 256 * 1024;

/// The key that devices use. Does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as the server gave it.
    pub const fn new(key: String) -> Self {
        Self(key)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(secret)")
    }
}

/// Why a client cannot be created.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address is invalid.
    #[error("{0} is not the address of a server: give one such as http://127.0.0.1:7070")]
    Address(String),
    /// The API key is invalid.
    #[error("invalid API key: it must have 64 hexadecimal digits")]
    Key,
    /// TLS is unavailable.
    #[error("TLS cannot be used: {0}")]
    Tls(String),
}

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// May be retried: no answer, too many requests, or an unavailable server.
    Transient(String),
    /// Not retryable.
    Permanent(String),
}

/// The states of sent readings.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) acknowledged_batch_ids: Vec<String>,
    pub(crate) duplicate_batch_ids: Vec<String>,
}

/// The fields of an error document.
#[derive(Debug, Default, Deserialize)]
struct Problem {
    #[serde(default)]
    code: String,
    #[serde(default)]
    detail: String,
}

/// A client of one server.
pub(crate) struct Client {
    http: HttpClient<HttpsConnector<HttpConnector>, Full<Bytes>>,
    register: Uri,
    data: Uri,
    key: HeaderValue,
}

impl Client {
    pub(crate) fn new(url: &str, key: &ApiKey) -> Result<Self, ClientError> {
        let wrong = || ClientError::Address(url.to_owned());
        let base = url.trim_end_matches('/');
        let uri = |path: &str| format!("{base}{path}").parse::<Uri>().map_err(|_| wrong());
        let (register, data) = (uri("/device/register")?, uri("/device/data")?);
        let is_https = match data.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(wrong()),
        };
        let mut header = HeaderValue::from_str(&key.0).map_err(|_| ClientError::Key)?;
        header.set_sensitive(true);
        let http = HttpClient::builder(TokioExecutor::new()).build(connector(is_https)?);
        Ok(Self { http, register, data, key: header })
    }

    pub(crate) async fn register(&self, registration: &Registration<'_>) -> Result<(), Failure> {
        self.post(&self.register, registration).await.map(|_| ())
    }

    pub(crate) async fn send(&self, readings: &Readings<'_>) -> Result<Answer, Failure> {
        let body = self.post(&self.data, readings).await?;
        serde_json::from_slice(&body)
            .map_err(|error| Failure::Permanent(format!("the answer cannot be read: {error}")))
    }

    async fn post(&self, uri: &Uri, body: &impl Serialize) -> Result<Bytes, Failure> {
        let defect = |error: &dyn fmt::Display| Failure::Permanent(error.to_string());
        let body = serde_json::to_vec(body).map_err(|error| defect(&error))?;
        let request = Request::post(uri.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-api-key", self.key.clone())
            .body(Full::from(body))
            .map_err(|error| defect(&error))?;
        let exchange = async {
            let answer = self.http.request(request).await.map_err(|error| error.to_string())?;
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, MOST_OF_AN_ANSWER).collect().await;
            Ok::<_, String>((head.status, body.map_err(|error| error.to_string())?.to_bytes()))
        };
        match timeout(ANSWERS_WITHIN, exchange).await {
            Ok(Ok((StatusCode::OK, body))) => Ok(body),
            Ok(Ok((status, body))) => Err(refusal(status, &body)),
            Ok(Err(reason)) => Err(Failure::Transient(reason)),
            Err(_) => Err(Failure::Transient("no answer within 10 seconds".into())),
        }
    }
}

fn refusal(status: StatusCode, body: &[u8]) -> Failure {
    let Problem { code, detail } = serde_json::from_slice(body).unwrap_or_default();
    let reason = format!("{} {code} {detail}", status.as_u16());
    let is_transient = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    if is_transient { Failure::Transient(reason) } else { Failure::Permanent(reason) }
}

fn connector(is_https: bool) -> Result<HttpsConnector<HttpConnector>, ClientError> {
    let tls = |error: &dyn fmt::Display| ClientError::Tls(error.to_string());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error))?;
    // Plain HTTP needs no certificates, which the system may not have.
    let config = if is_https {
        config.with_native_roots().map_err(|error| tls(&error))?
    } else {
        config.with_root_certificates(RootCertStore::empty())
    };
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    Ok(HttpsConnectorBuilder::new()
        .with_tls_config(config.with_no_client_auth())
        .https_or_http()
        .enable_http1()
        .wrap_connector(http))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_and_what_is_no_key_is_named() {
        let key = ApiKey::new("k".into());
        for url in ["", "larder.example", "ftp://larder.example", "http://"] {
            assert!(matches!(Client::new(url, &key), Err(ClientError::Address(_))), "{url}");
        }
        let broken = ApiKey::new("a\nb".into());
        assert!(matches!(Client::new("http://127.0.0.1", &broken), Err(ClientError::Key)));
        assert_eq!(format!("{key:?}"), "ApiKey(secret)");
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let problem = br#"{"code":"DEVICE_NOT_ALLOWED","detail":"no"}"#;
        match refusal(StatusCode::FORBIDDEN, problem) {
            Failure::Permanent(reason) => assert_eq!(reason, "403 DEVICE_NOT_ALLOWED no"),
            Failure::Transient(reason) => panic!("{reason}"),
        }
        for status in [StatusCode::SERVICE_UNAVAILABLE, StatusCode::TOO_MANY_REQUESTS] {
            assert!(matches!(refusal(status, b""), Failure::Transient(_)));
        }
    }
}
