//! `larder reconcile` and `larder dead-letters`: maintenance of a store by an operator, even while
//! servers use it.

use std::sync::Arc;

use larder_app::{Caretaker, CaretakerParts, Reconciled};
use larder_storage::{Clock, Delivery, Drift};

use super::opened::{Opened, failed};
use super::{CommandError, Console, DONE, Environment, FAILED};
use crate::cli::{DeadLettersCommand, StoreArgs};
use crate::shutdown::Shutdown;
use crate::store;
use crate::system::{SystemClock, SystemEntropy};

/// How many dead letters are shown at most.
const SHOWN: usize = 1000;

/// `larder reconcile`; returns the exit code.
pub async fn reconcile(
    store: &StoreArgs,
    environment: Environment<'_>,
    mut console: Console<'_>,
) -> Result<u8, CommandError> {
    let opened = Opened::open(&store.as_flags(), environment).await?;
    let caretaker = Caretaker::new(CaretakerParts {
        name: store::caretaker_name(&opened.settings.store)?,
        store: opened.store.ports(),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        notifiers: Vec::new(),
        mails_per_day: opened.settings.channels.mail_per_day,
        observer: Arc::new(()),
    });
    let done = caretaker.reconcile(&Shutdown::new().handle()).await;
    opened.store.close().await;
    match done.map_err(|error| failed(&error))? {
        Some(done) => report(&done, &mut console),
        None => Err(CommandError::Failed {
            sentence: "another server reconciles this store at the moment: try again later"
                .to_owned(),
            code: FAILED,
        }),
    }
}

fn report(done: &Reconciled, console: &mut Console<'_>) -> Result<u8, CommandError> {
    let Drift { tag_names, dangling_links, link_counts, unenrolled } = done.drift;
    for (count, kind) in [
        (tag_names, "tags that named their item wrongly"),
        (dangling_links, "shopping items that referred to an item that is gone"),
        (link_counts, "counts of shopping items per item that were wrong"),
        (unenrolled, "households that were not enrolled for their days"),
    ] {
        writeln!(console.answer, "{count:>8}  {kind}")?;
    }
    let (repaired, households) = (done.repaired(), done.households);
    writeln!(console.answer, "{repaired:>8}  repaired in all, in {households} households")?;
    if done.failed == 0 {
        return Ok(DONE);
    }
    writeln!(console.progress, "{} households could not be read; the log names them", done.failed)?;
    Ok(FAILED)
}

/// `larder dead-letters`; returns the exit code.
pub async fn dead_letters(
    command: &DeadLettersCommand,
    environment: Environment<'_>,
    mut console: Console<'_>,
) -> Result<u8, CommandError> {
    let (DeadLettersCommand::List(store) | DeadLettersCommand::Retry(store)) = command;
    let opened = Opened::open(&store.as_flags(), environment).await?;
    let ports = opened.store.ports();
    let result = match command {
        DeadLettersCommand::List(_) => {
            ports.dead_letters(SHOWN).await.map(|letters| list(&letters, &mut console))
        }
        DeadLettersCommand::Retry(_) => {
            let revived = ports.revive_dead_letters(SystemClock.now()).await;
            revived.map(|count| Ok(writeln!(console.answer, "{count} are due again")?))
        }
    };
    opened.store.close().await;
    result.map_err(|error| failed(&error))??;
    Ok(DONE)
}

fn list(letters: &[Delivery], console: &mut Console<'_>) -> Result<(), CommandError> {
    for letter in letters {
        let Delivery { household, notification, channel, attempts, due_at, last_error } = letter;
        let (channel, reason) = (channel.as_str(), last_error.as_deref().unwrap_or("no reason"));
        writeln!(
            console.answer,
            "{due_at:.0} household {household} notification {notification} by {channel} after \
             {attempts} attempts: {reason}"
        )?;
    }
    match letters.len() {
        0 => writeln!(console.progress, "there are none")?,
        SHOWN => writeln!(console.progress, "these are the first {SHOWN}; there may be more")?,
        count => writeln!(console.progress, "{count} in all")?,
    }
    Ok(())
}
