//! A mail to every member.

mod address;
mod subject;
mod text;
mod url;

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use larder_app::{AccountMailer, LinkMail, Message, Notifier, SendError};
use larder_domain::{Channel, Member, UserId};
use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor,
    message::{Mailbox, header},
    transport::smtp::{self, extension::ClientId},
};
use thiserror::Error;
use tokio::time::timeout;

use self::subject::{ENCODED_WORD, Subject};

pub use self::address::MailAddress;
pub use self::url::SmtpUrl;
use crate::excerpt;

/// Time limit for one reply of the mail server.
const REPLIES_WITHIN: Duration = Duration::from_secs(10);
/// Time limit for one mail.
const TAKES_WITHIN: Duration = Duration::from_secs(20);
/// The number of incomplete deliveries whose recipients are remembered.
const REMEMBERED: usize = 1000;

/// Replies to a wrong or missing login (RFC 4954). The settings are at fault, not the mail, and may
/// be fixed.
const LOGIN_REFUSED: [&str; 4] = ["530", "534", "535", "538"];

/// Why no mail could ever be sent.
#[derive(Debug, Error)]
#[error("the certificates that this system trusts cannot be used: {0}")]
pub struct MailError(String);

/// Sends each notification as a separate mail to every member, which hides their addresses from
/// each other.
pub struct MailSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    domain: String,
    /// Members who already have the mail of an incomplete delivery. Best effort: after eviction
    /// they get it twice, with the same `Message-ID`.
    served: Mutex<HashMap<String, HashSet<UserId>>>,
}

impl MailSender {
    /// A sender through this server, from this address.
    pub fn new(url: &SmtpUrl, from: &MailAddress) -> Result<Self, MailError> {
        let domain = from.domain().to_owned();
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose())
            .map_err(|error| MailError(error.to_string()))?
            .hello_name(ClientId::Domain(domain.clone()))
            .timeout(Some(REPLIES_WITHIN))
            .build();
        let from = Mailbox::new(Some("Larder".to_owned()), from.address().clone());
        Ok(Self { transport, from, domain, served: Mutex::default() })
    }

    async fn send_to(&self, member: &Member, message: &Message) -> Result<(), SendError> {
        self.hand_in(self.mail(member, message)?).await
    }

    async fn hand_in(&self, mail: lettre::Message) -> Result<(), SendError> {
        match timeout(TAKES_WITHIN, self.transport.send(mail)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(judge(&error)),
            Err(_) => {
                let seconds = TAKES_WITHIN.as_secs();
                Err(SendError::Temporary(format!("not taken within {seconds} seconds")))
            }
        }
    }

    fn mail(&self, member: &Member, message: &Message) -> Result<lettre::Message, SendError> {
        let permanent =
            |reason: String| SendError::Permanent(format!("no mail can be written: {reason}"));
        let address = member.email.as_str().parse().map_err(|_| {
            permanent(format!("the address of member {} is not one that mail takes", member.user))
        })?;
        // A name that looks encoded would be shown as something else.
        let name = Some(text::one_line(member.name.as_str()));
        let name = name.filter(|name| !name.contains(ENCODED_WORD));
        lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(name, address))
            .header(Subject(text::subject(message)))
            .date(SystemTime::from(message.sent_at))
            .message_id(Some(format!("<{}.{}@{}>", message.delivery_id, member.user, self.domain)))
            .header(AutoSubmitted)
            .header(header::ContentType::TEXT_PLAIN)
            .body(text::body(message))
            .map_err(|error| permanent(error.to_string()))
    }

    /// To an address without a name: the user who entered it may have entered any.
    fn link(&self, mail: &LinkMail) -> Result<lettre::Message, SendError> {
        let permanent =
            |reason: String| SendError::Permanent(format!("no mail can be written: {reason}"));
        let address = mail.to.as_str().parse();
        let address =
            address.map_err(|_| permanent("the address is not one that mail takes".to_owned()))?;
        lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, address))
            .subject(text::link_subject(mail.purpose))
            .date(SystemTime::from(mail.sent_at))
            .message_id(Some(format!("<link.{}@{}>", mail.id, self.domain)))
            .header(AutoSubmitted)
            .header(header::ContentType::TEXT_PLAIN)
            .body(text::link(mail.purpose, &mail.link))
            .map_err(|error| permanent(error.to_string()))
    }

    fn has_served(&self, delivery: &str, member: UserId) -> bool {
        let served = self.served.lock().expect("no holder of this lock panics");
        served.get(delivery).is_some_and(|members| members.contains(&member))
    }

    /// Records the recipients; clears the entry when the delivery is over.
    fn remember(&self, delivery: &str, members: HashSet<UserId>) {
        let mut served = self.served.lock().expect("no holder of this lock panics");
        if members.is_empty() {
            served.remove(delivery);
        } else if served.len() < REMEMBERED || served.contains_key(delivery) {
            served.insert(delivery.to_owned(), members);
        }
    }
}

#[async_trait]
impl Notifier for MailSender {
    fn channel(&self) -> Channel {
        Channel::Mail
    }

    /// Succeeds when no member is left who may still get it; fails permanently if none of them can.
    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let mut served = HashSet::new();
        let (mut later, mut never) = (None, None);
        for member in &message.recipients {
            let result = if self.has_served(&message.delivery_id, member.user) {
                Ok(())
            } else {
                self.send_to(member, message).await
            };
            match result {
                Ok(()) => {
                    served.insert(member.user);
                }
                Err(SendError::Temporary(reason)) => later = Some(reason),
                Err(SendError::Permanent(reason)) => {
                    tracing::warn!(member = %member.user, reason, "mail not delivered: permanent error");
                    never = Some(reason);
                }
            }
        }
        if let Some(reason) = later {
            self.remember(&message.delivery_id, served);
            return Err(SendError::Temporary(reason));
        }
        self.remember(&message.delivery_id, HashSet::new());
        match never {
            Some(reason) if served.is_empty() => Err(SendError::Permanent(reason)),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl AccountMailer for MailSender {
    async fn send_link(&self, mail: &LinkMail) -> Result<(), SendError> {
        self.hand_in(self.link(mail)?).await
    }
}

/// Only a refusal of this mail is permanent; other errors may be fixed.
fn judge(error: &smtp::Error) -> SendError {
    let is_login =
        error.status().is_some_and(|code| LOGIN_REFUSED.contains(&code.to_string().as_str()));
    let reason = excerpt(&error.to_string());
    if error.is_permanent() && !is_login {
        SendError::Permanent(reason)
    } else {
        SendError::Temporary(reason)
    }
}

/// Prevents out-of-office replies (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl header::Header for AutoSubmitted {
    fn name() -> header::HeaderName {
        header::HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> header::HeaderValue {
        header::HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests;
