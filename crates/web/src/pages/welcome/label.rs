//! The label by which people recognise a session: browser and operating system, from the
//! User-Agent.

use axum::http::{HeaderMap, header};
use larder_domain::SessionLabel;

/// Browsers by a part of the User-Agent that only they have, more specific ones first: most claim
/// to be each other.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The label of this request's browser.
pub(super) fn label(headers: &HeaderMap) -> SessionLabel {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let agent = agent.unwrap_or_default();
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    let text = match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} · {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Browser".to_owned(),
    };
    SessionLabel::parse(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn label_of(agent: &'static str) -> String {
        let agent = (header::USER_AGENT, HeaderValue::from_static(agent));
        label(&HeaderMap::from_iter([agent])).as_str().to_owned()
    }

    #[test]
    fn a_browser_and_its_system_are_recognised() {
        let phone = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36";
        assert_eq!(label_of(phone), "Chrome · Android");
        let tablet = "Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1";
        assert_eq!(label_of(tablet), "Safari · iPad");
        assert_eq!(label_of("curl/8.0"), "Browser");
    }
}
