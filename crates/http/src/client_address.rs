//! The client's network address: the key of per-address rate limits.

use std::{
    convert::Infallible,
    hash::{Hash, Hasher},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, request::Parts},
};

use crate::TrustedProxies;

/// The client's address. Two are equal if they are of one network: the same IPv4 address, or the
/// same /64 of IPv6 addresses, because one subscriber has a whole /64.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// The client with this address.
    pub const fn of(address: IpAddr) -> Self {
        Self(address.to_canonical())
    }

    /// The address itself.
    pub const fn ip(self) -> IpAddr {
        self.0
    }

    const fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(v4) => IpAddr::V4(v4),
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
        }
    }

    /// The client behind trusted proxies.
    ///
    /// Each proxy appends the address it saw. Read from the right, an entry counts only if everyone to its
    /// right is trusted; everything further left is the client's own claim.
    fn behind_proxies(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies) -> Self {
        let values = headers.get_all("x-forwarded-for").iter();
        let entries: Vec<&str> =
            values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).collect();
        let mut client = peer;
        for entry in entries.iter().rev() {
            if !trusted.contains(client) {
                break;
            }
            let Some(hop) = parse_hop(entry.trim()) else { break };
            client = hop;
        }
        Self::of(client)
    }
}

impl PartialEq for ClientAddress {
    fn eq(&self, other: &Self) -> bool {
        self.network() == other.network()
    }
}

impl Eq for ClientAddress {}

impl Hash for ClientAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.network().hash(state);
    }
}

/// Some proxies write the port as well.
fn parse_hop(entry: &str) -> Option<IpAddr> {
    let address = entry.parse::<IpAddr>().ok();
    address.or_else(|| entry.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // Without a socket (a function runtime) all clients share one address and one limit.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        Ok(match parts.extensions.get::<TrustedProxies>() {
            Some(trusted) => Self::behind_proxies(&parts.headers, peer, trusted),
            None => Self::of(peer),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axum::http::Request;

    use super::*;

    async fn client(trusted: Option<&str>, forwarded: &[&str]) -> String {
        let peer: SocketAddr = "10.0.0.9:1234".parse().unwrap();
        let trusted =
            trusted.map(|ranges| TrustedProxies::parse(ranges).unwrap()).unwrap_or_default();
        let mut request = Request::builder().extension(ConnectInfo(peer)).extension(trusted);
        for value in forwarded {
            request = request.header("x-forwarded-for", *value);
        }
        let mut parts = request.body(()).unwrap().into_parts().0;
        let Ok(address) = ClientAddress::from_request_parts(&mut parts, &()).await;
        address.0.to_string()
    }

    #[tokio::test]
    async fn the_header_is_not_believed_without_a_trusted_proxy() {
        assert_eq!(client(None, &["1.2.3.4"]).await, "10.0.0.9");
        assert_eq!(client(Some("127.0.0.1"), &["1.2.3.4"]).await, "10.0.0.9");
    }

    #[tokio::test]
    async fn a_trusted_proxy_names_the_client_and_a_forged_entry_changes_nothing() {
        let ours = Some("10.0.0.0/24");
        assert_eq!(client(ours, &["1.2.3.4"]).await, "1.2.3.4");
        assert_eq!(client(ours, &["6.6.6.6, 1.2.3.4"]).await, "1.2.3.4");
        assert_eq!(client(ours, &["6.6.6.6", "1.2.3.4:5678"]).await, "1.2.3.4");
        assert_eq!(client(ours, &["6.6.6.6, 1.2.3.4, 10.0.0.1"]).await, "1.2.3.4");
    }

    #[tokio::test]
    async fn an_entry_that_is_no_address_leaves_the_last_that_was() {
        let ours = Some("10.0.0.0/24");
        assert_eq!(client(ours, &["unknown"]).await, "10.0.0.9");
        assert_eq!(client(ours, &[]).await, "10.0.0.9");
        assert_eq!(client(ours, &["1.2.3.4, unknown, 10.0.0.7"]).await, "10.0.0.7");
    }

    #[test]
    fn ipv6_is_counted_per_64() {
        let of = |text: &str| ClientAddress::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:1.2.3.4"), of("1.2.3.4"));
        let of_one_network = HashSet::from([of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9")]);
        assert_eq!(of_one_network.len(), 1);
    }

    #[test]
    fn the_address_itself_is_known_too() {
        let of = |text: &str| ClientAddress::of(text.parse().unwrap()).ip().to_string();
        assert_eq!(of("2001:db8:1:2:ffff::9"), "2001:db8:1:2:ffff::9");
        assert_eq!(of("::ffff:1.2.3.4"), "1.2.3.4");
    }
}
