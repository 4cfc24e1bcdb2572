//! Forgotten passwords: a mailed link lets its reader choose another.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{Email, Password, User};

use super::{
    mail_link::{MailLink, MailLinkKey},
    mailing::Mailing,
    program_tokens::revoke_all,
    sessions::end_others,
};
use crate::{
    App, GuessablePassword, LinkPurpose, NewPassword, Result,
    completion::complete_even_if_cancelled,
};

pub(crate) const RESET_LABEL: &[u8] = b"larder: resetting passwords";

/// How long a link is good.
const LIFETIME: SignedDuration = SignedDuration::from_mins(30);
/// How many such mails a person is sent on one day beyond the limit of all mails: notifications must
/// not keep anybody out. An address that is not confirmed gets no notifications, and may be that of
/// a stranger: for it, this is the limit of all mails.
const PER_DAY: u32 = 5;

/// The result of choosing another password with a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetPassword {
    /// It is the password now, and all sessions have ended.
    Done,
    /// The link is not ours, is too old, or has been used.
    LinkRefused,
    /// The link is good, the password is not.
    Guessable(GuessablePassword),
}

impl App {
    /// Mails a link to whoever has an account with this address. Waits for nothing and answers
    /// nothing, so that nobody learns from it which addresses have accounts.
    pub fn ask_for_reset(&self, email: Email) {
        let Some(mailing) = self.mailing() else {
            tracing::warn!("link for a new password not sent: no mail server is configured");
            return;
        };
        let key = self.reset_key.clone();
        tokio::spawn(async move {
            if let Err(error) = send(&mailing, &key, &email).await {
                tracing::warn!(%error, "link for a new password not sent");
            }
        });
    }

    /// Whether the link with this token is still good.
    pub async fn is_reset_possible(&self, token: &str) -> Result<bool> {
        Ok(self.reset_link(token).await?.is_some())
    }

    /// Gives the account of a link another password, and ends all of its sessions. The address is
    /// confirmed by that: its mail was read.
    pub async fn reset_password(&self, token: &str, password: Password) -> Result<ResetPassword> {
        let Some(user) = self.reset_link(token).await? else {
            return Ok(ResetPassword::LinkRefused);
        };
        let about = [user.email.as_str(), user.name.as_str()];
        let password = match NewPassword::choose(password, &about) {
            Ok(password) => password,
            Err(reason) => return Ok(ResetPassword::Guessable(reason)),
        };
        let hash = self.passwords.hash(password.password(), self.entropy.bytes()).await?;
        let (storage, sessions) = (Arc::clone(&self.storage), Arc::clone(&self.sessions));
        let tokens = Arc::clone(&self.program_tokens);
        let (callers, id, now) = (Arc::clone(&self.callers), user.id, self.now());
        let change = async move {
            if !storage.set_password(id, &hash, now).await? {
                return Ok(ResetPassword::LinkRefused);
            }
            if user.email_confirmed_at.is_none() {
                storage.confirm_email(id, &user.email, now).await?;
                callers.invalidate(&id);
            }
            end_others(Arc::clone(&storage), sessions, id, None, now).await?;
            revoke_all(&*storage, &tokens, id, now).await?;
            tracing::info!(user = %id, "password reset by a mailed link");
            Ok(ResetPassword::Done)
        };
        complete_even_if_cancelled(change).await?
    }

    /// For whom a link is, if it is good: their password must be the one that they had when it was
    /// sent, so that it is used once.
    async fn reset_link(&self, token: &str) -> Result<Option<User>> {
        let Some(link) = MailLink::parse(token, self.now()) else { return Ok(None) };
        let Some(user) = self.storage.find_user(link.user).await? else { return Ok(None) };
        let credentials = self.storage.find_credentials(&user.email).await?;
        let credentials = credentials.filter(|found| found.user == user.id);
        let Some(hash) = credentials.and_then(|found| found.password_hash) else {
            return Ok(None);
        };
        let is_ours = link.is_ours(&self.reset_key, &[user.email.as_str(), &hash]);
        Ok(is_ours.then_some(user))
    }
}

async fn send(mailing: &Mailing, key: &MailLinkKey, email: &Email) -> Result<()> {
    let Some(credentials) = mailing.storage.find_credentials(email).await? else { return Ok(()) };
    // Who logs in at an issuer has no password to forget.
    let Some(hash) = credentials.password_hash else { return Ok(()) };
    let Some(user) = mailing.storage.find_user(credentials.user).await? else { return Ok(()) };
    let expires_at = mailing.now + LIFETIME;
    let token = key.token(user.id, expires_at, &[user.email.as_str(), &hash]);
    let per_day = mailing.mail.per_day;
    let limit = match user.email_confirmed_at {
        Some(_) => per_day.saturating_add(PER_DAY),
        None => per_day.min(PER_DAY),
    };
    let path = format!("/reset/{token}");
    if !mailing.send(&user, LinkPurpose::ResetPassword, &path, limit).await? {
        tracing::info!(user = %user.id, "link for a new password not sent: too many mails today");
    }
    Ok(())
}
