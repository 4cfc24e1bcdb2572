//! The configured identity provider.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Bytes;
use axum::http::{Request, header};
use larder_app::{
    App, AppSettings, ExternalIssuer, IssuerAnswer, IssuerCall, IssuerCallError, IssuerHttp,
    IssuerKeySource, SignOnSettings,
};
use larder_outbound::{Calls, ClientError, OutboundUrl, USER_AGENT};

use crate::config::{OidcClient, OidcKeys, OidcSettings};
use crate::secrets::{self, SecretError};

/// Time limit of a call: a person waits for it.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// The largest answer: far above key sets and tokens that list groups.
const MAX_ANSWER_BYTES: usize = 256 << 10;
/// How often is fetched what the provider publishes: well before it counts as too old.
const REFRESHED_EVERY: Duration = Duration::from_mins(30);
/// How often it is tried while the provider does not answer.
const RETRIED_EVERY: Duration = Duration::from_secs(30);

/// Why nobody can log in with the provider.
#[derive(Debug, thiserror::Error)]
pub enum IdentityProviderError {
    /// The file with the client secret is exposed or unreadable.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The client secret is not text.
    #[error("the secret file oidc-client-secret must be UTF-8 text, but it is not")]
    NotText,
    /// The provider cannot be called.
    #[error("the setting oidc_issuer cannot be served: {0}")]
    Client(#[from] ClientError),
}

/// Adds the provider of the settings, with its secret from `data_directory`.
pub(crate) fn configure(
    app: &mut AppSettings,
    settings: Option<&OidcSettings>,
    data_directory: &Path,
) -> Result<(), IdentityProviderError> {
    let Some(OidcSettings { issuer, audience, keys, client }) = settings else { return Ok(()) };
    let keys = match keys {
        OidcKeys::File(path) => IssuerKeySource::File(path.clone()),
        OidcKeys::Discovery(url) => IssuerKeySource::Discovery(Arc::new(Provider::at(url)?)),
    };
    let audience = audience.clone();
    app.external_issuer = Some(ExternalIssuer { issuer: issuer.clone(), audience, keys });
    if let Some(OidcClient { id, secret, name }) = client {
        let secret = match secret {
            Some(secret) => Some(secret.clone()),
            None => secrets::find_oidc_client_secret(data_directory)?,
        };
        let text = |secret: secrets::Secret| String::from_utf8(secret.expose().to_vec());
        let client_secret = secret.map(text).transpose();
        app.sign_on = Some(SignOnSettings {
            client_id: id.clone(),
            client_secret: client_secret.map_err(|_| IdentityProviderError::NotText)?,
            name: name.clone(),
        });
    }
    Ok(())
}

/// Keeps what the provider publishes up to date. Ends at once if nothing is fetched.
pub(crate) async fn keep_fresh(app: &App) {
    while let Some(is_reachable) = app.refresh_identity_provider().await {
        let pause = if is_reachable { REFRESHED_EVERY } else { RETRIED_EVERY };
        tokio::time::sleep(pause).await;
    }
}

/// The provider over the network.
struct Provider(Calls);

impl Provider {
    fn at(issuer: &OutboundUrl) -> Result<Self, ClientError> {
        Calls::to(issuer, ANSWERS_WITHIN).map(Self)
    }
}

#[async_trait]
impl IssuerHttp for Provider {
    async fn call(&self, call: IssuerCall) -> Result<IssuerAnswer, IssuerCallError> {
        let IssuerCall { url, authorization, form } = call;
        let request = match &form {
            Some(_) => Request::post(&url)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded"),
            None => Request::get(&url),
        };
        let mut request = request
            .header(header::ACCEPT, "application/json")
            .header(header::USER_AGENT, USER_AGENT);
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let body = Bytes::from(form.unwrap_or_default()).into();
        let failed = |error: &dyn std::fmt::Display| IssuerCallError(error.to_string());
        let request = request.body(body).map_err(|error| failed(&error))?;
        let answer = self.0.fetch(request, MAX_ANSWER_BYTES, ANSWERS_WITHIN).await;
        let answer = answer.map_err(|error| failed(&error))?;
        let status = answer.status().as_u16();
        Ok(IssuerAnswer { status, body: answer.into_body().to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// What a provider gets that answers every call with these bytes, and what Larder makes of it.
    async fn called(answer: Vec<u8>) -> (String, Result<IssuerAnswer, IssuerCallError>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answering = tokio::spawn(async move {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"code=a%26b") {
                assert_ne!(connection.read_buf(&mut request).await.unwrap(), 0);
            }
            // Larder may have read enough before the end.
            let _ = connection.write_all(&answer).await;
            String::from_utf8(request).unwrap()
        });
        let provider = Provider::at(&OutboundUrl::parse(&url).unwrap()).unwrap();
        let call = IssuerCall {
            url: format!("{url}/token"),
            authorization: Some("Basic eDp5".to_owned()),
            form: Some("code=a%26b".to_owned()),
        };
        let answer = provider.call(call).await;
        (answering.await.unwrap(), answer)
    }

    #[tokio::test]
    async fn a_form_is_posted_and_a_redirect_not_followed() {
        let redirect = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\n\
            content-length: 2\r\n\r\n{}";
        let (request, answer) = called(redirect.into()).await;
        assert!(request.starts_with("POST /token HTTP/1.1\r\n"), "{request}");
        for header in [
            "authorization: Basic eDp5",
            "content-type: application/x-www-form-urlencoded",
            "accept: application/json",
        ] {
            assert!(request.contains(&format!("\r\n{header}\r\n")), "{request}");
        }
        let answer = answer.unwrap();
        assert_eq!((answer.status, &*answer.body), (307, &b"{}"[..]));
    }

    #[tokio::test]
    async fn an_answer_has_a_limit() {
        let answer = |length| {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
            [head.into_bytes(), vec![b' '; length]].concat()
        };
        let (_, largest) = called(answer(MAX_ANSWER_BYTES)).await;
        assert_eq!(largest.unwrap().body.len(), MAX_ANSWER_BYTES);
        let (_, larger) = called(answer(MAX_ANSWER_BYTES + 1)).await;
        let error = larger.unwrap_err().to_string();
        assert_eq!(error, "the answer is longer than 262144 bytes, or broke off");
    }
}
