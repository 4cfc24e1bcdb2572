//! Engines end with the process that started them, even when it has no chance to end them.

#![expect(clippy::print_stdout, reason = "the process that is killed tells its ports that way")]

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use larder_test_servers::{DynamoDbLocal, PgBouncer, PostgresServer, SmtpServer};

/// Set for the process that is to be killed.
const TO_BE_KILLED: &str = "LARDER_TEST_TO_BE_KILLED";

#[test]
fn engines_end_with_a_killed_process_and_leave_no_files() {
    if std::env::var_os(TO_BE_KILLED).is_some() {
        start_engines_and_wait();
    }
    let own_temporary_directory = tempfile::tempdir().unwrap();
    // PostgreSQL may run as another user, who needs access.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(own_temporary_directory.path(), open).unwrap();
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "engines_end_with_a_killed_process_and_leave_no_files", "--nocapture"])
        .env(TO_BE_KILLED, "yes")
        .env("TMPDIR", own_temporary_directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.filter_map(|line| line.strip_prefix("engine at ").map(str::to_owned)).take(5);
    let engines: Vec<SocketAddr> = told.map(|address| address.parse().unwrap()).collect();
    assert_eq!(engines.len(), 5);
    for engine in &engines {
        TcpStream::connect(engine).unwrap();
    }
    let files = || std::fs::read_dir(own_temporary_directory.path()).unwrap().count();
    assert_eq!(files(), 5);

    process.kill().unwrap();
    process.wait().unwrap();

    wait_until(|| engines.iter().all(|engine| TcpStream::connect(engine).is_err()));
    wait_until(|| files() == 0);
}

fn start_engines_and_wait() -> ! {
    let own = PostgresServer::start();
    let pooler = PgBouncer::in_front_of(&own, "postgres", "larder", "sesame");
    let mail = SmtpServer::open();
    let engines = [
        own.address(),
        mail.address(),
        pooler.address(),
        PostgresServer::shared().address(),
        DynamoDbLocal::shared().address(),
    ];
    for engine in engines {
        println!("engine at {engine}");
    }
    loop {
        thread::park();
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(30), "not even after half a minute");
        thread::yield_now();
    }
}
