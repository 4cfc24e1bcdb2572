//! The implementations of `larder_app::Notifier`: a signed webhook, and mail.
//!
//! Each call is one attempt. Errors are either temporary or permanent; the use cases decide on
//! retries. URLs that may contain a password or a token do not print it.

mod mail;
#[cfg(test)]
mod samples;
mod webhook;

pub use mail::{MailAddress, MailError, MailSender, SmtpUrl};
pub use webhook::{Webhook, signature};

/// The start of a remote error text, on one line, for operators.
fn excerpt(text: &str) -> String {
    const MOST: usize = 300;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(
            excerpt("550 5.1.1\r\n no  such user\u{2028}here"),
            "550 5.1.1 no such user here"
        );
        let long = excerpt(&"あ".repeat(1000));
        assert_eq!(long, format!("{}…", "あ".repeat(300)));
    }
}
