//! Making one table, with all that it lacks.

mod requests;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::TableDescription;
use tokio::sync::mpsc::UnboundedSender;

use super::live::{LiveTable, Stage};
use super::wait::{Poll, PollPolicy};
use super::{Difference, Feature, TableDeclaration, TableReport, TablesError, compare, live};

/// Creates one table.
pub(super) struct Maker {
    pub(super) client: Client,
    pub(super) place: String,
    pub(super) table: TableDeclaration,
    pub(super) policy: PollPolicy,
    /// Receives each step, prefixed with the table's name.
    pub(super) progress: UnboundedSender<String>,
}

impl Maker {
    pub(super) async fn make(self) -> Result<TableReport, TablesError> {
        if matches!(self.stage().await?, Stage::Absent) {
            self.say("creating");
            self.create_table().await?;
        } else {
            self.say("is there already");
        }
        let (client, name) = (&self.client, &self.table.name);
        let description = self.wait_until_active().await?;
        let live = live::read_settings(client, &description, name, &self.place).await?;
        let mut report = compare::compare(&self.table, Some(&live));
        if self.complete(&live, &report.differences).await? {
            let live = live::read(client, name, &self.place).await?;
            report = compare::compare(&self.table, live.as_ref());
        }
        for feature in &report.unsupported {
            self.say(&format!("{feature}: not supported by this endpoint"));
        }
        Ok(report)
    }

    /// Adds what an active table lacks. `false` if nothing can be added.
    async fn complete(
        &self,
        live: &LiveTable,
        differences: &[Difference],
    ) -> Result<bool, TablesError> {
        let is_ours = !differences.iter().any(is_of_another_table);
        let mut is_changed = false;
        for difference in differences {
            match difference {
                Difference::IndexMissing { index } if is_ours && live.is_on_demand => {
                    self.say(&format!("adding the index {index}"));
                    let declared = self.table.indexes.iter().find(|it| it.name == index.as_str());
                    self.add_index(declared.expect("only declared indexes can be missing")).await?;
                    self.wait_until_active().await?;
                }
                Difference::TimeToLiveOff { declared } if is_ours => {
                    self.say(&format!("turning on {} by {declared}", Feature::TimeToLive));
                    self.turn_on_ttl(declared).await?;
                }
                Difference::PointInTimeRecoveryOff if is_ours => {
                    self.say(&format!("turning on {}", Feature::PointInTimeRecovery));
                    self.turn_on_recovery().await?;
                }
                Difference::DeletionProtectionOff if is_ours => {
                    self.say(&format!("turning on {}", Feature::DeletionProtection));
                    self.turn_on_protection().await?;
                    self.wait_until_active().await?;
                }
                other => {
                    self.say(&format!("left as it is: {other}"));
                    continue;
                }
            }
            is_changed = true;
        }
        Ok(is_changed)
    }

    async fn stage(&self) -> Result<Stage, TablesError> {
        live::read_stage(&self.client, &self.table.name, &self.place).await
    }

    /// Waits until the table and all its indexes are in service, and returns its description.
    async fn wait_until_active(&self) -> Result<Box<TableDescription>, TablesError> {
        let mut poll = self.policy.begin();
        loop {
            let state = match self.stage().await? {
                Stage::Active(description) => return Ok(description),
                Stage::Busy(state) => state,
                // Right after its creation a table may not be seen yet.
                Stage::Absent => "being created".to_owned(),
            };
            self.pause(&mut poll, &state).await?;
        }
    }

    /// Pauses before the next poll or attempt, and reports why.
    async fn pause(&self, poll: &mut Poll, state: &str) -> Result<(), TablesError> {
        self.say(&format!("waiting: {state}, {} s", poll.seconds()));
        poll.pause(&self.table.name, state).await
    }

    fn say(&self, step: &str) {
        // A dropped receiver means that the caller is gone.
        let _ = self.progress.send(format!("{}: {step}", self.table.name));
    }
}

/// Whether a difference shows that this is not our table but another of the same name.
fn is_of_another_table(difference: &Difference) -> bool {
    matches!(difference, Difference::Keys { .. } | Difference::AttributeType { .. })
}
