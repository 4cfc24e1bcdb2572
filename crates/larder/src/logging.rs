//! The log: one line per event on stderr, for machines (JSON) or for people.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Display;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::panic::PanicHookInfo;

use larder_http::PublicUrl;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;

/// The target of the line that [`listening`] writes.
const LISTENING: &str = "larder::listening";

/// The target of the log line of every panic, in any thread, task or answer.
pub const PANIC: &str = "larder::panic";

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// A JSON object.
    Json,
    /// Text, coloured on a terminal.
    Pretty,
}

/// The least severe events that are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Failures.
    Error,
    /// Also anything that may need an operator's attention.
    Warn,
    /// Also normal operation.
    Info,
    /// Also details for debugging.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// The levels by the words that settings use.
    pub(crate) const NAMED: &[(&str, Self)] = &[
        ("error", Self::Error),
        ("warn", Self::Warn),
        ("info", Self::Info),
        ("debug", Self::Debug),
        ("trace", Self::Trace),
    ];

    fn filter(self) -> LevelFilter {
        match self {
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
            Self::Trace => LevelFilter::TRACE,
        }
    }
}

/// Sends all events of the process, panics among them, to stderr from now on. Call once, before the first
/// event.
pub fn install(format: LogFormat, level: LogLevel) {
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let subscriber = subscriber(format, level, colours, std::io::stderr);
    tracing::subscriber::set_global_default(subscriber)
        .expect("the log is installed once, at the start of the process");
    std::panic::set_hook(Box::new(log_panic));
}

/// Logs a panic as an event: the standard library's text is not JSON.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let reason = panic.payload_as_str().unwrap_or("no message");
    let location = panic.location().map(ToString::to_string);
    // Empty unless `RUST_BACKTRACE` is set.
    let backtrace = Backtrace::capture();
    let backtrace = (backtrace.status() == BacktraceStatus::Captured).then_some(backtrace);
    tracing::error!(
        target: PANIC,
        reason,
        location,
        thread = std::thread::current().name(),
        backtrace = backtrace.map(tracing::field::display),
        "panicked"
    );
}

/// Formats events as lines on `writer`.
pub fn subscriber<W>(
    format: LogFormat,
    level: LogLevel,
    colours: bool,
    writer: W,
) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(colours);
    let lines = match format {
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
        LogFormat::Pretty => lines.boxed(),
    };
    // Libraries log at `info` at most: their details would drown ours. The first line is always
    // shown, since only it says which port was picked.
    let filter = Targets::new()
        .with_default(level.filter().min(LevelFilter::INFO))
        .with_target("larder", level.filter())
        // The AWS libraries warn at length about every source without credentials; the caller
        // reports whether that matters.
        .with_target("aws_", level.filter().min(LevelFilter::ERROR))
        .with_target(LISTENING, LevelFilter::INFO);
    tracing_subscriber::registry().with(lines.with_filter(filter))
}

/// The first line of the log: the listening address and the store. `address` is the bound one, so
/// that port 0 shows the port that was picked.
pub fn listening(address: SocketAddr, public_url: &PublicUrl, data: &dyn Display) {
    tracing::info!(
        target: LISTENING,
        %address,
        %public_url,
        %data,
        "listening"
    );
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(format: LogFormat, level: LogLevel, events: impl FnOnce()) -> Vec<String> {
        let captured = Captured::default();
        let writer = captured.clone();
        let subscriber = subscriber(format, level, false, move || writer.clone());
        tracing::subscriber::with_default(subscriber, events);
        let bytes = captured.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    fn log_listening() {
        let address = "127.0.0.1:40123".parse().unwrap();
        listening(address, &PublicUrl::of_address(address, false), &"./larder-data");
    }

    #[test]
    fn the_json_line_names_address_and_data() {
        let lines = logged(LogFormat::Json, LogLevel::Info, log_listening);
        assert_eq!(lines.len(), 1);
        let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(line["message"], "listening");
        assert_eq!(line["level"], "INFO");
        assert_eq!(line["address"], "127.0.0.1:40123");
        assert_eq!(line["public_url"], "http://127.0.0.1:40123");
        assert_eq!(line["data"], "./larder-data");
    }

    #[test]
    fn the_pretty_line_names_address_and_data() {
        let lines = logged(LogFormat::Pretty, LogLevel::Info, log_listening);
        assert_eq!(lines.len(), 1);
        let expected = "larder::listening: listening address=127.0.0.1:40123 \
                        public_url=http://127.0.0.1:40123 data=./larder-data";
        assert!(lines[0].ends_with(expected), "{}", lines[0]);
    }

    #[test]
    fn the_first_line_is_shown_at_every_level() {
        for (_, level) in LogLevel::NAMED {
            assert_eq!(logged(LogFormat::Pretty, *level, log_listening).len(), 1, "{level:?}");
        }
    }

    #[test]
    fn the_level_holds_for_our_crates_and_libraries_stay_at_info() {
        let events = || {
            tracing::debug!(target: "larder_api::route", "ours");
            tracing::debug!(target: "library", "theirs");
            tracing::info!(target: "library", "theirs");
            tracing::warn!(target: "aws_config::meta::credentials", "theirs too");
        };
        assert_eq!(logged(LogFormat::Pretty, LogLevel::Warn, events), Vec::<String>::new());
        let info = logged(LogFormat::Pretty, LogLevel::Info, events);
        assert!(matches!(&info[..], [line] if line.ends_with("INFO library: theirs")), "{info:?}");
        let debug = logged(LogFormat::Pretty, LogLevel::Debug, events);
        assert!(debug[0].ends_with("DEBUG larder_api::route: ours"), "{debug:?}");
        assert_eq!(debug.len(), 2);
    }
}
