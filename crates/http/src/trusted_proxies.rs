//! Which proxies are believed about the address of a client.

use std::{net::IpAddr, sync::Arc};

/// A range of addresses, written `10.0.0.0/8`, or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRange {
    network: IpAddr,
    prefix_bits: u8,
}

impl AddressRange {
    /// Reads `address` or `address/bits`.
    pub fn parse(text: &str) -> Option<Self> {
        let (network, prefix_bits) = match text.split_once('/') {
            Some((network, bits)) => (network, Some(bits.parse::<u8>().ok()?)),
            None => (text, None),
        };
        let network: IpAddr = network.parse().ok()?;
        let all_bits = if network.is_ipv4() { 32 } else { 128 };
        let prefix_bits = prefix_bits.unwrap_or(all_bits);
        (prefix_bits <= all_bits).then_some(Self { network, prefix_bits })
    }

    /// Whether `address` is in the range.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.network, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let differing = network.to_bits() ^ address.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix_bits)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let differing = network.to_bits() ^ address.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix_bits)
            }
            _ => false,
        }
    }
}

/// The proxies whose forwarding headers are trusted; by default none, as any client can send one.
/// Cheap to clone: every request carries it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Arc<[AddressRange]>);

impl TrustedProxies {
    /// The accepted values, for error messages.
    pub const ACCEPTED: &str =
        "IP addresses or ranges separated by commas, such as 127.0.0.1,10.0.0.0/8";

    /// Reads a comma-separated list of ranges.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|range| AddressRange::parse(range.trim()))
            .collect::<Option<_>>()
            .map(Self)
    }

    /// Whether the peer at `address` is believed.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trusts(ranges: &str, address: &str) -> bool {
        TrustedProxies::parse(ranges).unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn a_single_address_trusts_itself_alone() {
        assert!(trusts("10.1.2.3", "10.1.2.3"));
        assert!(!trusts("10.1.2.3", "10.1.2.4"));
        assert!(!trusts("::1", "::2"));
    }

    #[test]
    fn a_range_trusts_exactly_its_addresses() {
        assert!(trusts("172.16.0.0/12", "172.31.255.255"));
        assert!(!trusts("172.16.0.0/12", "172.32.0.0"));
        assert!(trusts("fd00::/8", "fdff::1"));
        assert!(!trusts("fd00::/8", "fe00::1"));
        assert!(trusts("0.0.0.0/0", "8.8.8.8"));
    }

    #[test]
    fn an_ipv4_peer_of_a_dual_stack_socket_is_recognised() {
        assert!(trusts("10.0.0.0/8", "::ffff:10.1.2.3"));
    }

    #[test]
    fn nobody_is_trusted_by_default() {
        assert!(!TrustedProxies::default().contains("127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn what_is_not_a_list_of_ranges_is_refused() {
        for text in ["", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.1,", "10.0.0.0/-1"]
        {
            assert_eq!(TrustedProxies::parse(text), None, "{text:?}");
        }
    }
}
