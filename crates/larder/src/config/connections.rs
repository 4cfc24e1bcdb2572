//! Limits and time-outs of connections.

use std::time::Duration;

use super::SettingError;
use super::layers::Layers;

/// The maximal default; operators of larger servers configure a limit.
const MOST_UNTOLD: usize = 10_000;
/// The usual limit of open files, if the process's own cannot be read.
const USUAL_FILES: usize = 1024;
const DEFAULT_MAX_PER_ADDRESS: usize = 512;
const MAX_CONNECTIONS: usize = 1_000_000;
const DEFAULT_HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than the keep-alive of proxies (nginx: 60), so that they close first: only they know
/// whether a request is on its way.
const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(75);
const MAX_TIMEOUT_SECONDS: u64 = 3600;

/// The bounds of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// The limit, if configured; see [`ConnectionSettings::most_in_all`].
    pub max: Option<usize>,
    /// The limit per address, or per /64 of IPv6.
    pub max_per_address: usize,
    /// Time limit for the header of a request.
    pub header_timeout: Duration,
    /// Time limit of an idle connection.
    pub idle_timeout: Duration,
    /// Whether clients may speak HTTP/2 in plain text.
    pub http2: bool,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            max: None,
            max_per_address: DEFAULT_MAX_PER_ADDRESS,
            header_timeout: DEFAULT_HEADER_TIMEOUT,
            idle_timeout: DEFAULT_IDLE_TIMEOUT,
            http2: false,
        }
    }
}

impl ConnectionSettings {
    pub(super) fn read(layers: &Layers<'_>) -> Result<Self, SettingError> {
        let default = Self::default();
        let count = |name| {
            layers.parse(name, &format!("a whole number from 1 to {MAX_CONNECTIONS}"), |text| {
                text.parse().ok().filter(|count| (1..=MAX_CONNECTIONS).contains(count))
            })
        };
        let timeout = |name| {
            let accepted = format!("a whole number from 1 to {MAX_TIMEOUT_SECONDS}");
            layers.parse(name, &accepted, |text| {
                let seconds = text.parse().ok().filter(|s| (1..=MAX_TIMEOUT_SECONDS).contains(s));
                seconds.map(Duration::from_secs)
            })
        };
        Ok(Self {
            max: count("max_connections")?,
            max_per_address: count("max_connections_per_address")?
                .unwrap_or(default.max_per_address),
            header_timeout: timeout("header_timeout_seconds")?.unwrap_or(default.header_timeout),
            idle_timeout: timeout("idle_timeout_seconds")?.unwrap_or(default.idle_timeout),
            http2: layers
                .choose("http2", &[("on", true), ("off", false)])?
                .unwrap_or(default.http2),
        })
    }

    /// The limit of connections: as configured, or half of the process's file limit, so that the
    /// store never runs out of files.
    pub fn most_in_all(&self) -> usize {
        self.max.unwrap_or_else(|| most_with(open_files_limit().unwrap_or(USUAL_FILES)))
    }
}

fn most_with(files: usize) -> usize {
    (files / 2).clamp(1, MOST_UNTOLD)
}

/// From `/proc`, if there is one.
fn open_files_limit() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    soft_limit(limits.lines().find_map(|line| line.strip_prefix("Max open files"))?)
}

/// The first number; the second is the hard limit.
fn soft_limit(columns: &str) -> Option<usize> {
    match columns.split_whitespace().next()? {
        "unlimited" => Some(usize::MAX),
        number => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_files_are_for_connections_and_never_more_than_anybody_needs() {
        assert_eq!(most_with(64), 32);
        assert_eq!(most_with(1024), 512);
        assert_eq!(most_with(1_048_576), 10_000);
        assert_eq!(most_with(1), 1);
    }

    #[test]
    fn the_limit_of_the_process_is_read() {
        let columns = "            1024                 524288               files     ";
        assert_eq!(soft_limit(columns), Some(1024));
        assert_eq!(soft_limit("   unlimited  unlimited  files"), Some(usize::MAX));
        assert_eq!(soft_limit(""), None);
        if cfg!(target_os = "linux") {
            assert!(open_files_limit().unwrap() > 0);
        }
    }

    #[test]
    fn a_told_number_wins_over_the_limit_of_the_process() {
        let told = ConnectionSettings { max: Some(77), ..ConnectionSettings::default() };
        assert_eq!(told.most_in_all(), 77);
        assert!(ConnectionSettings::default().most_in_all() <= MOST_UNTOLD);
    }
}
