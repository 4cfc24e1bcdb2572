//! Mails with a link to an account, within a daily limit.

use std::sync::Arc;

use jiff::Timestamp;
use larder_domain::User;
use larder_storage::Store;

use crate::{AccountMail, App, AppError, LinkMail, LinkPurpose, Result, mail_day};

/// The dependencies of sending, independent of the request.
pub(super) struct Mailing {
    pub(super) storage: Arc<dyn Store>,
    pub(super) mail: AccountMail,
    pub(super) now: Timestamp,
}

impl Mailing {
    /// Sends someone the link with this path. `false` if they have had so many mails today.
    pub(super) async fn send(
        &self,
        user: &User,
        purpose: LinkPurpose,
        path: &str,
        limit: u32,
    ) -> Result<bool> {
        let (now, day) = (self.now, mail_day(self.now));
        if !self.storage.count_mail(user.id, day, limit, now).await? {
            return Ok(false);
        }
        let mail = LinkMail {
            purpose,
            id: format!("{}.{}", user.id, now.as_millisecond()),
            to: user.email.clone(),
            link: format!("{}{path}", self.mail.public_url),
            sent_at: now,
        };
        if let Err(reason) = self.mail.mailer.send_link(&mail).await {
            tracing::warn!(user = %user.id, ?purpose, %reason, "mail with a link not sent");
            self.storage.uncount_mail(user.id, day, now).await?;
            return Err(AppError::MailUnavailable);
        }
        Ok(true)
    }
}

impl App {
    /// Whether mail is configured, so that addresses can and must be confirmed.
    pub fn sends_mail(&self) -> bool {
        self.account_mail.is_some()
    }

    pub(super) fn mailing(&self) -> Option<Mailing> {
        let mail = self.account_mail.clone()?;
        Some(Mailing { storage: Arc::clone(&self.storage), mail, now: self.now() })
    }
}
