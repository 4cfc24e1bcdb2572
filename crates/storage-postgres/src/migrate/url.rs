//! The same database with another role.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that must be percent-encoded in userinfo (RFC 3986).
const USERINFO: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b':')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'@')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The URL with other credentials; everything else, such as TLS settings, is kept.
pub(super) fn for_role(owner_url: &str, role: &str, password: Option<&str>) -> String {
    let (scheme, rest) = owner_url.split_once("://").unwrap_or(("postgres", owner_url));
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let mut url = format!("{scheme}://{}", utf8_percent_encode(role, USERINFO));
    if let Some(password) = password {
        url.push(':');
        url.extend(utf8_percent_encode(password, USERINFO));
    }
    url.push('@');
    url.push_str(host);
    url.push_str(&without_login(tail));
    url
}

/// Path and query without the parameters for user and password.
fn without_login(tail: &str) -> String {
    let Some((path, query)) = tail.split_once('?') else { return tail.to_owned() };
    let is_login = |pair: &&str| !pair.starts_with("user=") && !pair.starts_with("password=");
    let kept: Vec<_> = query.split('&').filter(is_login).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::for_role;

    #[test]
    fn only_who_logs_in_changes() {
        let owner = "postgres://own%20er:s%40crt@db.example:5433/larder?sslmode=verify-full";
        assert_eq!(
            for_role(owner, "larder_runtime", Some("f00")),
            "postgres://larder_runtime:f00@db.example:5433/larder?sslmode=verify-full"
        );
    }

    #[test]
    fn a_login_among_the_parameters_goes_too() {
        let owner = "postgresql:///larder?user=owner&host=/run/pg&password=x";
        assert_eq!(for_role(owner, "r", None), "postgresql://r@/larder?host=/run/pg");
        assert_eq!(for_role("postgres://h/d?user=a", "r", None), "postgres://r@h/d");
    }

    #[test]
    fn a_password_is_escaped() {
        assert_eq!(
            for_role("postgres://h/d", "r", Some("a:b@c/é")),
            "postgres://r:a%3Ab%40c%2F%C3%A9@h/d"
        );
    }
}
