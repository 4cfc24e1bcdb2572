//! A process that ends with the one that started it, even when that is killed.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for starting an engine. Generous: the cores may be busy with a compiler.
const STARTS_WITHIN: Duration = Duration::from_mins(1);

/// The interval of polling a starting engine; none announces that it is ready.
const ASKED_EVERY: Duration = Duration::from_millis(10);

/// Runs the engine and waits for an order on standard input. A line means: kill it and keep its
/// files. The end of the input means that it is no longer needed; it comes when the test process
/// ends, for any reason. (A signal at the parent's death would not do: Linux sends it at the end of
/// the *thread* that spawned, and tests are threads.)
///
/// `$1` is the signal to kill with, `$2` the one to end with, `$3` a directory to remove then, or empty;
/// the engine follows.
const WATCHDOG: &str = r#"
kill_signal=$1 end_signal=$2 directory=$3
shift 3
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
(
    if read -r _ <&3; then
        trap '' TERM
        kill -s "$kill_signal" "$engine"
        exit 1
    else
        trap '' TERM
        kill -s "$end_signal" "$engine"
        exit 0
    fi
) &
orders=$!
wait "$engine"
kill -s TERM "$orders" 2>/dev/null
if wait "$orders" && [ -n "$directory" ]; then
    rm -rf "$directory"
fi
"#;

/// How to run an engine.
pub(crate) struct Plan<'a> {
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// The working directory. The output goes into `log` there.
    pub(crate) directory: &'a Path,
    /// The signal of [`Supervised::kill`].
    pub(crate) kill_signal: &'static str,
    /// The signal for a clean end, which leaves nothing but the directory.
    pub(crate) end_signal: &'static str,
    /// Whether the directory is deleted with the engine.
    pub(crate) remove_directory: bool,
}

/// A running engine under its watchdog. Dropping it ends the engine.
pub(crate) struct Supervised {
    watchdog: Child,
    log: PathBuf,
}

impl Supervised {
    /// Starts an engine and waits until `ready` accepts its log. If it exits instead, the error is
    /// its last output.
    pub(crate) fn start(plan: &Plan, ready: impl Fn(&str) -> bool) -> Result<Self, String> {
        let log = plan.directory.join("log");
        let output = File::create(&log).expect("the engine's directory can be written to");
        let removed = if plan.remove_directory { plan.directory } else { Path::new("") };
        let watchdog = Command::new("sh")
            .args(["-c", WATCHDOG, "watchdog", plan.kill_signal, plan.end_signal])
            .arg(removed)
            .args(&plan.command)
            .current_dir(plan.directory)
            // Ctrl-C at a terminal goes to the group of the test process; the watchdog must outlive
            // it.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(output.try_clone().expect("a file handle can be doubled"))
            .stderr(output)
            .spawn()
            .expect("sh can be run");
        let mut engine = Self { watchdog, log };
        let started = Instant::now();
        while !ready(&engine.log()) {
            if engine.watchdog.try_wait().expect("a child can be waited for").is_some() {
                return Err(format!("{} ended at its start: {}", plan.command[0], engine.log()));
            }
            assert!(
                started.elapsed() < STARTS_WITHIN,
                "{} is not ready after {STARTS_WITHIN:?}: {}",
                plan.command[0],
                engine.log()
            );
            thread::sleep(ASKED_EVERY);
        }
        Ok(engine)
    }

    /// Kills the engine. Its files remain.
    pub(crate) fn kill(mut self) {
        let orders = self.watchdog.stdin.as_mut().expect("standard input is piped");
        // Fails when the engine has already ended, and the watchdog with it.
        let _ = orders.write_all(b"kill\n");
        self.watchdog.wait().expect("a child can be waited for");
    }

    /// The engine's output so far.
    pub(crate) fn log(&self) -> String {
        fs::read(&self.log)
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .unwrap_or_default()
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        // Fails only when it was already waited for.
        let _ = self.watchdog.wait();
    }
}
