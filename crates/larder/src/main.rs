//! Larder: a household platform in one binary.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use larder::cli::{Cli, Command, ServeArgs};
use larder::config::Settings;
use larder::{logging, serve};

/// Every request allocates some dozen small things on one thread and frees them on another, which the
/// system allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Failed while running.
const FAILED: u8 = 1;
/// A wrong setting; also what a wrong command line ends with.
const WRONG_SETTING: u8 = 2;
/// How long a task that ignores the end of the server may delay the end of the process.
const STRAGGLERS: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match Cli::parse().into_command() {
        Command::Serve(flags) => serve(&flags),
    }
}

fn serve(flags: &ServeArgs) -> ExitCode {
    let settings = match Settings::resolve(flags, &|variable| std::env::var_os(variable)) {
        Ok(settings) => settings,
        Err(refusal) => return fail(WRONG_SETTING, &refusal),
    };
    logging::install(settings.log_format, settings.log_level);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(reason) => return fail(FAILED, &reason),
    };
    let result = runtime.block_on(serve::run(settings));
    runtime.shutdown_timeout(STRAGGLERS);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_wrong_setting() => fail(WRONG_SETTING, &error),
        Err(error) => fail(FAILED, &error),
    }
}

fn fail(code: u8, sentence: &dyn Display) -> ExitCode {
    // If even stderr is gone, the exit code still tells.
    let _ = writeln!(io::stderr(), "larder: {sentence}");
    ExitCode::from(code)
}
