//! `larder simulate`: devices that do not exist, against a server that does.

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use larder_simulator::{ApiKey, Plan, Progress, SimulationError, Summary};
use larder_storage::Clock;

use super::{CommandError, Console, DONE, Environment, FAILED, WRONG_SETTING};
use crate::cli::SimulateArgs;
use crate::system::{SystemClock, random_bytes};

const KEY_VARIABLE: &str = "LARDER_SIMULATE_API_KEY";
/// How wide the bar is, in characters.
const BAR_WIDTH: u32 = 30;
/// The interval of progress lines without a terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// `larder simulate`; returns the exit code.
pub async fn simulate(
    args: &SimulateArgs,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    let Console { answer, progress } = console;
    let plan = Plan {
        url: args.url.clone(),
        api_key: api_key(args, environment)?,
        devices: args.devices as usize,
        rate: f64::from(args.rate),
        duration: Duration::from_secs(args.seconds.into()),
        batch: args.batch as usize,
        seed: args.seed.map_or_else(any_seed, Ok)?,
        ends_at_ms: SystemClock.now().as_millisecond(),
    };
    let (devices, rate, seed) = (plan.devices, plan.rate, plan.seed);
    writeln!(progress, "{devices} devices, {rate} readings/s to {}, seed {seed}", plan.url)?;
    let mut bar = Bar { is_terminal: io::stderr().is_terminal(), next_line: LINES_EVERY, progress };
    let done = larder_simulator::run(&plan, &mut bar).await;
    bar.end()?;
    let summary = done.map_err(|error| failed(&error))?;
    writeln!(answer, "{summary}")?;
    Ok(if summary.failed == 0 { DONE } else { FAILED })
}

fn failed(error: &SimulationError) -> CommandError {
    let code = match error {
        SimulationError::Client(_) => WRONG_SETTING,
        SimulationError::Refused(_) | SimulationError::Broken(_) => FAILED,
    };
    CommandError::Failed { sentence: error.to_string(), code }
}

fn api_key(args: &SimulateArgs, environment: Environment<'_>) -> Result<ApiKey, CommandError> {
    let wrong = |sentence: String| CommandError::Failed { sentence, code: WRONG_SETTING };
    let text = match &args.api_key_file {
        Some(file) => fs::read_to_string(file)
            .map_err(|reason| wrong(format!("the file {file} cannot be read: {reason}")))?,
        None => environment(KEY_VARIABLE)
            .and_then(|value| value.into_string().ok())
            .filter(|value| !value.is_empty())
            .ok_or_else(|| {
                wrong(format!(
                    "there is no API key: set {KEY_VARIABLE}, or name a file with --api-key-file"
                ))
            })?,
    };
    Ok(ApiKey::new(text.trim().to_owned()))
}

fn any_seed() -> io::Result<u64> {
    let mut bytes = [0; 8];
    random_bytes(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

/// A progress bar on a terminal, and occasional lines elsewhere.
struct Bar<'a> {
    is_terminal: bool,
    next_line: Duration,
    progress: &'a mut (dyn Write + Send),
}

impl Progress for Bar<'_> {
    fn tell(&mut self, passed: Duration, whole: Duration, so_far: &Summary) {
        // A closed terminal is no reason to stop.
        let _ = if self.is_terminal {
            write!(self.progress, "\r\x1b[2K{}", line(passed, whole, so_far))
                .and_then(|()| self.progress.flush())
        } else if passed >= self.next_line {
            self.next_line += LINES_EVERY;
            writeln!(self.progress, "{}", line(passed, whole, so_far))
        } else {
            Ok(())
        };
    }
}

impl Bar<'_> {
    /// Ends the line before other output.
    fn end(&mut self) -> io::Result<()> {
        if self.is_terminal { writeln!(self.progress) } else { Ok(()) }
    }
}

fn line(passed: Duration, whole: Duration, so_far: &Summary) -> String {
    let share = (passed.as_secs_f64() / whole.as_secs_f64().max(1e-9)).min(1.0);
    let done = (0..BAR_WIDTH).map(|step| f64::from(step) / f64::from(BAR_WIDTH) < share);
    let bar: String = done.map(|is_done| if is_done { '█' } else { '░' }).collect();
    let Summary { acknowledged, duplicate, failed, readings_per_second, .. } = so_far;
    format!(
        "{bar} {:3.0}%  {acknowledged} acknowledged ({readings_per_second:.0}/s), {duplicate} duplicate, \
         {failed} failed",
        share * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        Summary {
            acknowledged: 1200,
            duplicate: 30,
            failed: 0,
            registered: 10,
            retried: 0,
            last_failure: None,
            readings_per_second: 100.0,
            p50: Duration::from_millis(1),
            p99: Duration::from_millis(2),
        }
    }

    fn told(is_terminal: bool) -> String {
        let mut written = Vec::new();
        let mut bar = Bar { is_terminal, next_line: LINES_EVERY, progress: &mut written };
        for seconds in [0, 5, 10, 12] {
            bar.tell(Duration::from_secs(seconds), Duration::from_secs(20), &summary());
        }
        bar.end().unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_bar_is_drawn_over_itself_where_somebody_watches() {
        let drawn = told(true);
        assert_eq!(drawn.matches('\r').count(), 4);
        assert!(
            drawn.contains("███████████████░░░░░░░░░░░░░░░  50%  1200 acknowledged (100/s)"),
            "{drawn}"
        );
        assert!(drawn.ends_with('\n'));
    }

    #[test]
    fn elsewhere_there_is_a_line_every_ten_seconds() {
        let lines = told(false);
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert!(!lines.contains('\r'));
    }

    #[test]
    fn the_key_comes_from_the_environment_or_a_file_and_its_absence_is_explained() {
        let args = |file: Option<&str>| SimulateArgs {
            url: "http://127.0.0.1:7070".into(),
            api_key_file: file.map(str::to_owned),
            devices: 1,
            rate: 1,
            seconds: 1,
            batch: 1,
            seed: Some(1),
        };
        let set = |name: &str| (name == KEY_VARIABLE).then(|| "abc\n".into());
        assert_eq!(api_key(&args(None), &set).unwrap(), ApiKey::new("abc".into()));
        let refusal = api_key(&args(None), &|_| None).unwrap_err();
        assert_eq!(refusal.exit_code(), WRONG_SETTING);
        assert!(refusal.to_string().contains("set LARDER_SIMULATE_API_KEY"), "{refusal}");
        let refusal = api_key(&args(Some("/nowhere/key")), &|_| None).unwrap_err().to_string();
        assert!(refusal.contains("/nowhere/key cannot be read"), "{refusal}");
    }
}
