//! The command line.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::Error;

const USAGE: &str = "usage: larder-bench [--workload household|telemetry|relational|pages] [--engine embedded|postgres] \
                     [--binary FILE] [--data DIRECTORY] [--items 10000] [--readings 1000000] \
                     [--rounds 3] [--seconds 3]";

/// The storage engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Embedded,
    Postgres,
}

/// The workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Workload {
    /// A family's day: quantities, pages, taps.
    Household,
    /// Devices that send readings, and people who view them.
    Telemetry,
    /// Resources, through the store without HTTP.
    Relational,
    /// Pages for a browser.
    Pages,
}

/// The workloads and their duration. Everything is bounded.
pub(crate) struct Args {
    pub(crate) engine: Engine,
    pub(crate) workload: Workload,
    binary: Option<PathBuf>,
    /// The directory of the temporary store; `fsync` is measured on its disk.
    pub(crate) data: PathBuf,
    pub(crate) items: usize,
    pub(crate) readings: usize,
    pub(crate) rounds: usize,
    /// How long each measurement of a round lasts.
    pub(crate) window: Duration,
}

impl Args {
    /// Reads the arguments after the program's name.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, Error> {
        let mut args = Self {
            engine: Engine::Embedded,
            workload: Workload::Household,
            binary: None,
            data: std::env::temp_dir(),
            items: 10_000,
            readings: 1_000_000,
            rounds: 3,
            window: Duration::from_secs(3),
        };
        let mut arguments = arguments;
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or(USAGE)?;
            match flag.as_str() {
                "--engine" => {
                    args.engine = match value.as_str() {
                        "embedded" => Engine::Embedded,
                        "postgres" => Engine::Postgres,
                        _ => return Err(USAGE.into()),
                    };
                }
                "--workload" => {
                    args.workload = match value.as_str() {
                        "household" => Workload::Household,
                        "telemetry" => Workload::Telemetry,
                        "relational" => Workload::Relational,
                        "pages" => Workload::Pages,
                        _ => return Err(USAGE.into()),
                    };
                }
                "--binary" => args.binary = Some(value.into()),
                "--data" => args.data = value.into(),
                "--items" => args.items = bounded(&value, 100, 100_000)?,
                "--readings" => args.readings = bounded(&value, 100_000, 10_000_000)?,
                "--rounds" => args.rounds = bounded(&value, 1, 20)?,
                "--seconds" => {
                    args.window = Duration::from_secs(bounded(&value, 1, 30)? as u64);
                }
                _ => return Err(USAGE.into()),
            }
        }
        Ok(args)
    }

    /// The binary to measure: the one named, or the workspace's own, built as it is shipped.
    pub(crate) fn binary(&self) -> Result<PathBuf, Error> {
        if let Some(binary) = &self.binary {
            return Ok(binary.clone());
        }
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| workspace.join("target"), PathBuf::from);
        let binary = target.join("dist").join("larder");
        if !binary.exists() {
            let built = Command::new("cargo")
                .args(["build", "--profile", "dist", "-p", "larder"])
                .current_dir(&workspace)
                .status()?;
            if !built.success() {
                return Err("the binary could not be built".into());
            }
        }
        Ok(binary)
    }
}

fn bounded(text: &str, least: usize, most: usize) -> Result<usize, Error> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{text} is not between {least} and {most}; {USAGE}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Args, Error> {
        Args::parse(arguments.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn nothing_given_means_three_rounds_over_ten_thousand_items() {
        let args = parse(&[]).unwrap();
        assert_eq!((args.items, args.rounds, args.window.as_secs()), (10_000, 3, 3));
        assert_eq!((args.engine, args.workload), (Engine::Embedded, Workload::Household));
    }

    #[test]
    fn a_run_cannot_be_made_endless() {
        let error = parse(&["--rounds", "1000"]).err().unwrap().to_string();
        assert!(error.starts_with("1000 is not between 1 and 20"), "{error}");
    }

    #[test]
    fn an_unknown_flag_shows_the_usage() {
        let error = parse(&["--colour", "red"]).err().unwrap().to_string();
        assert!(error.starts_with("usage:"), "{error}");
    }
}
