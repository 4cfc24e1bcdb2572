//! Creates missing tables, all concurrently.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::make::Maker;
use super::wait::PollPolicy;
use super::{Report, TableReport, TablesError, declared};
use crate::DynamoOptions;

/// Creates missing tables, indexes and settings, waits until they are active, and returns the
/// remaining differences. Idempotent. Tables with other keys, another billing mode or another time
/// to live are not changed: only an operator can know what depends on them.
///
/// `progress` gets each step as a line, table by table in the order of the declaration: lines of
/// later tables are held back until the earlier tables are done, so that the order is stable.
pub async fn create(
    options: &DynamoOptions,
    mut progress: impl FnMut(&str) + Send,
) -> Result<Report, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = super::control_client(options).await;
    let place = super::error::place(options);
    let mut under_way = Vec::with_capacity(tables.len());
    for table in tables {
        let (progress, steps) = mpsc::unbounded_channel();
        let (client, place) = (client.clone(), place.clone());
        let maker = Maker { client, place, table, policy: PollPolicy::default(), progress };
        under_way.push(UnderWay { steps, made: tokio::spawn(maker.make()) });
    }
    let mut reports = Vec::with_capacity(under_way.len());
    for mut table in under_way {
        while let Some(step) = table.steps.recv().await {
            progress(&step);
        }
        reports.push(table.report().await?);
    }
    Ok(Report { place, tables: reports })
}

/// A table that is being created. Dropping this stops it.
struct UnderWay {
    /// The steps so far. Ends with the last step.
    steps: mpsc::UnboundedReceiver<String>,
    made: JoinHandle<Result<TableReport, TablesError>>,
}

impl UnderWay {
    async fn report(&mut self) -> Result<TableReport, TablesError> {
        (&mut self.made).await.expect("making a table never panics, and nobody ends it before")
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.made.abort();
    }
}
