//! Options of a browser.

use larder_test_servers::ChromeDriver;
use serde_json::{Value, json};

use super::webdriver::Session;

/// A name of this machine that browsers do not know as local, so that a page there is not a secure
/// context: as in most homes.
pub(crate) const PLAIN_HOST: &str = "larder.test";

/// Options of a browser. By default a phone in English, with a light theme and scripts.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    languages: &'static str,
    theme: &'static str,
    width: u32,
    height: u32,
    is_phone: bool,
    runs_scripts: bool,
    /// A film (Y4M) in place of a camera.
    film: Option<&'static str>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            languages: "en-GB,en",
            theme: "light",
            width: 390,
            height: 844,
            is_phone: true,
            runs_scripts: true,
            film: None,
        }
    }
}

impl Options {
    /// Prefers Japanese pages.
    pub(crate) fn japanese(self) -> Self {
        Self { languages: "ja-JP,ja", ..self }
    }

    /// Prefers light on dark.
    pub(crate) fn dark(self) -> Self {
        Self { theme: "dark", ..self }
    }

    /// A window of 1280 × 800.
    pub(crate) fn laptop(self) -> Self {
        Self { width: 1280, height: 800, is_phone: false, ..self }
    }

    /// Another screen of a phone.
    pub(crate) fn screen(self, width: u32, height: u32) -> Self {
        Self { width, height, ..self }
    }

    /// Runs no script of any page.
    pub(crate) fn without_script(self) -> Self {
        Self { runs_scripts: false, ..self }
    }

    /// Has a camera that sees this film (Y4M), and may use it without asking.
    pub(crate) fn filming(self, film: &'static str) -> Self {
        Self { film: Some(film), ..self }
    }

    /// Capabilities for starting the browser.
    pub(super) fn capabilities(&self) -> Value {
        let camera = self.film.map(|film| {
            [
                "--use-fake-ui-for-media-stream".to_owned(),
                "--use-fake-device-for-media-stream".to_owned(),
                format!("--use-file-for-fake-video-capture={film}"),
            ]
        });
        let resolver = format!("--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1");
        let mut capabilities = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": {
                "binary": ChromeDriver::shared().chromium(),
                "args": [
                    "--headless=new",
                    ChromeDriver::ENDS_WITH_ITS_DRIVER,
                    // Containers have no user namespaces for root; only our own pages are opened.
                    "--no-sandbox",
                    // Nor much shared memory.
                    "--disable-dev-shm-usage",
                    "--disable-crash-reporter",
                    format!("--window-size={},{}", self.width.max(500), self.height),
                    resolver,
                    // The preference is for a browser with windows, the argument for one without.
                    format!("--accept-lang={}", self.languages),
                ],
                "prefs": { "intl.accept_languages": self.languages },
            },
        });
        let arguments = capabilities["goog:chromeOptions"]["args"].as_array_mut().unwrap();
        arguments.extend(camera.into_iter().flatten().map(Value::from));
        capabilities
    }

    /// Settings after the start.
    pub(super) async fn apply_to(&self, session: &Session) {
        prefer(session, self.theme).await;
        resize(session, self.width, self.height, self.is_phone).await;
        if !self.runs_scripts {
            session.debug("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        }
    }
}

/// Emulates a screen.
pub(super) async fn resize(session: &Session, width: u32, height: u32, is_phone: bool) {
    let screen = json!({
        "width": width,
        "height": height,
        "deviceScaleFactor": 1,
        "mobile": is_phone,
    });
    session.debug("Emulation.setDeviceMetricsOverride", screen).await;
    session.debug("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone })).await;
}

/// Emulates the preference for `light` or `dark`.
pub(super) async fn prefer(session: &Session, theme: &str) {
    let theme = json!([{ "name": "prefers-color-scheme", "value": theme }]);
    session.debug("Emulation.setEmulatedMedia", json!({ "features": theme })).await;
}
