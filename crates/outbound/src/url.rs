//! URLs that the operator has named.

use std::fmt;

use url::{Host, Url};

/// An `http` or `https` URL. Its path and query may contain a token, so only its host is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct OutboundUrl(Url);

impl OutboundUrl {
    /// The accepted values, for error messages.
    pub const ACCEPTED: &str =
        "an http or https URL with a host and without user name, password or fragment";

    /// Parses a URL; `None` if it is unusable. A user name and password would have to become a
    /// header, which no caller sends.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let usable = matches!(url.scheme(), "http" | "https")
            && url.host_str().is_some_and(|host| !host.is_empty())
            && url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none()
            && url.port() != Some(0);
        usable.then_some(Self(url))
    }

    /// Whether the receiver must present a certificate.
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether nobody on the way can read what is sent: over TLS, or to this machine.
    pub fn is_private(&self) -> bool {
        self.is_https()
            || match self.0.host() {
                Some(Host::Domain(name)) => name == "localhost",
                Some(Host::Ipv4(address)) => address.is_loopback(),
                Some(Host::Ipv6(address)) => address.is_loopback(),
                None => false,
            }
    }

    /// The host, without the port.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Whether there is a query, for which URLs below it have no place.
    pub fn has_query(&self) -> bool {
        self.0.query().is_some()
    }

    /// The whole URL, for calling it.
    pub fn uri(&self) -> &str {
        self.0.as_str()
    }

    /// The URL of a path below this one, such as `/api/v2`.
    pub fn below(&self, path: &str) -> String {
        format!("{}{path}", self.0.as_str().trim_end_matches('/'))
    }
}

impl fmt::Display for OutboundUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.0.scheme(), self.0.host_str().unwrap_or_default())?;
        self.0.port().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl fmt::Debug for OutboundUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_ports_paths_and_queries_can_be_called() {
        for (text, shown) in [
            ("https://hooks.example", "https://hooks.example"),
            ("https://hooks.example/larder?key=hunter2", "https://hooks.example"),
            ("http://192.168.1.5:8080/hook/hunter2", "http://192.168.1.5:8080"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            let url = OutboundUrl::parse(text).unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), shown, "a token in it stays out of logs");
        }
    }

    #[test]
    fn what_cannot_be_called_is_refused() {
        for text in [
            "",
            "hooks.example",
            "/hook",
            "ftp://hooks.example",
            "mailto:anna@example.org",
            "https://",
            "https://anna:hunter2@hooks.example",
            "https://anna@hooks.example",
            "https://hooks.example#x",
            "https://hooks.example:0",
            "https://hooks.example:70000",
            "https://hooks example",
        ] {
            assert_eq!(OutboundUrl::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_path_goes_below_it_with_or_without_a_final_slash() {
        for base in ["https://off.example/world", "https://off.example/world/"] {
            let url = OutboundUrl::parse(base).unwrap();
            assert_eq!(url.below("/api/v2"), "https://off.example/world/api/v2");
            assert!(!url.has_query());
        }
        let bare = OutboundUrl::parse("http://127.0.0.1:1").unwrap();
        assert_eq!(bare.below("/x.json?y=z"), "http://127.0.0.1:1/x.json?y=z");
        assert!(OutboundUrl::parse("https://off.example/?").unwrap().has_query());
    }

    #[test]
    fn only_tls_and_this_machine_are_private() {
        let is_private = |text| OutboundUrl::parse(text).unwrap().is_private();
        for text in
            ["https://id.example", "http://127.0.0.1:1", "http://[::1]/", "http://localhost:8080"]
        {
            assert!(is_private(text), "{text}");
        }
        for text in ["http://id.example", "http://192.168.1.5", "http://localhost.example"] {
            assert!(!is_private(text), "{text}");
        }
    }

    #[test]
    fn only_https_is_https() {
        assert!(OutboundUrl::parse("https://hooks.example").unwrap().is_https());
        assert!(!OutboundUrl::parse("http://hooks.example").unwrap().is_https());
    }
}
