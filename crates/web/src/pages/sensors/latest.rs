//! The latest reading of a device.

use larder_app::{AppError, FleetCaller};
use larder_domain::{HardwareId, Reading, SensorStatus};

use super::measure::Measure;
use crate::{Web, Words};

/// A value with its label.
pub(super) struct ValueView {
    pub(super) label: String,
    pub(super) value: String,
}

/// The state of a sensor.
pub(super) struct StateView {
    pub(super) sensor: String,
    pub(super) is_working: bool,
}

/// The newest reading of a device, if there is one.
pub(super) async fn latest(
    web: &Web,
    caller: &FleetCaller,
    id: HardwareId,
) -> Result<Option<Reading>, AppError> {
    match web.app.latest_reading(caller, id).await {
        Ok(reading) => Ok(Some(reading)),
        Err(AppError::NoReadings) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The values of a reading, if there is one.
pub(super) fn values(words: &Words, reading: Option<&Reading>) -> Vec<ValueView> {
    let values = reading.into_iter().flat_map(|reading| reading.sensors.iter());
    values
        .map(|(name, value)| {
            let measure = Measure::of(name.as_str());
            ValueView { label: measure.label(words), value: measure.brief(value.get()) }
        })
        .collect()
}

/// The same for a list of devices: of several temperatures, the first, which its line shows.
pub(super) fn values_at_a_glance(words: &Words, reading: Option<&Reading>) -> Vec<ValueView> {
    let names = reading.into_iter().flat_map(|reading| reading.sensors.iter());
    let is_temperature = names.map(|(name, _)| Measure::of(name.as_str()).is_temperature());
    let mut has_temperature = false;
    let mut is_shown = |is: bool| !(is && std::mem::replace(&mut has_temperature, true));
    let all = values(words, reading).into_iter().zip(is_temperature);
    all.filter(|(_, is)| is_shown(*is)).map(|(value, _)| value).collect()
}

/// The states of a device's sensors in a reading, if there is one.
pub(super) fn states(reading: Option<&Reading>) -> Vec<StateView> {
    let states = reading.into_iter().flat_map(|reading| reading.sensor_status.iter());
    states
        .map(|(name, state)| StateView {
            sensor: name.as_str().to_owned(),
            is_working: *state == SensorStatus::Ok,
        })
        .collect()
}
