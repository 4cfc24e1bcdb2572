//! The public URL of the server: the base of its links.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::Uri;

/// The longest name that DNS has (RFC 1035, 2.3.4), and a port.
const MAX_HOST_BYTES: usize = 255 + ":65535".len();

/// An `http` or `https` URL without query, fragment, user name or final slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The accepted values, for error messages.
    pub const ACCEPTED: &str =
        "an http or https URL with a host and without a query, such as https://larder.example";

    /// Parses a URL; `None` if it cannot be a base of links.
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
    pub fn of_address(address: SocketAddr, is_https: bool) -> Self {
        let host = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        let scheme = if is_https { "https" } else { "http" };
        Self(format!("{scheme}://{}", SocketAddr::new(host, address.port())))
    }

    /// The URL of a server reached by this host, such as `larder.lan:7070`; `None` if it cannot be
    /// a base of links. Clients can send any text, so only host names and addresses are accepted.
    pub fn of_host(host: &str, is_https: bool) -> Option<Self> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if host.len() > MAX_HOST_BYTES || !host.chars().all(is_plain) {
            return None;
        }
        let scheme = if is_https { "https" } else { "http" };
        Self::parse(&format!("{scheme}://{host}"))
    }

    /// Whether only the machine that the server runs on can open it.
    pub fn is_loopback(&self) -> bool {
        let uri: Option<Uri> = self.0.parse().ok();
        let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
        let number = host.trim_matches(['[', ']']).parse::<IpAddr>();
        match number {
            Ok(ip) => ip.to_canonical().is_loopback(),
            Err(_) => host == "localhost" || host.ends_with(".localhost"),
        }
    }

    /// The URL as text, without a final slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the public URL uses TLS, so that cookies and HSTS may require it.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// `Uri` accepts any text after the colon; an empty or too large port would make dead links.
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
            assert_eq!(PublicUrl::of_address(address.parse().unwrap(), false).as_str(), url);
        }
    }

    #[test]
    fn a_host_that_is_no_host_makes_no_url() {
        let of_host = |host| PublicUrl::of_host(host, false).map(|url| url.to_string());
        for host in ["larder.lan", "192.168.1.5:7070", "[fe80::1]:7070", "LARDER.local", "my_box"] {
            assert_eq!(of_host(host), Some(format!("http://{host}")));
        }
        assert_eq!(PublicUrl::of_host("larder.lan", true).unwrap().as_str(), "https://larder.lan");
        for host in [
            "",
            ":80",
            "a/b",
            "a?b",
            "a#b",
            "u@a",
            "a b",
            "a\"b",
            "<a>",
            "a:",
            "a:0",
            "a:1:2",
            "\u{430}.example",
            &"a".repeat(300),
        ] {
            assert_eq!(of_host(host), None, "{host:?}");
        }
    }

    #[test]
    fn loopback_is_told_by_name_and_number() {
        for (url, is_loopback) in [
            ("http://127.0.0.1:7070", true),
            ("http://127.8.9.1", true),
            ("http://[::1]:7070", true),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://localhost:7070", true),
            ("http://larder.localhost", true),
            ("http://192.168.1.5:7070", false),
            ("http://localhost.example", false),
            ("https://larder.example/127.0.0.1", false),
        ] {
            assert_eq!(PublicUrl::parse(url).unwrap().is_loopback(), is_loopback, "{url}");
        }
    }

    #[test]
    fn only_https_is_https() {
        assert!(PublicUrl::parse("https://larder.example").unwrap().is_https());
        assert!(!PublicUrl::parse("http://larder.example").unwrap().is_https());
    }
}
