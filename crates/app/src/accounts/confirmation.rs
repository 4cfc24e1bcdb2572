//! Confirmation of email addresses. Until then an address gets no other mail: registering with
//! someone else's address must not cause mails to them.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use jiff::{SignedDuration, Timestamp};
use larder_domain::{Email, User, UserId};
use larder_storage::Store;
use sha2::Sha256;

use crate::{AccountMail, App, AppError, Caller, ConfirmationMail, Result, keyed, mail_day};

const LABEL: &[u8] = b"larder: confirming addresses";

/// How long a link is good: a weekend away.
const LIFETIME: SignedDuration = SignedDuration::from_hours(48);
/// How many such mails a person is sent on one day: one is enough, and some get lost.
const PER_DAY: u32 = 5;

const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 32;
const TOKEN_BYTES: usize = ID_BYTES + TIME_BYTES + DIGEST_BYTES;

/// Creates and verifies the tokens of links: user, expiry, and a digest of both and the address.
/// Nothing of it is stored; a used link has no further effect.
#[derive(Clone)]
pub(crate) struct ConfirmationKey(Hmac<Sha256>);

impl ConfirmationKey {
    pub(crate) fn derive(secret: &[u8]) -> Self {
        Self(keyed::derive(secret, LABEL))
    }

    fn token(&self, user: UserId, email: &Email, expires_at: Timestamp) -> String {
        let mut bytes = Vec::with_capacity(TOKEN_BYTES);
        bytes.extend_from_slice(user.as_bytes());
        bytes.extend_from_slice(&expires_at.as_second().to_be_bytes());
        let digest = self.digest(&bytes, email).finalize().into_bytes();
        bytes.extend_from_slice(&digest);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn digest(&self, claim: &[u8], email: &Email) -> Hmac<Sha256> {
        self.0.clone().chain_update(claim).chain_update(email.as_str())
    }
}

/// The content of a link, before verification.
struct Claimed {
    bytes: [u8; TOKEN_BYTES],
    user: UserId,
    expires_at: i64,
}

impl Claimed {
    fn parse(token: &str) -> Option<Self> {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        if URL_SAFE_NO_PAD.decode_slice(token, &mut bytes) != Ok(TOKEN_BYTES) {
            return None;
        }
        let (user, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let expires_at = i64::from_be_bytes(*rest.first_chunk::<TIME_BYTES>()?);
        let user = UserId::from_bytes(*user);
        Some(Self { bytes, user, expires_at })
    }

    /// Whether we created it for this address. Constant-time.
    fn is_ours(&self, key: &ConfirmationKey, email: &Email) -> bool {
        let (claim, digest) = self.bytes.split_at(ID_BYTES + TIME_BYTES);
        key.digest(claim, email).verify_slice(digest).is_ok()
    }
}

/// The result of requesting a confirmation mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedForConfirmation {
    /// The mail server accepted it.
    Sent,
    /// The address is confirmed already.
    Confirmed,
    /// The daily limit is reached.
    TooMany,
}

/// The dependencies of sending, independent of the request.
struct Sending {
    storage: Arc<dyn Store>,
    mail: AccountMail,
    key: ConfirmationKey,
    now: Timestamp,
}

impl Sending {
    async fn send(&self, user: &User) -> Result<AskedForConfirmation> {
        let (now, day) = (self.now, mail_day(self.now));
        if user.email_confirmed_at.is_some() {
            return Ok(AskedForConfirmation::Confirmed);
        }
        let limit = self.mail.per_day.min(PER_DAY);
        if !self.storage.count_mail(user.id, day, limit, now).await? {
            return Ok(AskedForConfirmation::TooMany);
        }
        let token = self.key.token(user.id, &user.email, now + LIFETIME);
        let mail = ConfirmationMail {
            id: format!("{}.{}", user.id, now.as_millisecond()),
            to: user.email.clone(),
            link: format!("{}/confirm-email/{token}", self.mail.public_url),
            sent_at: now,
        };
        if let Err(reason) = self.mail.mailer.send_confirmation(&mail).await {
            tracing::warn!(user = %user.id, %reason, "confirmation mail not sent");
            self.storage.uncount_mail(user.id, day, now).await?;
            return Err(AppError::MailUnavailable);
        }
        Ok(AskedForConfirmation::Sent)
    }
}

impl App {
    /// Whether mail is configured, so that addresses can and must be confirmed.
    pub fn sends_mail(&self) -> bool {
        self.account_mail.is_some()
    }

    /// Sends the caller a mail with a link that confirms their address.
    pub async fn ask_for_confirmation(&self, caller: &Caller) -> Result<AskedForConfirmation> {
        let sending = self.sending().ok_or(AppError::MailUnavailable)?;
        let user = self.storage.find_user(caller.user_id()).await?;
        sending.send(&user.ok_or(AppError::Unauthenticated)?).await
    }

    /// The same for a new user, without waiting; they can request it again.
    pub(super) fn ask_for_first_confirmation(&self, user: &User) {
        if let Some(sending) = self.sending() {
            let user = user.clone();
            tokio::spawn(async move {
                if let Err(error) = sending.send(&user).await {
                    tracing::info!(user = %user.id, %error, "confirmation mail of a new account not sent");
                }
            });
        }
    }

    /// Confirms the address that the link with this token was sent to. `false` if the link is not ours, is too old, or
    /// was for another address.
    pub async fn confirm_email(&self, token: &str) -> Result<bool> {
        let now = self.now();
        let Some(claimed) = Claimed::parse(token) else { return Ok(false) };
        if claimed.expires_at <= now.as_second() {
            return Ok(false);
        }
        let Some(user) = self.storage.find_user(claimed.user).await? else { return Ok(false) };
        if !claimed.is_ours(&self.confirmation_key, &user.email) {
            return Ok(false);
        }
        if user.email_confirmed_at.is_some() {
            return Ok(true);
        }
        let id = user.id;
        let confirmed = self.change_callers(
            |storage| async move { storage.confirm_email(id, &user.email, now).await },
            move |callers| callers.invalidate(&id),
        );
        confirmed.await
    }

    fn sending(&self) -> Option<Sending> {
        let mail = self.account_mail.clone()?;
        let (storage, key) = (Arc::clone(&self.storage), self.confirmation_key.clone());
        Some(Sending { storage, mail, key, now: self.now() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn a_link_is_good_for_its_person_and_address_alone() {
        let (key, anna) = (ConfirmationKey::derive(&[7; 32]), UserId::fixed(1));
        let email = Email::parse("anna@example.org").unwrap();
        let token = key.token(anna, &email, at(1_800_000_000));
        let claimed = Claimed::parse(&token).unwrap();
        assert_eq!((claimed.user, claimed.expires_at), (anna, 1_800_000_000));
        assert!(claimed.is_ours(&key, &email));
        assert!(!claimed.is_ours(&key, &Email::parse("ben@example.org").unwrap()));
        assert!(!claimed.is_ours(&ConfirmationKey::derive(&[8; 32]), &email));
        // Each byte matters: user, expiry, and digest.
        for index in 0..TOKEN_BYTES {
            let mut bytes = claimed.bytes;
            bytes[index] ^= 1;
            let changed = Claimed::parse(&URL_SAFE_NO_PAD.encode(bytes)).unwrap();
            assert!(!changed.is_ours(&key, &email), "{index}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let email = Email::parse("anna@example.org").unwrap();
        let good = ConfirmationKey::derive(&[7; 32]).token(UserId::fixed(1), &email, at(1));
        let (short, long, huge) = (&good[1..], format!("{good}AAAA"), "A".repeat(100_000));
        for token in ["", "🥬", short, &long, &huge] {
            assert!(Claimed::parse(token).is_none(), "{}", token.len());
        }
    }
}
