//! How many connections there may be, and how long they may be silent.

use std::time::Duration;

use super::SettingError;
use super::layers::Layers;

/// What is taken at most unless told: beyond it, whoever runs the server knows what it is for.
const MOST_UNTOLD: usize = 10_000;
/// What systems usually allow a process, where it cannot be asked.
const USUAL_FILES: usize = 1024;
const DEFAULT_MAX_PER_ADDRESS: usize = 512;
const MAX_CONNECTIONS: usize = 1_000_000;
const DEFAULT_HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than proxies keep theirs (nginx: 60), so that it is they who close, who know whether a request is on its
/// way.
const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(75);
const MAX_TIMEOUT_SECONDS: u64 = 3600;

/// The bounds of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// How many there may be, if told; see [`ConnectionSettings::most_in_all`].
    pub max: Option<usize>,
    /// How many there may be from one address, or from one /64 of IPv6.
    pub max_per_address: usize,
    /// How long a client may take to send the header of a request.
    pub header_timeout: Duration,
    /// How long a connection is kept without a request.
    pub idle_timeout: Duration,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            max: None,
            max_per_address: DEFAULT_MAX_PER_ADDRESS,
            header_timeout: DEFAULT_HEADER_TIMEOUT,
            idle_timeout: DEFAULT_IDLE_TIMEOUT,
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
        })
    }

    /// How many connections there may be: as told, or half of the files that the process may open, so that the store
    /// never lacks one.
    pub fn most_in_all(&self) -> usize {
        self.max.unwrap_or_else(|| most_with(open_files_limit().unwrap_or(USUAL_FILES)))
    }
}

fn most_with(files: usize) -> usize {
    (files / 2).clamp(1, MOST_UNTOLD)
}

/// From `/proc`, where there is one.
fn open_files_limit() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    soft_limit(limits.lines().find_map(|line| line.strip_prefix("Max open files"))?)
}

/// The first of the numbers; the second is what the process might raise it to.
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
