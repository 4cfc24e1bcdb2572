//! What the provider is asked behind the browser's back: tokens for a code, and who somebody is.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde::Deserialize;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::{SignOn, SignOnFailure, flow::refused};
use crate::{
    IssuerCall,
    tokens::{Profile, VouchedFor},
};

/// A code, and what shows that it was issued to us.
pub(super) struct CodeExchange<'a> {
    pub(super) code: &'a str,
    pub(super) redirect_uri: &'a str,
    pub(super) verifier: &'a str,
}

/// The provider's tokens.
#[derive(Deserialize)]
pub(super) struct IssuedTokens {
    pub(super) id_token: String,
    access_token: Option<String>,
    /// The address that more is known of the person at.
    #[serde(skip)]
    user_info: Option<String>,
}

/// Why there are no tokens.
#[derive(Deserialize)]
struct TokenError {
    error: String,
}

#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    profile: Profile,
}

impl SignOn {
    pub(super) async fn exchange(
        &self,
        exchange: CodeExchange<'_>,
        now: Timestamp,
    ) -> Result<IssuedTokens, SignOnFailure> {
        let endpoints = self.provider.endpoints(now).await.ok_or(SignOnFailure::Unavailable)?;
        let call = self.token_request(endpoints.token.clone(), &exchange);
        let answer = self.provider.http().call(call).await.map_err(|error| {
            tracing::warn!(%error, "identity provider did not exchange a code");
            SignOnFailure::Unavailable
        })?;
        match answer.status {
            200 => {
                let tokens: IssuedTokens = serde_json::from_slice(&answer.body)
                    .map_err(|_| refused("its tokens are not in the form of OpenID Connect"))?;
                Ok(IssuedTokens { user_info: endpoints.user_info.clone(), ..tokens })
            }
            status @ 500.. => {
                tracing::warn!(status, "identity provider did not exchange a code");
                Err(SignOnFailure::Unavailable)
            }
            status => {
                let error = serde_json::from_slice(&answer.body);
                let error = error.map_or_else(|_| String::new(), |error: TokenError| error.error);
                let error = error.escape_debug();
                Err(refused(&format_args!("code exchange, status {status}, error {error}")))
            }
        }
    }

    fn token_request(&self, url: String, exchange: &CodeExchange<'_>) -> IssuerCall {
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", exchange.code)
            .append_pair("redirect_uri", exchange.redirect_uri)
            .append_pair("code_verifier", exchange.verifier);
        let authorization = self.settings.client_secret.as_ref().map(|secret| {
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(&self.settings.client_id), encoded(secret));
            format!("Basic {}", STANDARD.encode(pair))
        });
        if authorization.is_none() {
            form.append_pair("client_id", &self.settings.client_id);
        }
        IssuerCall { url, authorization, form: Some(form.finish()) }
    }

    /// The person with the address that the ID token may lack: providers may say more at an endpoint
    /// of its own (`OpenID` Connect Core, section 5.4).
    pub(super) async fn describe(&self, person: VouchedFor, tokens: &IssuedTokens) -> VouchedFor {
        let (Some(url), Some(token), None) =
            (&tokens.user_info, &tokens.access_token, &person.email)
        else {
            return person;
        };
        let authorization = Some(format!("Bearer {token}"));
        let call = IssuerCall { url: url.clone(), authorization, form: None };
        let answer = self.provider.http().call(call).await.ok();
        let answer = answer.filter(|answer| answer.status == 200);
        let info: Option<UserInfo> =
            answer.and_then(|answer| serde_json::from_slice(&answer.body).ok());
        // Of somebody else, nothing is taken (section 5.3.2).
        match info.filter(|info| info.sub == person.identity.subject) {
            Some(info) => person.described_by(&info.profile),
            None => person,
        }
    }
}
