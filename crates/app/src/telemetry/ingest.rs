//! Ingestion of readings.

use larder_storage::{Ingest, NewReading, NewReadings, ReadingState};

use super::DeviceCaller;
use crate::{App, AppError, Result, authorize};

impl App {
    /// Stores readings and returns the state of each, in order. All are durable. A failure can be
    /// retried: batch ids detect duplicates.
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
