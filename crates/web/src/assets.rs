//! Static assets: styles, modules, pictures. Compiled in, and cached by browsers forever, because
//! the URL changes with the content.

use std::sync::LazyLock;

use axum::{
    Router,
    body::Bytes,
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use minifier::js::{self, Keyword, Token};
use xxhash_rust::xxh3::Xxh3;

use crate::WebState;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// A file name and its content.
type Asset = (&'static str, &'static [u8]);

/// The colours are in a separate file, because the page of a tag has them too.
const BASE: &str =
    concat!(include_str!("../assets/colours.css"), include_str!("../assets/base.css"));

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [("base.css", BASE.as_bytes()), $(($name, include_bytes!(concat!("../assets/", $name)) as &[u8])),*]
    };
}

/// Every file in `assets/` that browsers load by itself.
const ASSETS: &[Asset] = &assets![
    "app.js",
    "chart.js",
    "copied.js",
    "copy.js",
    "forms.js",
    "household.css",
    "household.js",
    "icon-180.png",
    "icon-192.png",
    "icon-512.png",
    "icon.svg",
    "live.js",
    "manifest.webmanifest",
    "morph.js",
    "outbox.js",
    "page.js",
    "print.css",
    "products.css",
    "rows.js",
    "scan.js",
    "sensors.css",
    "service-worker.js",
    "shopping.css",
    "shopping.js",
    "shortcuts.js",
    "stock.css",
    "stock.js",
    "tags.css",
    "tags.js",
    "tap.js",
    "things.css",
    "things.js",
    "today.css",
];

/// The files as browsers get them.
static SERVED: LazyLock<Vec<(&str, Bytes)>> = LazyLock::new(|| {
    let served = |(name, bytes): &Asset| {
        let text = std::str::from_utf8(bytes).ok();
        let small = match content_type(name) {
            SCRIPT => text.and_then(minified),
            STYLE => text.map(without_comments),
            _ => None,
        };
        (*name, small.map_or(Bytes::from_static(bytes), Bytes::from))
    };
    ASSETS.iter().map(served).collect()
});

/// A version of all of `assets/`.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Xxh3::new();
    for (name, bytes) in SERVED.iter() {
        hash.update(name.as_bytes());
        hash.update(bytes);
    }
    format!("{:016x}", hash.digest())
});

/// A script without what only its readers need, and with the shorter word for a constant. `None` if
/// it is not understood.
fn minified(script: &str) -> Option<String> {
    let tokens = js::tokenize(script).ok()?.apply(js::clean_tokens);
    let shorter = |token: &Token<'_>| {
        (*token == Token::Keyword(Keyword::Const)).then_some(Token::Keyword(Keyword::Let))
    };
    Some(js::replace_tokens_with(tokens, shorter).to_string())
}

/// A style without indentation, empty lines, and lines that are comments.
fn without_comments(style: &str) -> String {
    let lines = style.lines().map(str::trim);
    let is_comment = |line: &str| line.starts_with("/*") && line.ends_with("*/");
    let code = lines.filter(|line| !line.is_empty() && !is_comment(line));
    code.fold(String::with_capacity(style.len()), |code, line| code + line + "\n")
}

/// The URL of a file, relative to a page one folder deep, such as a tag's page: a proxy may have
/// added a prefix to both.
pub(crate) fn relative_address(name: &str) -> String {
    format!("..{}", address(name))
}

/// The URL of a file. Modules import each other by relative URLs, so the version is a folder.
pub(crate) fn address(name: &str) -> String {
    debug_assert!(find(name).is_some(), "{name} is not in assets/");
    format!("/assets/{}/{name}", *VERSION)
}

/// All scripts, as browsers get them.
#[cfg(test)]
pub(crate) fn scripts() -> Vec<(&'static str, String)> {
    let scripts = SERVED.iter().filter(|(name, _)| content_type(name) == SCRIPT);
    scripts.map(|(name, bytes)| (*name, String::from_utf8(bytes.to_vec()).unwrap())).collect()
}

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/assets/{version}/{name}", get(asset))
        .route("/service-worker.js", get(service_worker))
        // Browsers request it regardless of the page.
        .route("/favicon.ico", get(async || answer("icon.svg", "public, max-age=86400")))
}

async fn asset(Path((version, name)): Path<(String, String)>) -> Response {
    // A page from before an update requests an older version, and gets the current one, without
    // caching.
    let is_current = version == *VERSION;
    let caching = if is_current { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer(&name, caching)
}

/// Served where its scope is the whole app. A browser revalidates it at each visit.
async fn service_worker() -> Response {
    answer("service-worker.js", "no-cache")
}

fn answer(name: &str, caching: &'static str) -> Response {
    let Some(bytes) = find(name) else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [(header::CONTENT_TYPE, content_type(name)), (header::CACHE_CONTROL, caching)];
    (headers, bytes).into_response()
}

fn find(name: &str) -> Option<Bytes> {
    SERVED.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone())
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => SCRIPT,
        Some("css") => STYLE,
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Downloads must stay small. The page of a tag loads only its own script, and only the page
    /// that scans loads the one of the camera.
    const MAX_SCRIPT_BYTES: usize = 45_000;
    const MAX_OWN_SCRIPT_BYTES: usize = 4_500;

    #[test]
    fn all_scripts_together_stay_small() {
        let scripts = SERVED.iter().filter(|(name, _)| content_type(name) == SCRIPT);
        let bytes: usize = scripts.map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes <= MAX_SCRIPT_BYTES, "{bytes} bytes of script");
        for name in ["tap.js", "scan.js"] {
            let bytes = find(name).expect("it is a script").len();
            assert!(bytes <= MAX_OWN_SCRIPT_BYTES, "{name}: {bytes} bytes");
        }
    }

    #[test]
    fn browsers_get_styles_without_comments() {
        let style = "/* Why. */\n.a {\n  color: red; /* b */\n\n}\n";
        assert_eq!(without_comments(style), ".a {\ncolor: red; /* b */\n}\n");
    }

    #[test]
    fn browsers_get_scripts_without_what_only_readers_need() {
        let script = "// Why.\nconst a = `${b ? 'x : y' : c} = 1`;\n\nif (a?.d ?? e) {\n  f('const  g');\n}\n\
                      const h = /[\\w-]* \"/.exec(i);\n";
        let expected =
            "let a=`${b ? 'x : y' : c} = 1`;if(a?.d??e){f('const  g');}let h=/[\\w-]* \"/.exec(i);";
        assert_eq!(minified(script).as_deref(), Some(expected));
    }

    #[test]
    fn every_script_is_understood() {
        for (name, bytes) in ASSETS.iter().filter(|(name, _)| content_type(name) == SCRIPT) {
            let script = std::str::from_utf8(bytes).expect("a script is text");
            assert!(minified(script).is_some_and(|small| small.len() < script.len()), "{name}");
        }
    }

    #[test]
    fn the_script_of_taps_makes_no_markup_of_texts_and_loads_nothing_from_outside() {
        let script = find("tap.js").unwrap();
        let script = str::from_utf8(&script).unwrap();
        for word in ["innerHTML", "insertAdjacentHTML", "eval(", "http://", "https://"] {
            assert!(!script.contains(word), "{word}");
        }
    }

    #[test]
    fn every_file_has_a_type_and_an_address() {
        for (name, bytes) in ASSETS {
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
            assert!(address(name).ends_with(name));
            assert!(!bytes.is_empty(), "{name}");
        }
    }
}
