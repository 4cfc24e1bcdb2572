//! Where people reach the server: the front of every link it makes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::Uri;

/// An `http` or `https` URL without query, fragment, user name or final slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// What is accepted, for refusals.
    pub(super) const ACCEPTED: &str =
        "an http or https URL with a host and without a query, such as https://larder.example";

    /// Reads a URL; `None` if it is not one that links can be built on.
    pub fn parse(text: &str) -> Option<Self> {
        // `Uri` drops a fragment without a word.
        if text.contains('#') {
            return None;
        }
        let uri: Uri = text.parse().ok()?;
        let authority = uri.authority()?.as_str();
        let usable = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && !authority.contains('@')
            && has_valid_port(authority)
            && uri.query().is_none();
        usable.then(|| Self(text.trim_end_matches('/').to_owned()))
    }

    /// The URL of a server bound to `address`; a server bound to every address is reached on
    /// loopback, the only one that is sure to exist.
    pub fn of_address(address: SocketAddr) -> Self {
        let host = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        Self(format!("http://{}", SocketAddr::new(host, address.port())))
    }

    /// The URL as text, without a final slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether people come over TLS, so that cookies and HSTS may insist on it.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// `Uri` keeps any text after the colon; an empty or too large port would make dead links.
fn has_valid_port(authority: &str) -> bool {
    let after_host = authority.rsplit_once(']').map_or(authority, |(_, rest)| rest);
    after_host
        .rsplit_once(':')
        .is_none_or(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<String> {
        PublicUrl::parse(text).map(|url| url.to_string())
    }

    #[test]
    fn links_can_be_built_on_hosts_ports_and_paths() {
        for text in [
            "https://larder.example",
            "http://192.168.1.5:7070",
            "http://[::1]:7070",
            "http://[::1]",
            "https://home.example/larder",
        ] {
            assert_eq!(parsed(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_final_slash_is_dropped() {
        assert_eq!(parsed("https://larder.example/").as_deref(), Some("https://larder.example"));
        assert_eq!(parsed("https://h.example/l/").as_deref(), Some("https://h.example/l"));
    }

    #[test]
    fn what_would_make_broken_links_is_not_a_public_url() {
        for text in [
            "",
            "larder.example",
            "/larder",
            "ftp://larder.example",
            "https://",
            "https:///path",
            "https://larder.example?x=1",
            "https://larder.example#x",
            "https://me:secret@larder.example",
            "https://larder.example:",
            "https://larder.example:0",
            "https://larder.example:70000",
            "https://larder example",
        ] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_address_gives_a_url_that_can_be_opened() {
        for (address, url) in [
            ("127.0.0.1:7070", "http://127.0.0.1:7070"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:7070", "http://[::1]:7070"),
            ("192.168.1.5:8080", "http://192.168.1.5:8080"),
        ] {
            assert_eq!(PublicUrl::of_address(address.parse().unwrap()).as_str(), url);
        }
    }

    #[test]
    fn only_https_is_https() {
        assert!(PublicUrl::parse("https://larder.example").unwrap().is_https());
        assert!(!PublicUrl::parse("http://larder.example").unwrap().is_https());
    }
}
