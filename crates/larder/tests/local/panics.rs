//! The harness itself: a test during which a server panics fails, wherever the panic was.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::Stdio,
};

use axum::{Router, body::Body, routing::get};
use futures_util::stream;
use larder::logging::{self, LogFormat, LogLevel};
use larder_http::PublicUrl;
use tokio::{net::TcpListener, process::Command};

use crate::it::support::Server;

/// The kind of panic.
const HOW: &str = "LARDER_TEST_PANIC";

/// The process that the tests below start: a server with the real log that serves one answer.
#[tokio::test]
#[ignore = "run as a child process by the other tests in this file"]
async fn stand_in() {
    let how = std::env::var(HOW).unwrap_or_default();
    logging::install(LogFormat::Json, LogLevel::Info);
    if how == "words of the standard library" {
        // The state before the log is installed.
        let _ = std::panic::take_hook();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let body = move || async move {
        match &*how {
            "task" | "words of the standard library" => {
                Body::from(format!("{:?}", tokio::spawn(async { panic_if(true) }).await))
            }
            "thread" => Body::from(format!("{:?}", std::thread::spawn(|| panic_if(true)).join())),
            "body" => Body::from_stream(stream::once(async { Err::<&str, _>(panic_if(true)) })),
            _ => Body::from("all is well"),
        }
    };
    let router = Router::new().route("/healthz", get(body));
    logging::listening(address, &PublicUrl::of_address(address, false), &"nowhere");
    axum::serve(listener, router).await.unwrap();
}

fn panic_if(really: bool) -> std::io::Error {
    assert!(!really, "on purpose");
    std::io::Error::other("never made")
}

/// The outcome of a test with one request to such a server.
async fn outcome(how: &str) -> Result<(), String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = "local::panics::stand_in";
    command.args(["--exact", name, "--ignored", "--nocapture"]).env(HOW, how);
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let server = Server::stand_in(command).await;
    let url = format!("http://{}/healthz", server.address().get());
    // From outside, a panic in an answer looks like a truncated one.
    let answer = async { reqwest::get(url).await?.text().await }.await;
    assert_eq!(answer.is_ok(), how != "body", "{answer:?}");
    catch_unwind(AssertUnwindSafe(|| drop(server)))
        .map_err(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_server_that_panics_in_a_task_a_thread_or_an_answer_fails_the_test() {
    for how in ["task", "thread", "body", "words of the standard library"] {
        let complaint = outcome(how).await.expect_err(how);
        assert!(complaint.contains("on purpose"), "{how}: {complaint}");
        assert!(complaint.contains("tests/local/panics.rs"), "{how}: {complaint}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_panic_fails_nothing() {
    assert_eq!(outcome("not at all").await, Ok(()));
}
