//! An issuer for tests, with fixed keys that are used only here.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use serde_json::{Value, json};

use crate::{IssuerAnswer, IssuerCall, IssuerCallError, IssuerHttp};

/// A 2048-bit RSA key, PKCS#1 DER.
const RSA_PKCS1: &str = "\
    MIIEpAIBAAKCAQEAyfO7aus1bDJSU3b1ERhZUFt5EObzDM7mAhH5TGK48hL3/z32IfPMo3azN3yntXZ2j34an7S/fpF4\
    gRbtKug+FGXhvuyUBcZm3NqN6LpwUnmsalg2LGsr9WZWXmW9mD5Uz2tbe96nA8RJqVQhjrLcbik8vh+iMpoKKOqc//Pv\
    ys8TzLR1sydmn+jTivPX1yJ0XUdBf9Qefz5kQyIx8ByOVyu0RGHUiiHMv+tY14Ymg5np66yFFGXCYQu2HbMhtoc3SH6f\
    6rFudBUGSH9IHjdEpubz71bZROQoXX0tv1K2C+Z8O+/kpl22ZUIR8xlXvS/AXPlLgYPnGFJCpYpK51KiMwIDAQABAoIB\
    ABeKIGNjDTQSXYQ7Dm+yrd5u+xqcQOJST38YRz2/GB2nVl7bAxCMEWNQV611Cztclo89PK8260c+f5RUbsqcjXflND4D\
    53EQ4jaGBxqEeMk0Q4OVyqK8zz/ocNLJ+yJ+yXXv5pb2qfMHcyqYktzGPmlcxybGGyrYx6xjRG+VKHM0IJvLNIBvb+Tn\
    Ypmc99hyTuUVP9dNl1XZdll2kpEhVtYqoIF7Iv8pQ3+mQck/tKeibessSvPvSIWo4dQ487wVAZ/HdEXR+/BViw1PfT48\
    JpJ/lPldt9S6F7KqCbc5YJ0kiNRU2qF6KS/ulkXQ2OBSeJhol5i/cTVL4zY12BWmLCkCgYEA/nyZAYrbr6NdU0tV7KsK\
    Q25HMiytboy9MYfh5mPfnk5FUGZeaiGJQzsUeHBiAcdi6J2PeSOApDIkVjIia+O09y+g3/fspDqIUdrMLTbT6kskxGQO\
    SoEIW9xZ/nvAv75aEeK2n277qEOYh8URs1UqpH7Zu+NzfMrSLr6fP202qzcCgYEAyycpWfZ/pdEajD72Clu10j+Xo2Wa\
    FQFkEcIF8wS3ukOhokwDMtXWRzN61l2kB4jfDOnnn7jr8GhL9kk9RCYbnlc62FYF+rTTM5zEJO7qR5p0a+a/p1CLqCbd\
    Q+6lo6TxhdVDW9wJH/2LK7qTf8WTEcjWM9l64pZAjhWZTHDRVuUCgYAylspDyDrLu4n92OgH2Ch+Jxn4G3GOnGOvyPdb\
    OVdmvOCCjxcNugTzXHdBSfXxrJU48Llot2oHOgCHMggtsmJzEQDGBR8BtrEKtJgKFPAjjzSL5egBX40t1av+LtOuSkTV\
    cWAkaYeVd3qG4uIV6ERF1wGpnBmFITyPFk3J6ggIGQKBgQDDxoCmLtPCw2mXIBHR16G39Qq4L3C2r3l1V4qOMMyyFv0M\
    P76RXdu7EBRfwywRCskRU9SgawAM1SXnOZtuMl9JT3zpALWQbnRed8PaZ9ekm2d4mI23uvprWNDA55n+wzTyKZxZSQoO\
    JzPYN1xvtMJPUEGFBB/VfsDFbHEoZkyHNQKBgQC1bdNkIHE3XtX4+9sdvNnGR9rNa2Ijub4ISfKU42wDQ5KNCZMmidIW\
    a/fiH1+cNSKUZXbCV63XbbmL16GjJ0dyPv5W5e2rid/33cy7yhCCdn/gSIUSSPP2BjYFUk2nkfSbJRj13zr5J00ZOtNL\
    yAYPfFcO4O1d9FqGZx21bePW+Q==";

/// A P-256 key, PKCS#8 DER.
const EC_PKCS8: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgO4/6rOm1KJ/rCoS9xMxm+/+IpJ1BqyYOUJiEGuds8Xeh\
    RANCAATY3Sz6JWZvqvX9+mWHPlH6L5Ozl3fOWTISvAioZ8zyWn0TIqF1t9I+8tWoAWzNWlDXOlZiwEz51yogLTwPWHFJ";

/// Signs RS256 and its relatives.
pub(super) fn rsa_key() -> EncodingKey {
    EncodingKey::from_rsa_der(&STANDARD.decode(RSA_PKCS1).unwrap())
}

/// Signs ES256.
pub(super) fn ec_key() -> EncodingKey {
    EncodingKey::from_ec_der(&STANDARD.decode(EC_PKCS8).unwrap())
}

/// The public half of [`rsa_key`].
pub(crate) fn rsa_jwk(kid: &str) -> Value {
    jwk(kid, &rsa_key(), Algorithm::RS256)
}

/// The public half of [`ec_key`].
pub(crate) fn ec_jwk(kid: &str) -> Value {
    jwk(kid, &ec_key(), Algorithm::ES256)
}

/// A JWKS file with these keys.
pub(super) fn jwks(keys: &[Value]) -> Vec<u8> {
    json!({ "keys": keys }).to_string().into_bytes()
}

fn jwk(kid: &str, key: &EncodingKey, algorithm: Algorithm) -> Value {
    let mut jwk = Jwk::from_encoding_key(key, algorithm).unwrap();
    jwk.common.key_id = Some(kid.to_owned());
    serde_json::to_value(jwk).unwrap()
}

/// An issuer whose answers a test sets, and which remembers what it was asked.
#[derive(Default)]
pub(crate) struct FakeIssuer {
    answers: Mutex<HashMap<String, IssuerAnswer>>,
    calls: Mutex<Vec<IssuerCall>>,
}

impl FakeIssuer {
    pub(crate) const ISSUER: &str = "https://id.example/application/larder/";
    const BASE: &str = "https://id.example/application/larder";

    /// One that publishes these keys.
    pub(crate) fn publishing(keys: &[Value]) -> Arc<Self> {
        let issuer = Arc::new(Self::default());
        issuer.configure(&Self::configuration());
        issuer.publish(keys);
        issuer
    }

    /// What it says of itself.
    pub(crate) fn configuration() -> Value {
        json!({
            "issuer": Self::ISSUER,
            "authorization_endpoint": "https://id.example/authorize?tenant=1",
            "token_endpoint": "https://id.example/token",
            "userinfo_endpoint": "https://id.example/me",
            "jwks_uri": "https://keys.example/jwks",
        })
    }

    pub(crate) fn configure(&self, configuration: &Value) {
        let address = format!("{}/.well-known/openid-configuration", Self::BASE);
        self.answer(&address, 200, configuration);
    }

    pub(crate) fn publish(&self, keys: &[Value]) {
        self.answer("https://keys.example/jwks", 200, &json!({ "keys": keys }));
    }

    /// From now on, this is answered there.
    pub(crate) fn answer(&self, url: &str, status: u16, body: &Value) {
        let body = body.to_string().into_bytes();
        self.answers.lock().unwrap().insert(url.to_owned(), IssuerAnswer { status, body });
    }

    /// From now on, nothing is answered.
    pub(crate) fn go_down(&self) {
        self.answers.lock().unwrap().clear();
    }

    /// How often this was called.
    pub(crate) fn count(&self, url: &str) -> usize {
        self.calls.lock().unwrap().iter().filter(|call| call.url == url).count()
    }

    /// How often its keys were fetched.
    pub(crate) fn fetches(&self) -> usize {
        self.count("https://keys.example/jwks")
    }

    /// What it was asked last.
    pub(crate) fn last_call(&self, url: &str) -> IssuerCall {
        let calls = self.calls.lock().unwrap();
        calls.iter().rfind(|call| call.url == url).unwrap().clone()
    }
}

#[async_trait]
impl IssuerHttp for FakeIssuer {
    async fn call(&self, call: IssuerCall) -> Result<IssuerAnswer, IssuerCallError> {
        // Others run meanwhile, as they do while a network is waited for.
        tokio::task::yield_now().await;
        let answer = self.answers.lock().unwrap().get(&call.url).cloned();
        self.calls.lock().unwrap().push(call);
        answer.ok_or_else(|| IssuerCallError("connection refused".to_owned()))
    }
}

/// A token of the issuer with these claims, signed by [`ec_key`] under this name.
pub(crate) fn es256(kid: &str, claims: &Value) -> String {
    let header = Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::ES256) };
    jsonwebtoken::encode(&header, claims, &ec_key()).unwrap()
}
