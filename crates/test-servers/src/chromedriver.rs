//! Chromium's driver, which starts browsers and speaks `WebDriver`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::install::browser_program;
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};

/// A chromedriver process, shared by a test process. Tests end their own sessions; the profiles of
/// all browsers are in its directory and deleted with it.
pub struct ChromeDriver {
    address: SocketAddr,
    chromium: PathBuf,
    _process: Supervised,
}

impl ChromeDriver {
    /// The one of this test process, started at the first call.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<ChromeDriver> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// The listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The browser for sessions. Pass it [`Self::ENDS_WITH_ITS_DRIVER`].
    pub fn chromium(&self) -> &PathBuf {
        &self.chromium
    }

    /// A browser argument. The browser is then driven through a pipe and exits when it closes, so
    /// none is left over when the test process is killed.
    pub const ENDS_WITH_ITS_DRIVER: &str = "--remote-debugging-pipe";

    fn start() -> Self {
        let address = free_address();
        let directory = tempfile::Builder::new().prefix("larder-chromium-").tempdir();
        // Kept: the watchdog deletes it when everything has ended.
        let directory = directory.expect("a temporary directory can be made").keep();
        let driver = browser_program("CHROMEDRIVER", "chromedriver");
        let command = vec![
            "env".to_owned(),
            // For the profiles.
            format!("TMPDIR={}", directory.display()),
            driver.display().to_string(),
            format!("--port={}", address.port()),
        ];
        let plan = Plan {
            command,
            directory: &directory,
            kill_signal: "KILL",
            end_signal: "TERM",
            remove_directory: true,
        };
        let process = Supervised::start(&plan, |log| log.contains("started successfully"))
            .unwrap_or_else(|reason| panic!("{reason}"));
        Self { address, chromium: browser_program("CHROMIUM", "chromium"), _process: process }
    }
}
