//! Runs of the binary that end by themselves.

use std::path::Path;
use std::process::{Output, Stdio};

use tokio::process::Command;
use tokio::time::timeout;

use super::{PATIENCE, StoreUnderTest};

/// The binary with only the given settings, isolated from the environment of the test run.
pub(crate) fn binary(environment: &[(&str, &str)], directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
    command
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .envs(environment.iter().copied())
        .current_dir(directory)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

/// A start that must fail: its exit code and message.
pub(crate) async fn refused(command: &mut Command) -> (Option<i32>, String) {
    let output: Output = timeout(PATIENCE, command.output())
        .await
        .expect("a refused start ends at once")
        .expect("the binary can be run");
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    (output.status.code(), message)
}

/// A command on a store that must succeed: its answer.
pub(crate) async fn succeeds(store: &StoreUnderTest, command: &[&str]) -> String {
    let mut run = binary(store.environment(), store.scratch());
    run.args(command).args(["--store", &store.setting()]);
    let output: Output = timeout(PATIENCE, run.output())
        .await
        .expect("a command ends in time")
        .expect("the binary can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "larder {} said: {errors}", command.join(" "));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}
