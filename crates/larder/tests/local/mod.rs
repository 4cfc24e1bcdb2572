//! Tests that do not depend on the engine, or only concern a store in a directory: always on the
//! embedded engine.

mod backing_up;
mod barcode_catalogs;
mod connections;
mod earlier_store;
mod full_disk;
mod kept_connections;
mod metrics_listener;
mod over_tls;
mod panics;
#[cfg(feature = "postgres")]
mod passwords;
mod process;
mod serving_tls;
mod simulating;
mod starting;

use std::process::Stdio;

use tokio::process::Command;

/// The same command under limits that a shell sets, with more arguments.
fn limited(command: &Command, limits: &str, arguments: &[&str]) -> Command {
    let plain = command.as_std();
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(plain.get_program())
        .args(plain.get_args())
        .args(arguments)
        .env_clear()
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(plain.get_current_dir().expect("servers run in a directory of their own"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    limited
}
