//! Readings come in.

use larder_storage::{Ingest, NewReading, NewReadings, ReadingState};

use super::DeviceCaller;
use crate::{App, AppError, Result, authorize};

impl App {
    /// Keeps readings and says of each, in order, what became of it. All of that is durable. A failure claims
    /// nothing: the same readings again are told apart by their batch ids.
    pub async fn ingest(
        &self,
        caller: &DeviceCaller,
        readings: Vec<NewReading>,
    ) -> Result<Vec<ReadingState>> {
        let scope = authorize::fleet_of_key(caller);
        let readings = NewReadings { readings, retention: self.reading_retention, at: self.now() };
        match self.storage.ingest(scope, readings).await? {
            Ingest::Done(states) => {
                self.notify_readings_changed(scope);
                Ok(states)
            }
            Ingest::NotAllowed(places) => Err(AppError::ReadingsNotAllowed(places)),
        }
    }
}
