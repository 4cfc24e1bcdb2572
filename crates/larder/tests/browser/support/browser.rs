//! One browser, and navigation.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use larder_test_servers::{Fault, FaultProxy};
use serde_json::{Value, json};

use super::console::Console;
use super::network::Traffic;
use super::options::{self, Options};
use super::seat::{self, Seat};
use super::webdriver::Session;
use crate::it::support::Server;

/// A browser with a fresh profile, for one server. Every error panics.
pub(crate) struct Browser {
    pub(super) session: Session,
    pub(super) console: Mutex<Console>,
    pub(super) traffic: Mutex<Traffic>,
    /// All its connections to the server, so that they can be cut: also those of a service worker,
    /// which the debugger of a page does not reach.
    connections: FaultProxy,
    _seat: Seat,
}

impl Browser {
    /// A phone that speaks English.
    pub(crate) async fn open(server: &Server) -> Self {
        Self::with(server, Options::default()).await
    }

    /// Any other.
    pub(crate) async fn with(server: &Server, options: Options) -> Self {
        Self::at(server.address().get(), options).await
    }

    /// A browser for this address, instead of a server.
    pub(crate) async fn at(address: SocketAddr, options: Options) -> Self {
        let seat = seat::take().await;
        let connections = FaultProxy::in_front_of(address).await;
        let session = Session::start(&options.capabilities()).await;
        options.apply_to(&session).await;
        Self {
            session,
            console: Mutex::default(),
            traffic: Mutex::default(),
            connections,
            _seat: seat,
        }
    }

    /// The server's origin for this browser.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.connections.address())
    }

    /// Opens a page of the server, and waits until it is loaded.
    pub(crate) async fn go(&self, path: &str) {
        self.go_to(&format!("{}{path}", self.origin())).await;
    }

    /// The same with any address.
    pub(crate) async fn go_to(&self, address: &str) {
        self.must("url", json!({ "url": address })).await;
    }

    /// Loads the page again.
    pub(crate) async fn reload(&self) {
        self.must("refresh", json!({})).await;
    }

    /// Goes back in the history.
    pub(crate) async fn back(&self) {
        self.must("back", json!({})).await;
    }

    /// The path and the query of the page.
    pub(crate) async fn path(&self) -> String {
        self.text_of("return location.pathname + location.search").await
    }

    /// Runs the body of a function in the page and returns its result or resolved promise. Works
    /// even if the page's scripts are disabled.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.run_with(script, json!([])).await
    }

    /// The same with `arguments`.
    pub(crate) async fn run_with(&self, script: &str, arguments: Value) -> Value {
        let returned = self.session.run(script, arguments).await;
        returned.unwrap_or_else(|refusal| panic!("`{script}`: {refusal}"))
    }

    /// The same for a script that returns text.
    pub(crate) async fn text_of(&self, script: &str) -> String {
        let returned = self.run(script).await;
        returned.as_str().unwrap_or_else(|| panic!("no text, but {returned}: {script}")).to_owned()
    }

    /// Runs a script in every page from now on, before the page's own.
    pub(crate) async fn run_in_every_page(&self, script: &str) {
        let source = json!({ "source": script });
        self.session.debug("Page.addScriptToEvaluateOnNewDocument", source).await;
    }

    /// Goes offline or online: for pages, service workers and `navigator.onLine`.
    pub(crate) async fn offline(&self, is_offline: bool) {
        if is_offline {
            // The browser logs each failed request, as expected.
            self.expect_complaint("net::ERR_");
            self.connections.set(Fault::Drop).await;
        }
        let conditions = json!({
            "offline": is_offline,
            "latency": 0,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        });
        if !is_offline {
            self.connections.set(Fault::None).await;
        }
        self.session.debug("Network.emulateNetworkConditions", conditions).await;
    }

    /// How many bytes the browser has sent to the server and received from it, with headers: on every
    /// connection, also those of live events and of a service worker.
    pub(crate) fn exchanged(&self) -> (u64, u64) {
        self.connections.passed()
    }

    /// Sets the minimal latency of requests.
    pub(crate) async fn delay(&self, latency_ms: u32) {
        let conditions = json!({
            "offline": false,
            "latency": latency_ms,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        });
        self.session.debug("Network.emulateNetworkConditions", conditions).await;
    }

    /// Has pages believe that they are in this time zone from now on.
    pub(crate) async fn travel_to(&self, zone: &str) {
        let zone = json!({ "timezoneId": zone });
        self.session.debug("Emulation.setTimezoneOverride", zone).await;
    }

    /// Makes requests with matching URLs fail from now on; `*` is a wildcard. An empty list blocks
    /// none.
    pub(crate) async fn block(&self, addresses: &[&str]) {
        if !addresses.is_empty() {
            self.expect_complaint("net::ERR_BLOCKED_BY_CLIENT");
        }
        self.session.debug("Network.setBlockedURLs", json!({ "urls": addresses })).await;
    }

    /// Disables caches and service workers from now on, as if each visit were the first.
    pub(crate) async fn forget_everything_loaded(&self) {
        self.session.debug("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await;
        self.session.debug("Network.setBypassServiceWorker", json!({ "bypass": true })).await;
    }

    /// Emulates the preference for `light` or `dark`.
    pub(crate) async fn prefer(&self, theme: &str) {
        options::prefer(&self.session, theme).await;
    }

    /// Gives it another screen: of a phone, or of a laptop from 1000 pixels on.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        options::resize(&self.session, width, height, width < 1000).await;
    }

    /// Sets a cookie of the server.
    pub(crate) async fn set_cookie(&self, name: &str, value: &str) {
        let cookie = json!({
            "name": name,
            "value": value,
            "url": self.origin(),
            "httpOnly": true,
            "sameSite": "Lax",
        });
        let answer = self.session.debug("Network.setCookie", cookie).await;
        assert_eq!(answer["success"], true, "{answer}");
    }

    /// A screenshot, as PNG.
    pub(crate) async fn screenshot(&self, file: &Path) {
        let picture = self.session.get("screenshot").await;
        let picture = picture.unwrap_or_else(|refusal| panic!("no picture: {refusal}"));
        let picture = picture.as_str().expect("a picture is text in Base64");
        let picture = BASE64_STANDARD.decode(picture).expect("a picture is text in Base64");
        std::fs::write(file, picture)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    }

    /// A command that succeeds.
    pub(super) async fn must(&self, command: &str, body: Value) -> Value {
        let answer = self.session.post(command, body.clone()).await;
        answer.unwrap_or_else(|refusal| panic!("{command} {body}: {refusal}"))
    }
}
