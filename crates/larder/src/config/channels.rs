//! How notifications leave the house.

use larder_app::DEFAULT_MAILS_PER_DAY;
use larder_notify::{MailAddress, SmtpUrl};
use larder_outbound::OutboundUrl;

use super::SettingError;
use super::layers::Layers;
use crate::secrets::Secret;

const WEBHOOK_EXAMPLE: &str = "https://hooks.example/larder";
const SMTP_URL: &str = "LARDER_SMTP_URL";
/// A higher limit would be no limit: no person reads that many.
const MAX_MAILS_PER_DAY: u32 = 1000;

/// Settings of webhook and mail. By default notifications are only shown in Larder.
#[derive(Debug, PartialEq, Eq)]
pub struct ChannelSettings {
    /// The URL that notifications are posted to.
    pub webhook_url: Option<OutboundUrl>,
    /// Signs them; a file if it is not in the environment.
    pub webhook_secret: Option<Secret>,
    /// The mail server; may be in a file instead of the environment.
    pub smtp_url: Option<SmtpUrl>,
    /// The sender address of mail.
    pub mail_from: Option<MailAddress>,
    /// Maximum number of mails per address and day.
    pub mail_per_day: u32,
}

impl Default for ChannelSettings {
    fn default() -> Self {
        Self {
            webhook_url: None,
            webhook_secret: None,
            smtp_url: None,
            mail_from: None,
            mail_per_day: DEFAULT_MAILS_PER_DAY,
        }
    }
}

impl ChannelSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Self, SettingError> {
        // The address of a webhook often is the key to it, so a refusal does not repeat it.
        let webhook_url = layers.find("webhook_url")?.map(|given| {
            let accepted = format!("{}, such as {WEBHOOK_EXAMPLE}", OutboundUrl::ACCEPTED);
            OutboundUrl::parse(&given.text)
                .ok_or_else(|| given.refuse_showing("[redacted]", &accepted))
        });
        let smtp_url = layers.variable(SMTP_URL)?.map(|text| {
            SmtpUrl::parse(&text).map_err(|mistake| SettingError::SecretUrl {
                variable: SMTP_URL,
                mistake,
                accepted: SmtpUrl::ACCEPTED,
            })
        });
        Ok(Self {
            webhook_url: webhook_url.transpose()?,
            webhook_secret: layers.secret("LARDER_WEBHOOK_SECRET")?,
            smtp_url: smtp_url.transpose()?,
            mail_from: layers.parse("mail_from", MailAddress::ACCEPTED, MailAddress::parse)?,
            mail_per_day: layers
                .parse(
                    "mail_per_day",
                    &format!("a whole number from 1 to {MAX_MAILS_PER_DAY}"),
                    |text| {
                        text.parse().ok().filter(|count| (1..=MAX_MAILS_PER_DAY).contains(count))
                    },
                )?
                .unwrap_or(DEFAULT_MAILS_PER_DAY),
        })
    }
}
