//! Whose browser it is.

use larder_test_servers::ChromeDriver;
use serde_json::{Value, json};

use super::webdriver::Session;

/// A name of this machine that is not known as such, so that a page there is no secure context: as in
/// most homes.
pub(crate) const PLAIN_HOST: &str = "larder.test";

/// What a browser is like. A phone that speaks English, in light, which runs scripts, unless told
/// otherwise.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    languages: &'static str,
    theme: &'static str,
    width: u32,
    height: u32,
    is_phone: bool,
    runs_scripts: bool,
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
        }
    }
}

impl Options {
    /// Asks for Japanese pages.
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

    /// What the driver starts the browser with.
    pub(super) fn capabilities(&self) -> Value {
        let resolver = format!("--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1");
        json!({
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": {
                "binary": ChromeDriver::shared().chromium(),
                "args": [
                    "--headless=new",
                    ChromeDriver::ENDS_WITH_ITS_DRIVER,
                    // Containers have no user namespaces for root; what is opened here is ours.
                    "--no-sandbox",
                    // Nor much shared memory.
                    "--disable-dev-shm-usage",
                    "--disable-crash-reporter",
                    format!("--window-size={},{}", self.width.max(500), self.height),
                    resolver,
                ],
                "prefs": { "intl.accept_languages": self.languages },
            },
        })
    }

    /// What is set once it runs.
    pub(super) async fn apply_to(&self, session: &Session) {
        prefer(session, self.theme).await;
        let screen = json!({
            "width": self.width,
            "height": self.height,
            "deviceScaleFactor": 1,
            "mobile": self.is_phone,
        });
        session.debug("Emulation.setDeviceMetricsOverride", screen).await;
        let touch = json!({ "enabled": self.is_phone });
        session.debug("Emulation.setTouchEmulationEnabled", touch).await;
        if !self.runs_scripts {
            session.debug("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        }
    }
}

/// Has pages know that `light` or `dark` is wanted.
pub(super) async fn prefer(session: &Session, theme: &str) {
    let theme = json!([{ "name": "prefers-color-scheme", "value": theme }]);
    session.debug("Emulation.setEmulatedMedia", json!({ "features": theme })).await;
}
