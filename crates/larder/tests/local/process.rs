//! The binary as a process: output, signals, and exit codes.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStderr, Command, Stdio};

use tempfile::TempDir;

/// `larder` with only the given settings, isolated from the environment of the test run.
fn larder(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
    command.env_clear().args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::piped());
    command
}

/// A server on a free port with a fresh store; it does not outlive the test.
struct Server {
    process: Child,
    log: BufReader<ChildStderr>,
    data: TempDir,
}

impl Server {
    fn start() -> Self {
        let data = TempDir::new().unwrap();
        let mut process = larder(&["--listen", "127.0.0.1:0", "--log", "json", "--store"])
            .arg(data.path().join("store"))
            .spawn()
            .unwrap();
        let log = BufReader::new(process.stderr.take().unwrap());
        Self { process, log, data }
    }

    fn log_line(&mut self) -> serde_json::Value {
        let mut line = String::new();
        self.log.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a JSON line: {line:?}"))
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status().unwrap();
        assert!(sent.success());
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.process.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if the process has already exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !std::thread::panicking() {
            let mut rest = String::new();
            self.log.read_to_string(&mut rest).unwrap();
            assert!(!rest.contains(larder::logging::PANIC), "the server panicked: {rest}");
        }
    }
}

#[test]
fn the_first_log_line_names_the_picked_port_and_the_data() {
    let mut server = Server::start();
    let first = server.log_line();
    assert_eq!(first["message"], "listening");
    let data = server.data.path().join("store");
    assert_eq!(first["data"], data.to_str().unwrap());
    let address = first["address"].as_str().unwrap();
    assert!(!address.ends_with(":0"), "{address}");
    TcpStream::connect(address).unwrap();
}

#[test]
fn either_stop_signal_ends_the_server_in_order() {
    for signal in ["TERM", "INT"] {
        let mut server = Server::start();
        assert_eq!(server.log_line()["message"], "listening");
        server.signal(signal);
        assert_eq!(server.exit_code(), Some(0), "{signal}");
        let mut rest = String::new();
        server.log.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("\"message\":\"stopped\""), "{rest}");
    }
}

#[test]
fn a_wrong_setting_ends_the_start_with_one_sentence_and_code_2() {
    let output = larder(&["serve", "--log", "xml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "larder: the setting log is \"xml\" (from the flag --log), but it must be json or pretty\n"
    );
}

#[test]
fn an_exposed_secret_ends_the_start_with_one_sentence_and_code_2() {
    let data = TempDir::new().unwrap();
    let secret = data.path().join("secrets/jwt-secret");
    fs::create_dir(data.path().join("secrets")).unwrap();
    // An existing store: without its database, the start would be refused for that.
    fs::write(data.path().join("larder.db"), "not read").unwrap();
    fs::write(&secret, "s".repeat(64)).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).unwrap();
    let output = larder(&["--listen", "127.0.0.1:0", "--store"]).arg(data.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let secret = secret.display();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "larder: the secret file {secret} can be read by others than its owner: run `chmod 600 \
             {secret}`, and replace the secret if somebody may have read it\n"
        )
    );
}

#[test]
fn a_taken_address_ends_the_start_with_one_sentence_and_code_2() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = larder(&["--listen", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "larder: the setting listen is {address}, but that address cannot be listened on: \
             Address already in use (os error 98)\n"
        )
    );
}

#[test]
fn a_taken_address_for_metrics_is_refused_by_its_own_name() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = TempDir::new().unwrap();
    let arguments = ["--listen", "127.0.0.1:0", "--metrics-listen", &address, "--store"];
    let output = larder(&arguments).arg(data.path().join("store")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with(&format!("larder: the setting metrics_listen is {address}, but")),
        "{said}"
    );
}

#[test]
fn help_and_version_answer_on_stdout() {
    for (flag, beginning) in
        [("--help", "Larder keeps a household's stock"), ("--version", "larder ")]
    {
        let output = larder(&[flag]).stdout(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{flag}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(beginning), "{text}");
    }
}
