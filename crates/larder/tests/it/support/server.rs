//! A server process: started on a free port, observed through its log, ended as the test wishes.

use std::{
    io::{BufRead as _, BufReader, PipeReader},
    net::SocketAddr,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

use larder::logging::PANIC;
use tokio::{
    process::{Child, Command},
    sync::oneshot,
    time::timeout,
};

use super::{Client, PATIENCE, StoreUnderTest, binary, until};

/// The JWT secret every server under test runs with, so that tests can sign tokens of their own.
pub(crate) const JWT_SECRET: &str = "a-secret-for-tests-only-0123456789abcdef";

/// Environment variables of one server, on top of the defaults for tests.
#[derive(Clone, Default)]
pub(crate) struct ServerSettings {
    environment: Vec<(&'static str, String)>,
    unset: Vec<&'static str>,
}

impl ServerSettings {
    /// Sets an environment variable of the server.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Leaves out one of the defaults for tests.
    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.unset.push(name);
        self
    }
}

/// The current listening address. Shared with the clients, so that they follow a restart.
#[derive(Clone)]
pub(crate) struct ServerAddress(Arc<Mutex<SocketAddr>>);

impl ServerAddress {
    pub(crate) fn get(&self) -> SocketAddr {
        *self.0.lock().expect("nobody panics while holding the address")
    }

    fn set(&self, address: SocketAddr) {
        *self.0.lock().expect("nobody panics while holding the address") = address;
    }
}

/// One running server and its store. Dropping it kills the process, and fails the test if the process has logged a
/// panic.
pub(crate) struct Server {
    store: Arc<StoreUnderTest>,
    settings: ServerSettings,
    address: ServerAddress,
    child: Child,
    log: Arc<Mutex<String>>,
    log_reader: Option<LogReader>,
}

impl Server {
    /// A ready server on a fresh store, rate limits off.
    pub(crate) async fn start() -> Self {
        Self::start_with(ServerSettings::default()).await
    }

    /// The same with settings of the test's own.
    pub(crate) async fn start_with(settings: ServerSettings) -> Self {
        Self::start_on(StoreUnderTest::fresh().await, settings).await
    }

    /// The same on the embedded engine, whichever was chosen.
    pub(crate) async fn embedded(settings: ServerSettings) -> Self {
        Self::start_on(StoreUnderTest::embedded().await, settings).await
    }

    /// The same on a store that the test has prepared.
    pub(crate) async fn start_on(
        store: impl Into<Arc<StoreUnderTest>>,
        settings: ServerSettings,
    ) -> Self {
        let server = Self::launch_on(store, settings).await;
        server.wait_until_ready().await;
        server
    }

    /// The same, which listens but need not be ready yet.
    pub(crate) async fn launch_on(
        store: impl Into<Arc<StoreUnderTest>>,
        settings: ServerSettings,
    ) -> Self {
        let store = store.into();
        let command = configured(&store, &settings);
        Self::launch_command(command, store, settings).await
    }

    /// Another program in place of the binary, which logs as that does: for tests of this harness.
    pub(crate) async fn stand_in(command: Command) -> Self {
        let store = StoreUnderTest::embedded().await;
        Self::launch_command(command, store.into(), ServerSettings::default()).await
    }

    async fn launch_command(
        command: Command,
        store: Arc<StoreUnderTest>,
        settings: ServerSettings,
    ) -> Self {
        let log = Arc::new(Mutex::new(String::new()));
        let (child, address, log_reader) = launch(command, &log).await;
        let address = ServerAddress(Arc::new(Mutex::new(address)));
        Self { store, settings, address, child, log, log_reader: Some(log_reader) }
    }

    /// `larder serve` on this store, not yet spawned: for starts that must fail.
    pub(crate) fn command(store: &StoreUnderTest) -> Command {
        let mut command = binary(store.environment(), store.scratch());
        command
            .env("LARDER_LOG", "json")
            .env("LARDER_RATE_LIMITS", "off")
            .env("LARDER_REGISTRATION", "open")
            .env("LARDER_JWT_SECRET", JWT_SECRET)
            .args(["serve", "--listen", "127.0.0.1:0", "--store", &store.setting()])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// Kills the process, like a power cut.
    pub(crate) async fn kill_9(&mut self) {
        self.child.start_kill().expect("the server still runs");
        self.wait_for_exit().await;
    }

    /// Stops the process (SIGTERM) without waiting for it.
    pub(crate) async fn ask_to_stop(&self) {
        let pid = self.child.id().expect("the server still runs").to_string();
        let status = Command::new("kill").args(["-TERM", &pid]).status().await;
        assert!(status.expect("`kill` can be run").success(), "SIGTERM was not delivered");
    }

    /// Waits for the process to end by itself.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        let status = timeout(PATIENCE, self.child.wait())
            .await
            .expect("the server ends in time")
            .expect("the server can be waited for");
        if let Some(reader) = self.log_reader.take() {
            let ended = timeout(PATIENCE, reader.ended).await;
            ended.expect("the log ends with its process").expect("the log can be read");
        }
        status
    }

    /// SIGTERM, and the exit status.
    pub(crate) async fn terminate(&mut self) -> ExitStatus {
        self.ask_to_stop().await;
        self.wait_for_exit().await
    }

    /// Starts again on the same store; the old process must have ended.
    pub(crate) async fn restart(&mut self) {
        let command = configured(&self.store, &self.settings);
        let (child, address, reader) = launch(command, &self.log).await;
        self.child = child;
        self.log_reader = Some(reader);
        self.address.set(address);
        self.wait_until_ready().await;
    }

    /// The number of the process, which still runs.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("the server still runs")
    }

    /// Everything logged so far, over restarts.
    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("the log is only appended to").clone()
    }

    /// The store the server runs on.
    pub(crate) fn store(&self) -> &StoreUnderTest {
        &self.store
    }

    /// The same, for another server to start on.
    pub(crate) fn into_store(self) -> Arc<StoreUnderTest> {
        Arc::clone(&self.store)
    }

    /// The listening address.
    pub(crate) fn address(&self) -> ServerAddress {
        self.address.clone()
    }

    /// A client without credentials.
    pub(crate) fn anonymous(&self) -> Client {
        Client::anonymous(self.address())
    }

    /// A freshly registered person in individual mode.
    pub(crate) async fn register(&self, name: &str) -> Client {
        self.anonymous().register(name).await
    }

    /// A newly registered user who is the admin of a new household.
    pub(crate) async fn with_household(&self, name: &str) -> Client {
        let person = self.register(name).await;
        person.create_household(&format!("{name}'s home")).await;
        person
    }

    /// The listening socket exists before the engine is open, so the first answers may be 503.
    async fn wait_until_ready(&self) {
        let client = self.anonymous();
        until("the server is ready", async || client.get_root("/readyz").await.status == 200).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("--- log of the server ---\n{}", self.log());
            return;
        }
        if let Some(reader) = self.log_reader.take() {
            // The log is complete only after the process has exited. An error means that it has.
            let _ = self.child.start_kill();
            let _ = reader.thread.join();
        }
        let log = self.log();
        let panics: Vec<_> = log.lines().filter(|line| is_panic(line)).collect();
        assert!(panics.is_empty(), "the server panicked: {panics:#?}\n--- its log ---\n{log}");
    }
}

/// Whether a line of a log reports a panic: as logged, or as printed by the standard library before
/// the log is installed.
fn is_panic(line: &str) -> bool {
    line.contains(PANIC) || line.contains(" panicked at ")
}

/// Reads a log to its end on a thread of its own: a test that ends can wait for it without its runtime.
struct LogReader {
    thread: JoinHandle<()>,
    ended: oneshot::Receiver<()>,
}

fn configured(store: &StoreUnderTest, settings: &ServerSettings) -> Command {
    let mut command = Server::command(store);
    command.envs(settings.environment.iter().map(|(name, value)| (name, value)));
    for name in &settings.unset {
        command.env_remove(name);
    }
    command
}

async fn launch(mut command: Command, log: &Arc<Mutex<String>>) -> (Child, SocketAddr, LogReader) {
    let (stderr, writer) = std::io::pipe().expect("a pipe can be made");
    let child = command.stderr(writer).spawn().expect("the binary can be started");
    // Drops our end of the pipe; only the process has it now.
    drop(command);
    let (first_line_sender, first_line) = oneshot::channel();
    let (ended_sender, ended) = oneshot::channel();
    let log = Arc::clone(log);
    let thread = thread::spawn(move || {
        collect(stderr, &log, first_line_sender);
        // The receiver is dropped if the test ends first.
        let _ = ended_sender.send(());
    });
    let line = timeout(PATIENCE, first_line)
        .await
        .expect("the server logs in time")
        .expect("the server logs at least one line");
    let address = listening_address(&line)
        .unwrap_or_else(|| panic!("the first line of the log names the address, but is: {line}"));
    (child, address, LogReader { thread, ended })
}

fn collect(stderr: PipeReader, log: &Mutex<String>, first: oneshot::Sender<String>) {
    let mut first = Some(first);
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        let mut log = log.lock().expect("the log is only appended to");
        log.push_str(&line);
        log.push('\n');
        if let Some(first) = first.take() {
            // The receiver is dropped only if the test has already failed.
            let _ = first.send(line);
        }
    }
}

/// Finds `127.0.0.1:<port>` wherever the log line carries it.
fn listening_address(line: &str) -> Option<SocketAddr> {
    let start = line.find("127.0.0.1:")?;
    let rest = &line[start..];
    let end =
        rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ':').unwrap_or(rest.len());
    rest[..end].parse().ok()
}
