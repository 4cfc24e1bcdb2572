//! `pgbench`, PostgreSQL's own load generator.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use crate::Error;

/// As many sessions as the server's pool has connections.
const CLIENTS: &str = "20";

/// Debian's installation directory.
const DEBIAN: &str = "/usr/lib/postgresql";

pub(super) struct Pgbench(PathBuf);

impl Pgbench {
    /// From the path, or from Debian's package `postgresql`.
    pub(super) fn find() -> Result<Self, Error> {
        let on_path = std::env::var_os("PATH")
            .into_iter()
            .flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
        let in_debian = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
        let in_debian = in_debian.map(|version| version.path().join("bin"));
        on_path
            .chain(in_debian)
            .map(|directory| directory.join("pgbench"))
            .find(|program| program.exists())
            .map(Self)
            .ok_or_else(|| "pgbench is missing: install Debian's package 'postgresql'".into())
    }

    /// Runs the scripts, chosen at random, and answers the transactions per second.
    pub(super) fn run(
        &self,
        url: &str,
        scripts: &[PathBuf],
        window: Duration,
    ) -> Result<f64, Error> {
        let mut command = Command::new(&self.0);
        command
            .args(["--no-vacuum", "--protocol=prepared", "--client", CLIENTS, "--jobs=1"])
            .arg(format!("--time={}", window.as_secs().max(1)));
        for script in scripts {
            command.arg("--file").arg(script);
        }
        // The password travels in the environment and not among the arguments.
        let output = command.env("PGDATABASE", url).stdin(Stdio::null()).output()?;
        let text = String::from_utf8(output.stdout)?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("pgbench failed: {reason}").into());
        }
        transactions_per_second(&text)
            .ok_or_else(|| format!("pgbench said no rate, but: {text}").into())
    }
}

fn transactions_per_second(text: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix("tps = "))?;
    rest.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_found_in_the_summary() {
        let text = "latency average = 1.2 ms\n\
                    tps = 4321.250000 (without initial connection time)\n";
        assert_eq!(transactions_per_second(text), Some(4321.25));
        assert_eq!(transactions_per_second("nothing"), None);
    }
}
