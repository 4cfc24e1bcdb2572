//! URLs of our own pages with parameters.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything except the unreserved characters of RFC 3986, 2.3.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A value as a path segment, or in a query.
pub(crate) fn escape(value: &str) -> String {
    utf8_percent_encode(value, ESCAPED).to_string()
}

/// A path with a query; empty values are omitted.
pub(crate) fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut address = path.to_owned();
    let mut join = '?';
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        address.push(join);
        address.push_str(name);
        address.push('=');
        address.push_str(&escape(value));
        join = '&';
    }
    address
}

/// A path and query without one parameter.
pub(crate) fn without(address: &str, name: &str) -> String {
    let Some((path, query)) = address.split_once('?') else { return address.to_owned() };
    let is_kept = |pair: &&str| pair.split('=').next() != Some(name);
    let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_query_is_left_out() {
        for (address, rest) in [
            ("/stock", "/stock"),
            ("/stock?notice=a", "/stock"),
            ("/stock?sort=name&notice=a&x=notice", "/stock?sort=name&x=notice"),
            ("/stock?notices=1", "/stock?notices=1"),
        ] {
            assert_eq!(without(address, "notice"), rest);
        }
    }

    #[test]
    fn values_cannot_leave_their_place() {
        assert_eq!(with_query("/stock", &[]), "/stock");
        assert_eq!(
            with_query("/stock", &[("search", "a&b=c #米"), ("sort", ""), ("x", "1")]),
            "/stock?search=a%26b%3Dc%20%23%E7%B1%B3&x=1"
        );
        assert_eq!(escape("urn:a/b"), "urn%3Aa%2Fb");
    }
}
