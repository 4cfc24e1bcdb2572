//! The base of every link in an answer: the public URL if configured, else the host of the request.

use std::{convert::Infallible, fmt, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{header, request::Parts, uri::Authority},
};

use crate::{PublicUrl, TrustedProxies};

/// How links are built on this server. The stack attaches it to every request.
#[derive(Clone, Debug)]
pub struct LinkSettings {
    /// As configured.
    pub public_url: Option<Arc<PublicUrl>>,
    /// The listening address, for a client without a `Host` header.
    pub listening: Arc<PublicUrl>,
}

impl Default for LinkSettings {
    /// For requests without a socket.
    fn default() -> Self {
        let listening = PublicUrl::of_address(SocketAddr::from(([127, 0, 0, 1], 80)), false);
        Self { public_url: None, listening: Arc::new(listening) }
    }
}

/// The server's base URL for the reader of this answer, without a final slash.
///
/// A client with a forged host gets dead links, but no one else sees them: answers with links are
/// never cached. Messages to other people, such as mail, must not use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkBase(Arc<PublicUrl>);

impl LinkBase {
    /// The URL without a final slash.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether links work only on the server's own machine.
    pub fn is_loopback(&self) -> bool {
        self.0.is_loopback()
    }

    fn of(parts: &Parts) -> Self {
        let settings = parts.extensions.get::<LinkSettings>();
        if let Some(public_url) = settings.and_then(|settings| settings.public_url.as_ref()) {
            return Self(Arc::clone(public_url));
        }
        let is_https = settings.is_some_and(|settings| settings.listening.is_https());
        if let Some(url) = asked_for(parts, is_https) {
            return Self(Arc::new(url));
        }
        Self(settings.map_or_else(LinkSettings::default, LinkSettings::clone).listening)
    }
}

/// The URL that the client requested. Trusted proxies forward it.
fn asked_for(parts: &Parts, is_https: bool) -> Option<PublicUrl> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let trusted = parts.extensions.get::<TrustedProxies>();
    let is_proxied =
        trusted.zip(peer).is_some_and(|(trusted, peer)| trusted.contains(peer.to_canonical()));
    // The nearest proxy is the last to append.
    let said = |name: &str| {
        let value = parts.headers.get(name).filter(|_| is_proxied)?.to_str().ok()?;
        value.rsplit(',').next().map(str::trim)
    };
    let is_https = said("x-forwarded-proto").map_or(is_https, |scheme| scheme == "https");
    let host = said("x-forwarded-host")
        .or_else(|| parts.uri.authority().map(Authority::as_str))
        .or_else(|| parts.headers.get(header::HOST)?.to_str().ok())?;
    PublicUrl::of_host(host, is_https)
}

impl fmt::Display for LinkBase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl<S: Sync> FromRequestParts<S> for LinkBase {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn base(public_url: Option<&str>, headers: &[(&str, &str)]) -> String {
        let url = |text: &str| Arc::new(PublicUrl::parse(text).unwrap());
        let settings = LinkSettings {
            public_url: public_url.map(url),
            listening: url("http://127.0.0.1:7070"),
        };
        let peer: SocketAddr = "10.0.0.9:1234".parse().unwrap();
        let mut request = Request::builder()
            .uri("/household")
            .extension(settings)
            .extension(ConnectInfo(peer))
            .extension(TrustedProxies::parse("10.0.0.9").unwrap());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        LinkBase::of(&request.body(()).unwrap().into_parts().0).to_string()
    }

    #[test]
    fn the_public_url_wins_over_what_the_client_says() {
        let headers = [("host", "evil.example"), ("x-forwarded-host", "evil.example")];
        assert_eq!(base(Some("https://larder.example"), &headers), "https://larder.example");
    }

    #[test]
    fn without_one_it_is_the_host_that_was_asked_for() {
        assert_eq!(base(None, &[("host", "192.168.1.5:7070")]), "http://192.168.1.5:7070");
        assert_eq!(base(None, &[("host", "kitchen.local")]), "http://kitchen.local");
    }

    #[test]
    fn a_trusted_proxy_says_what_it_was_asked_for() {
        let headers = [
            ("host", "127.0.0.1:7070"),
            ("x-forwarded-host", "forged.example, larder.example"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(base(None, &headers), "https://larder.example");
    }

    #[test]
    fn nobody_else_does() {
        let settings = LinkSettings {
            public_url: None,
            listening: Arc::new(PublicUrl::parse("http://127.0.0.1:7070").unwrap()),
        };
        let request = Request::builder()
            .extension(settings)
            .extension(ConnectInfo::<SocketAddr>("10.0.0.8:1234".parse().unwrap()))
            .extension(TrustedProxies::parse("10.0.0.9").unwrap())
            .header("host", "kitchen.local")
            .header("x-forwarded-host", "evil.example")
            .header("x-forwarded-proto", "https");
        let parts = request.body(()).unwrap().into_parts().0;
        assert_eq!(LinkBase::of(&parts).as_str(), "http://kitchen.local");
    }

    #[test]
    fn a_host_that_is_none_leaves_where_the_server_listens() {
        assert_eq!(base(None, &[]), "http://127.0.0.1:7070");
        assert_eq!(base(None, &[("host", "a/b\"")]), "http://127.0.0.1:7070");
    }
}
