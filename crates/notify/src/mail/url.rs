//! The URL of the mail server.

use std::{fmt, net::IpAddr};

use url::{Host, Url};

/// The URL of a mail server. It may contain a password, so only its host is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpUrl(Url);

impl SmtpUrl {
    /// The accepted values, for error messages.
    pub const ACCEPTED: &str = "a URL such as smtps://user:password@mail.example or \
                                smtp://user:password@mail.example?tls=required";

    /// Parses a URL; errors do not contain it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let url = Url::parse(text).map_err(|_| "it is not a URL")?;
        if !matches!(url.scheme(), "smtp" | "smtps") {
            return Err("its scheme must be smtp or smtps");
        }
        if url.host_str().is_none_or(str::is_empty) || url.port() == Some(0) {
            return Err("it has no host or an invalid port");
        }
        if url.fragment().is_some() || url.path().len() > 1 {
            return Err("it must have no path and no fragment");
        }
        let mut encryption = url.scheme() == "smtps";
        for (name, value) in url.query_pairs() {
            match (&*name, &*value, url.scheme()) {
                ("tls", "required", "smtp") => encryption = true,
                ("tls", "opportunistic", "smtp") => {}
                _ => return Err("it may have no parameter but tls=required or tls=opportunistic"),
            }
        }
        if url.username().is_empty() != url.password().is_none() {
            return Err("it must have both a user name and a password, or neither");
        }
        // A man in the middle could downgrade the connection, and read the password.
        if url.password().is_some() && !encryption && !is_loopback(&url) {
            return Err(
                "its password could be read on the way (use smtps:// or add ?tls=required)",
            );
        }
        Ok(Self(url))
    }

    /// The whole URL, for connecting.
    pub(super) fn expose(&self) -> &str {
        self.0.as_str()
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            // The URL standard does not normalise hosts of unknown schemes.
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

impl fmt::Display for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.0.scheme(), self.0.host_str().unwrap_or_default())?;
        self.0.port().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_server_is_reached_with_and_without_encryption_and_login() {
        for (text, shown) in [
            ("smtps://anna:hunter2@mail.example", "smtps://mail.example"),
            ("smtps://anna:hunter2@mail.example:1465", "smtps://mail.example:1465"),
            ("smtp://anna:hunter2@mail.example?tls=required", "smtp://mail.example"),
            ("smtp://mail.example?tls=opportunistic", "smtp://mail.example"),
            ("smtp://mail.example", "smtp://mail.example"),
            ("smtp://anna:hunter2@127.0.0.1:2525", "smtp://127.0.0.1:2525"),
            ("smtp://anna:hunter2@[::1]:2525", "smtp://[::1]:2525"),
            ("smtp://anna:hunter2@localhost", "smtp://localhost"),
        ] {
            let url = SmtpUrl::parse(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), shown, "the password stays out of logs");
            assert_eq!(url.expose(), text);
        }
    }

    #[test]
    fn a_password_is_not_sent_in_the_clear_over_a_network() {
        for text in [
            "smtp://anna:hunter2@mail.example",
            "smtp://anna:hunter2@mail.example?tls=opportunistic",
            "smtp://anna:hunter2@192.168.1.5",
        ] {
            let reason = SmtpUrl::parse(text).unwrap_err();
            assert!(reason.contains("smtps://") && !reason.contains("hunter2"), "{reason}");
        }
    }

    #[test]
    fn what_would_be_dropped_or_misread_is_refused() {
        for (text, reason) in [
            ("mail.example", "it is not a URL"),
            ("https://mail.example", "its scheme must be smtp or smtps"),
            ("smtp://", "it has no host or an invalid port"),
            ("smtp://mail.example:0", "it has no host or an invalid port"),
            ("smtp://mail.example/hello", "it must have no path and no fragment"),
            ("smtp://mail.example#x", "it must have no path and no fragment"),
            (
                "smtp://mail.example?tls=maybe",
                "it may have no parameter but tls=required or tls=opportunistic",
            ),
            (
                "smtps://mail.example?tls=required",
                "it may have no parameter but tls=required or tls=opportunistic",
            ),
            (
                "smtp://anna@mail.example",
                "it must have both a user name and a password, or neither",
            ),
        ] {
            assert_eq!(SmtpUrl::parse(text), Err(reason), "{text}");
        }
    }
}
