//! Larder: a household platform in one binary.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use larder::cli::{Cli, Command, ServeArgs};
use larder::commands::{self, CommandError, Console, Environment, FAILED, WRONG_SETTING};
use larder::config::Settings;
use larder::logging::{LogFormat, LogLevel};
use larder::{logging, serve};
use tokio::runtime::{Builder, Runtime};

/// Every request allocates some dozen small things on one thread and frees them on another, which the
/// system allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long a task that ignores the end of the server may delay the end of the process.
const STRAGGLERS: Duration = Duration::from_secs(1);
const ENVIRONMENT: Environment<'_> = &|variable| std::env::var_os(variable);

fn main() -> ExitCode {
    match Cli::parse().into_command() {
        Command::Serve(flags) => serve(&flags),
        Command::Tables(command) => {
            run(async |console| commands::tables(&command, ENVIRONMENT, console).await)
        }
        Command::Migrate(command) => {
            run(async |console| commands::migrate(&command, ENVIRONMENT, console).await)
        }
        Command::Reconcile(store) => {
            // Unreadable records are named in the log.
            logging::install(LogFormat::Pretty, LogLevel::Warn);
            run(async |console| commands::reconcile(&store, ENVIRONMENT, console).await)
        }
        Command::Resources(command) => {
            run(async |console| commands::resources(&command, ENVIRONMENT, console).await)
        }
        Command::DeadLetters(command) => {
            run(async |console| commands::dead_letters(&command, ENVIRONMENT, console).await)
        }
        Command::Simulate(args) => {
            run(async |console| commands::simulate(&args, ENVIRONMENT, console).await)
        }
    }
}

fn serve(flags: &ServeArgs) -> ExitCode {
    let settings = match Settings::resolve(flags, ENVIRONMENT) {
        Ok(settings) => settings,
        Err(refusal) => return fail(WRONG_SETTING, &refusal),
    };
    logging::install(settings.log_format, settings.log_level);
    let runtime = match runtime() {
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

/// Runs a command on the console of this process.
fn run(command: impl AsyncFnOnce(Console<'_>) -> Result<u8, CommandError>) -> ExitCode {
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(reason) => return fail(FAILED, &reason),
    };
    let console = Console { answer: &mut io::stdout(), progress: &mut io::stderr() };
    let result = runtime.block_on(command(console));
    runtime.shutdown_timeout(STRAGGLERS);
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(error.exit_code(), &error),
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().build()
}

fn fail(code: u8, sentence: &dyn Display) -> ExitCode {
    // If even stderr is closed, the exit code remains.
    let _ = writeln!(io::stderr(), "larder: {sentence}");
    ExitCode::from(code)
}
