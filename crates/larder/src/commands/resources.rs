//! `larder resources upcast`: everything that was written in an older shape is written in the newest.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use larder_app::{Caretaker, CaretakerParts, Upcast, UpcastProgress};
use larder_domain::Urn;

use super::opened::{Opened, failed};
use super::{CommandError, Console, DONE, Environment, FAILED, WRONG_SETTING};
use crate::cli::{ResourcesCommand, UpcastArgs};
use crate::shutdown::Shutdown;
use crate::store;
use crate::system::{SystemClock, SystemEntropy};

/// The interval of progress lines without a terminal, after the first.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// `larder resources`; returns the exit code.
pub async fn resources(
    command: &ResourcesCommand,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    match command {
        ResourcesCommand::Upcast(args) => upcast(args, environment, console).await,
    }
}

async fn upcast(
    args: &UpcastArgs,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    let Console { answer, progress } = console;
    let opened = Opened::open(&args.as_flags(), environment).await?;
    let done = match run(&opened, progress).await {
        Err(error) => Err(error),
        Ok(None) => Err(CommandError::Failed {
            sentence: "another process does the same to this store at the moment: try again later"
                .to_owned(),
            code: FAILED,
        }),
        Ok(Some(done)) => Ok(done),
    };
    opened.store.close().await;
    let Upcast { seen, rewritten, failed, is_resumed } = done?;
    if is_resumed {
        writeln!(answer, "an earlier run was interrupted; this one went on from there")?;
    }
    writeln!(answer, "{seen:>8}  resources looked at")?;
    writeln!(answer, "{rewritten:>8}  brought into the newest shape")?;
    writeln!(answer, "{failed:>8}  left as they are")?;
    Ok(if failed == 0 { DONE } else { FAILED })
}

async fn run(
    opened: &Opened,
    progress: &mut (dyn Write + Send),
) -> Result<Option<Upcast>, CommandError> {
    if opened.settings.schemas.is_empty() {
        return Err(CommandError::Failed {
            sentence: "no type of resources has a newer shape: name a file that tells of one by \
                       --schemas"
                .to_owned(),
            code: WRONG_SETTING,
        });
    }
    let caretaker = Caretaker::new(CaretakerParts {
        name: store::caretaker_name(&opened.settings.store)?,
        store: opened.store.ports(),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        notifiers: Vec::new(),
        mails_per_day: opened.settings.channels.mail_per_day,
        observer: Arc::new(()),
    });
    let is_terminal = io::stderr().is_terminal();
    let mut told = ProgressLine { is_terminal, last_line: None, progress };
    let schemas = opened.settings.schemas.registry();
    let done = caretaker.upcast_resources(&schemas, &Shutdown::new().handle(), &mut told).await;
    told.end()?;
    done.map_err(|error| failed(&error))
}

/// Counters that are overwritten in place on a terminal, and occasional lines elsewhere.
struct ProgressLine<'a> {
    is_terminal: bool,
    last_line: Option<Instant>,
    progress: &'a mut (dyn Write + Send),
}

impl UpcastProgress for ProgressLine<'_> {
    fn tell(&mut self, so_far: &Upcast) {
        let Upcast { seen, rewritten, failed, .. } = so_far;
        let line = format!("{seen} looked at, {rewritten} rewritten, {failed} left");
        // A closed terminal is no reason to stop.
        let _ = if self.is_terminal {
            write!(self.progress, "\r\x1b[2K{line}").and_then(|()| self.progress.flush())
        } else if self.last_line.is_none_or(|last| last.elapsed() >= LINES_EVERY) {
            self.last_line = Some(Instant::now());
            writeln!(self.progress, "{line}")
        } else {
            Ok(())
        };
    }

    fn failed(&mut self, urn: &Urn, reason: &dyn Display) {
        let begin = if self.is_terminal { "\r\x1b[2K" } else { "" };
        let _ = writeln!(self.progress, "{begin}{urn} stays as it is: {reason}");
    }
}

impl ProgressLine<'_> {
    /// Ends the line before other output.
    fn end(&mut self) -> io::Result<()> {
        if self.is_terminal { writeln!(self.progress) } else { Ok(()) }
    }
}
