//! The port by which notifications leave the house.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Channel, Email, Household, Member, Notification};
use thiserror::Error;

/// A notification with everything that a sender needs.
#[derive(Debug, Clone)]
pub struct Message {
    /// The same at every attempt, so that a receiver can recognise a repetition.
    pub delivery_id: String,
    /// The notification.
    pub notification: Notification,
    /// The household.
    pub household: Household,
    /// Whom it concerns.
    pub recipients: Vec<Member>,
    /// When it is sent.
    pub sent_at: Timestamp,
}

/// Why a message did not arrive, in words for the operator. Never with a secret in them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SendError {
    /// It may arrive later.
    #[error("{0}")]
    Temporary(String),
    /// It never will.
    #[error("{0}")]
    Permanent(String),
}

/// Sends over one channel. One attempt per call; the caller decides on retries.
#[async_trait]
pub trait Notifier: Send + Sync + 'static {
    /// Over which channel.
    fn channel(&self) -> Channel;

    /// Makes one attempt. `Ok` means that the receiver accepted it.
    async fn send(&self, message: &Message) -> Result<(), SendError>;
}

/// What the link of a mail is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkPurpose {
    /// To confirm that the address is the reader's.
    ConfirmAddress,
    /// To choose another password instead of a forgotten one.
    ResetPassword,
}

/// A mail with a link to an account. It contains no user input.
#[derive(Debug, Clone)]
pub struct LinkMail {
    /// What the link is for.
    pub purpose: LinkPurpose,
    /// Another for each mail.
    pub id: String,
    /// To whom.
    pub to: Email,
    /// The link to open.
    pub link: String,
    /// When it is sent.
    pub sent_at: Timestamp,
}

/// Sends mails about accounts.
#[async_trait]
pub trait AccountMailer: Send + Sync + 'static {
    /// Makes one attempt. `Ok` means that the mail server accepted it.
    async fn send_link(&self, mail: &LinkMail) -> Result<(), SendError>;
}
