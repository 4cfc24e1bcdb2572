//! Confirmation of email addresses. Until then an address gets few mails, with links alone:
//! registering with someone else's address must not cause more to them.

use jiff::SignedDuration;
use larder_domain::User;

use super::{
    mail_link::{MailLink, MailLinkKey},
    mailing::Mailing,
};
use crate::{App, AppError, Caller, LinkPurpose, Result};

pub(crate) const CONFIRMATION_LABEL: &[u8] = b"larder: confirming addresses";

/// How long a link is good: a weekend away.
const LIFETIME: SignedDuration = SignedDuration::from_hours(48);
/// How many such mails a person is sent on one day: one is enough, and some get lost.
const PER_DAY: u32 = 5;

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
    mailing: Mailing,
    key: MailLinkKey,
}

impl Sending {
    async fn send(&self, user: &User) -> Result<AskedForConfirmation> {
        if user.email_confirmed_at.is_some() {
            return Ok(AskedForConfirmation::Confirmed);
        }
        let expires_at = self.mailing.now + LIFETIME;
        let token = self.key.token(user.id, expires_at, &[user.email.as_str()]);
        let path = format!("/confirm-email/{token}");
        let limit = self.mailing.mail.per_day.min(PER_DAY);
        let is_sent = self.mailing.send(user, LinkPurpose::ConfirmAddress, &path, limit).await?;
        Ok(if is_sent { AskedForConfirmation::Sent } else { AskedForConfirmation::TooMany })
    }
}

impl App {
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
        let Some(link) = MailLink::parse(token, now) else { return Ok(false) };
        let Some(user) = self.storage.find_user(link.user).await? else { return Ok(false) };
        if !link.is_ours(&self.confirmation_key, &[user.email.as_str()]) {
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
        Some(Sending { mailing: self.mailing()?, key: self.confirmation_key.clone() })
    }
}
