//! Our own access tokens: JWT, HS256, fifteen minutes.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use larder_domain::{SessionId, User};
use serde::{Deserialize, Serialize};

use super::{
    InvalidToken, OWN_ISSUER, TokenOwner,
    verified::{Verified, VerifiedTokens},
};
use crate::SettingsError;

/// How long an access token is good.
pub(crate) const LIFETIME_SECONDS: i64 = 15 * 60;
/// HMAC-SHA256 is as strong as its key up to the length of the hash (RFC 7518, section 3.2).
const MIN_SECRET_BYTES: usize = 32;

/// Issues and verifies our access tokens.
pub(super) struct AccessTokens {
    signing: EncodingKey,
    verifying: DecodingKey,
    validation: Validation,
    verified: VerifiedTokens,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// The household when the token was issued. A hint for clients: the store decides on
    /// membership.
    #[serde(skip_serializing_if = "Option::is_none")]
    hid: Option<String>,
    /// The session that the token was issued in, and with which it dies.
    sid: String,
    iat: i64,
    exp: i64,
    jti: String,
}

impl AccessTokens {
    pub(super) fn new(secret: &[u8]) -> Result<Self, SettingsError> {
        if secret.len() < MIN_SECRET_BYTES {
            return Err(SettingsError::ShortSecret);
        }
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[OWN_ISSUER]);
        validation.set_required_spec_claims(&["iss", "sub", "exp"]);
        // The library uses the system's time; we use the clock.
        validation.validate_exp = false;
        Ok(Self {
            signing: EncodingKey::from_secret(secret),
            verifying: DecodingKey::from_secret(secret),
            validation,
            verified: VerifiedTokens::default(),
        })
    }

    pub(super) fn issue(
        &self,
        user: &User,
        session: SessionId,
        now: Timestamp,
        id: [u8; 16],
    ) -> jsonwebtoken::errors::Result<String> {
        let claims = Claims {
            iss: OWN_ISSUER.to_owned(),
            sub: user.id.to_string(),
            hid: user.membership.map(|membership| membership.household.to_string()),
            sid: session.to_string(),
            iat: now.as_second(),
            exp: now.as_second() + LIFETIME_SECONDS,
            jti: URL_SAFE_NO_PAD.encode(id),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.signing)
    }

    /// The user and the session, if we issued the token and it has not expired. No leeway: it is our
    /// own clock.
    pub(super) fn verify(&self, token: &str, now: Timestamp) -> Result<TokenOwner, InvalidToken> {
        let verified = match self.verified.find(token) {
            Some(verified) => verified,
            None => self.verify_signature(token, now)?,
        };
        if verified.expires_at_second <= now.as_second() {
            return Err(InvalidToken);
        }
        Ok(verified.owner)
    }

    fn verify_signature(&self, token: &str, now: Timestamp) -> Result<Verified, InvalidToken> {
        let decoded = jsonwebtoken::decode::<Claims>(token, &self.verifying, &self.validation)
            .map_err(|_| InvalidToken)?;
        let owner = TokenOwner {
            user: decoded.claims.sub.parse().map_err(|_| InvalidToken)?,
            session: decoded.claims.sid.parse().map_err(|_| InvalidToken)?,
        };
        let verified = Verified { owner, expires_at_second: decoded.claims.exp };
        self.verified.remember(token, verified, now.as_second());
        Ok(verified)
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use larder_domain::{Role, UserId};
    use serde_json::{Value, json};

    use super::*;
    use crate::caller::tests::caller;

    const SECRET: [u8; 32] = [7; 32];
    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

    const OWNER: TokenOwner = TokenOwner { user: UserId::fixed(1), session: SessionId::fixed(2) };

    fn issued() -> (AccessTokens, String) {
        let tokens = AccessTokens::new(&SECRET).unwrap();
        let caller = caller(Some(Role::Member));
        let token = tokens.issue(caller.user(), OWNER.session, NOW, [1; 16]).unwrap();
        (tokens, token)
    }

    fn claims() -> Value {
        json!({
            "iss": "larder", "sub": OWNER.user.to_string(), "sid": OWNER.session.to_string(),
            "iat": NOW.as_second(), "exp": NOW.as_second() + 60, "jti": "x",
        })
    }

    fn signed(algorithm: Algorithm, claims: &Value, secret: &[u8]) -> String {
        let key = EncodingKey::from_secret(secret);
        jsonwebtoken::encode(&Header::new(algorithm), claims, &key).unwrap()
    }

    #[test]
    fn a_token_names_its_user_session_and_household_for_fifteen_minutes() {
        let (tokens, token) = issued();
        assert_eq!(tokens.verify(&token, NOW), Ok(OWNER));
        let last = NOW + SignedDuration::from_millis(15 * 60 * 1000 - 1);
        assert_eq!(tokens.verify(&token, last), Ok(OWNER));
        let after = NOW + SignedDuration::from_mins(15);
        assert_eq!(tokens.verify(&token, after), Err(InvalidToken));

        let claims: Value = jsonwebtoken::dangerous::insecure_decode_claims(&token).unwrap();
        assert_eq!(claims["hid"], "00000000-0000-0000-0000-000000000007");
        assert_eq!(claims["exp"], NOW.as_second() + 900);
    }

    #[test]
    fn a_forged_token_is_refused() {
        let (tokens, token) = issued();
        let (message, signature) = token.rsplit_once('.').unwrap();
        let other = signed(Algorithm::HS256, &claims(), &[8; 32]);
        let swapped = format!("{}.{signature}", other.rsplit_once('.').unwrap().0);
        for forged in [other, swapped, format!("{message}."), message.to_owned()] {
            assert_eq!(tokens.verify(&forged, NOW), Err(InvalidToken), "{forged}");
        }
    }

    #[test]
    fn only_our_algorithm_is_accepted() {
        let (tokens, _) = issued();
        assert!(tokens.verify(&signed(Algorithm::HS256, &claims(), &SECRET), NOW).is_ok());
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            let token = signed(algorithm, &claims(), &SECRET);
            assert_eq!(tokens.verify(&token, NOW), Err(InvalidToken), "{algorithm:?}");
        }
        for algorithm in ["none", "None", "NONE", ""] {
            let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            let token = format!("{}.{}.", part(&json!({ "alg": algorithm })), part(&claims()));
            assert_eq!(tokens.verify(&token, NOW), Err(InvalidToken), "{algorithm:?}");
        }
    }

    #[test]
    fn claims_that_are_missing_or_wrong_are_refused() {
        let (tokens, _) = issued();
        for (claim, value) in [
            ("iss", Value::Null),
            ("iss", json!("someone else")),
            ("iss", json!(["larder"])),
            ("sub", Value::Null),
            ("sub", json!("not an id")),
            ("sid", Value::Null),
            ("sid", json!("not an id")),
            ("exp", Value::Null),
            ("exp", json!("tomorrow")),
            ("exp", json!(NOW.as_second())),
        ] {
            let mut claims = claims();
            claims[claim] = value.clone();
            let token = signed(Algorithm::HS256, &claims, &SECRET);
            assert_eq!(tokens.verify(&token, NOW), Err(InvalidToken), "{claim}: {value}");
        }
    }

    #[test]
    fn garbage_is_refused() {
        let (tokens, _) = issued();
        for garbage in ["", ".", "..", "...", "a.b.c", "e30.e30.e30", "🥬.🥬.🥬"] {
            assert_eq!(tokens.verify(garbage, NOW), Err(InvalidToken), "{garbage}");
        }
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(matches!(AccessTokens::new(&[7; 31]), Err(SettingsError::ShortSecret)));
    }
}
