//! The password of a database is never printed by the binary.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const PASSWORD: &str = "hunter2";

/// `larder` on an unreachable database, with the most verbose log.
fn larder(arguments: &[&str], store: &str, directory: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
    command
        .env_clear()
        .env("LARDER_STORE", store)
        .env("LARDER_LOG_LEVEL", "trace")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// An address of this machine without a listener: bound, and released.
fn nobody() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn a_server_that_cannot_reach_its_database_says_so_without_the_password() {
    let directory = TempDir::new().unwrap();
    let nobody = nobody();
    let store = format!("postgres://anna:{PASSWORD}@{nobody}/larder?password={PASSWORD}");
    let mut server =
        larder(&["serve", "--listen", "127.0.0.1:0"], &store, &directory).spawn().unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("store unavailable") {
        assert_ne!(log.read_line(&mut said).unwrap(), 0, "the server ended: {said}");
    }
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
    log.read_to_string(&mut said).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0), "{said}");
    assert!(said.contains(&format!("postgres://{nobody}/larder")), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
}

#[test]
fn a_command_that_cannot_reach_its_database_says_so_without_the_password() {
    let directory = TempDir::new().unwrap();
    let store = format!("postgres://anna:{PASSWORD}@{}/larder", nobody());
    for verb in ["up", "down", "status"] {
        let output = larder(&["migrate", verb], &store, &directory).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("Connection refused"), "{said}");
        assert!(!said.contains(PASSWORD), "{said}");
    }
}

#[test]
fn a_url_that_cannot_be_read_is_refused_without_repeating_it() {
    let directory = TempDir::new().unwrap();
    for store in [
        format!("postgres://anna:{PASSWORD}@db:port/larder"),
        format!("postgres://anna:{PASSWORD}@d b/larder"),
        format!("postgres://db/larder?passwd={PASSWORD}"),
        format!("postgres:anna:{PASSWORD}@db"),
    ] {
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate", "status"]] {
            let output = larder(arguments, &store, &directory).output().unwrap();
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(output.status.code().is_some_and(|code| code != 0), "{said}");
            assert!(said.contains("larder: "), "{said}");
            assert!(!said.contains(PASSWORD), "{said}");
        }
    }
}
