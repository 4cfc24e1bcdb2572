//! The configured senders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use larder_app::{AccountMailer, Notifier};
use larder_notify::{MailError, MailSender, SmtpUrl, Webhook};
use larder_outbound::ClientError;

use crate::config::ChannelSettings;
use crate::secrets::{self, Random, SecretError};

/// Why notifications cannot leave the house as the settings say.
#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    /// A secret is exposed, invalid or cannot be created.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The file with the mail server's URL is invalid.
    #[error("the secret file {} is not usable, as {mistake}: it must hold {}", path.display(), SmtpUrl::ACCEPTED)]
    SmtpFile {
        /// The file.
        path: PathBuf,
        /// The mistake.
        mistake: &'static str,
    },
    /// Mail has a sender and no server.
    #[error(
        "the setting mail_from is given, but no mail server is: it must be in LARDER_SMTP_URL or in the \
         file {}, such as smtps://user:password@mail.example",
        path.display()
    )]
    NoMailServer {
        /// The expected file.
        path: PathBuf,
    },
    /// Mail has a server and no sender.
    #[error(
        "the setting mail_from is absent, but mail needs one: it must be an address that the mail server \
         of LARDER_SMTP_URL lets Larder send from, such as larder@example.org"
    )]
    NoSender,
    /// The webhook cannot be called.
    #[error("the setting webhook_url cannot be served: {0}")]
    Webhook(#[from] ClientError),
    /// No mail can be sent.
    #[error("the mail server of LARDER_SMTP_URL cannot be used: {0}")]
    Mail(#[from] MailError),
}

/// The configured senders.
#[derive(Default)]
pub(crate) struct Channels {
    /// How notifications leave the house.
    pub(crate) notifiers: Vec<Arc<dyn Notifier>>,
    /// The sender of mails about accounts, if mail is configured.
    pub(crate) account_mailer: Option<Arc<dyn AccountMailer>>,
}

/// Creates the senders, with their secrets from `data_directory`.
pub(crate) fn open(
    settings: &ChannelSettings,
    data_directory: &Path,
    random: Random<'_>,
) -> Result<Channels, ChannelError> {
    let mut channels = Channels::default();
    if let Some(url) = &settings.webhook_url {
        let secret = match &settings.webhook_secret {
            Some(secret) => secret.clone(),
            None => secrets::find_or_make_webhook_secret(data_directory, random)?,
        };
        channels.notifiers.push(Arc::new(Webhook::new(url.clone(), secret.expose().to_vec())?));
    }
    let smtp_url = match &settings.smtp_url {
        Some(url) => Some(url.clone()),
        None => smtp_url_in_file(data_directory)?,
    };
    match (smtp_url, &settings.mail_from) {
        (Some(url), Some(from)) => {
            let sender = Arc::new(MailSender::new(&url, from)?);
            channels.notifiers.push(Arc::clone(&sender) as _);
            channels.account_mailer = Some(sender);
        }
        (Some(_), None) => return Err(ChannelError::NoSender),
        (None, Some(_)) => {
            let path = secrets::smtp_url_path(data_directory);
            return Err(ChannelError::NoMailServer { path });
        }
        (None, None) => {}
    }
    Ok(channels)
}

fn smtp_url_in_file(data_directory: &Path) -> Result<Option<SmtpUrl>, ChannelError> {
    let path = secrets::smtp_url_path(data_directory);
    let Some(secret) = secrets::find_smtp_url(data_directory)? else { return Ok(None) };
    let wrong = |mistake| ChannelError::SmtpFile { path: path.clone(), mistake };
    let text = std::str::from_utf8(secret.expose()).map_err(|_| wrong("it is not text"))?;
    SmtpUrl::parse(text).map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use larder_domain::Channel;
    use larder_notify::MailAddress;
    use larder_outbound::OutboundUrl;
    use tempfile::TempDir;

    use super::*;

    fn channels(settings: &ChannelSettings, data: &TempDir) -> Result<Vec<Channel>, String> {
        let sevens = |bytes: &mut [u8]| {
            bytes.fill(7);
            Ok(())
        };
        let opened = open(settings, data.path(), &sevens).map_err(|error| error.to_string())?;
        let has_mail = opened.notifiers.iter().any(|one| one.channel() == Channel::Mail);
        assert_eq!(opened.account_mailer.is_some(), has_mail);
        Ok(opened.notifiers.iter().map(|notifier| notifier.channel()).collect())
    }

    fn mail_from() -> Option<MailAddress> {
        MailAddress::parse("larder@example.org")
    }

    fn smtp_file(data: &TempDir, text: &str, mode: u32) -> String {
        let path = data.path().join("secrets/smtp-url");
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    }

    #[tokio::test]
    async fn without_settings_there_are_no_channels_and_no_files() {
        let data = TempDir::new().unwrap();
        assert_eq!(channels(&ChannelSettings::default(), &data), Ok(vec![]));
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_webhook_gets_a_secret_that_stays() {
        let data = TempDir::new().unwrap();
        let webhook_url = OutboundUrl::parse("http://127.0.0.1:1/hook");
        let settings = ChannelSettings { webhook_url, ..ChannelSettings::default() };
        assert_eq!(channels(&settings, &data), Ok(vec![Channel::Webhook]));
        let path = data.path().join("secrets/webhook-secret");
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n", "07".repeat(32)));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "another secret of at least thirty-two bytes").unwrap();
        assert_eq!(channels(&settings, &data), Ok(vec![Channel::Webhook]));
        assert!(fs::read_to_string(&path).unwrap().starts_with("another"));
    }

    #[tokio::test]
    async fn mail_needs_a_server_and_a_sender() {
        let data = TempDir::new().unwrap();
        let smtp_url = SmtpUrl::parse("smtp://127.0.0.1:1").ok();
        let both = ChannelSettings { smtp_url, mail_from: mail_from(), ..Default::default() };
        assert_eq!(channels(&both, &data), Ok(vec![Channel::Mail]));

        let server_alone = ChannelSettings { mail_from: None, ..both };
        let refusal = channels(&server_alone, &data).unwrap_err();
        assert!(
            refusal.starts_with("the setting mail_from is absent, but mail needs one"),
            "{refusal}"
        );

        let sender_alone = ChannelSettings { mail_from: mail_from(), ..Default::default() };
        let refusal = channels(&sender_alone, &data).unwrap_err();
        assert!(refusal.contains("must be in LARDER_SMTP_URL or in the file"), "{refusal}");
        assert!(refusal.contains("secrets/smtp-url"), "{refusal}");
    }

    #[tokio::test]
    async fn the_mail_server_may_be_in_a_file_that_only_its_owner_reads() {
        let settings = ChannelSettings { mail_from: mail_from(), ..Default::default() };
        let data = TempDir::new().unwrap();
        smtp_file(&data, "smtp://127.0.0.1:1\n", 0o600);
        assert_eq!(channels(&settings, &data), Ok(vec![Channel::Mail]));

        let data = TempDir::new().unwrap();
        let path = smtp_file(&data, "smtp://127.0.0.1:1", 0o644);
        let refusal = channels(&settings, &data).unwrap_err();
        assert!(refusal.contains(&format!("chmod 600 {path}")), "{refusal}");

        let data = TempDir::new().unwrap();
        let path = smtp_file(&data, "smtp://anna:hunter2@mail.example", 0o600);
        let refusal = channels(&settings, &data).unwrap_err();
        assert!(refusal.starts_with(&format!("the secret file {path} is not usable")), "{refusal}");
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
}
