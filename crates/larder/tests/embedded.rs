//! The suite on the embedded engine, and what is said of a store that is a directory.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

#[path = "engine/embedded.rs"]
mod engine;
mod it;
mod local;

use it::support::{Server, refused};

/// Two writers in one file would lose changes of each other. The other engines welcome a second
/// server, see `remote/two_servers.rs`.
#[tokio::test]
async fn a_second_process_on_the_same_store_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let (code, message) = refused(&mut Server::command(server.store())).await;
    assert!(code.is_some_and(|code| code != 0), "{message}");
    assert!(message.contains(&server.store().setting()), "the directory is named: {message}");
    assert!(!message.contains("panicked"), "{message}");
    anna.get("/me").await.expect(200);
}
