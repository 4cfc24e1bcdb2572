//! Contexts, shared by many readings: boot, firmware, name, and the states of the sensors.

use larder_domain::{
    BootId, FirmwareVersion, FriendlyName, Reading, SensorName, SensorStatus, SensorStatuses,
};

use crate::codec::{DecodeError, Input, text, varint};
use crate::readings::numbers;
use crate::readings::windows::ids::Canonical;

/// A context of a decoded block.
pub(super) struct Context {
    pub(super) boot_id: BootId,
    pub(super) firmware_version: FirmwareVersion,
    pub(super) friendly_name: Option<FriendlyName>,
    pub(super) sensor_status: SensorStatuses,
}

/// The contexts of a decoded block.
pub(super) struct Contexts {
    /// Every boot that a reading or a batch id names.
    pub(super) boots: Vec<BootId>,
    pub(super) all: Vec<Context>,
    /// For each reading, which of them.
    pub(super) of_readings: Vec<usize>,
}

/// Writes the boots, the contexts and which reading has which; returns the boots.
pub(super) fn encode(
    out: &mut Vec<u8>,
    readings: &[&Reading],
    windows: &[Option<Canonical>],
) -> Vec<BootId> {
    let mut boots = Vec::new();
    let mut contexts: Vec<(usize, &Reading)> = Vec::new();
    let mut of_readings = Vec::with_capacity(readings.len());
    let mut last = 0;
    for (reading, window) in readings.iter().zip(windows) {
        if !contexts.get(last).is_some_and(|(_, held)| is_same(held, reading)) {
            let held = contexts.iter().position(|(_, held)| is_same(held, reading));
            last = held.unwrap_or_else(|| {
                contexts.push((number(&mut boots, reading.boot_id), reading));
                contexts.len() - 1
            });
        }
        of_readings.push(last as u64);
        if let Some(window) = window.filter(|window| window.boot != reading.boot_id) {
            number(&mut boots, window.boot);
        }
    }
    varint(out, boots.len() as u64);
    for boot in &boots {
        out.extend_from_slice(boot.as_bytes());
    }
    varint(out, contexts.len() as u64);
    for (boot, reading) in contexts {
        varint(out, boot as u64);
        text(out, reading.firmware_version.as_str());
        text(out, reading.friendly_name.as_ref().map_or("", FriendlyName::as_str));
        varint(out, reading.sensor_status.len() as u64);
        for (name, status) in reading.sensor_status.iter() {
            text(out, name.as_str());
            out.push(u8::from(*status == SensorStatus::Error));
        }
    }
    numbers::encode(out, &of_readings);
    boots
}

/// Reads the contexts of this many readings.
pub(super) fn decode(input: &mut Input<'_>, readings: usize) -> Result<Contexts, DecodeError> {
    let boots = (0..input.count(16)?)
        .map(|_| BootId::from_bytes(input.array()?).map_err(|_| DecodeError("an impossible boot")))
        .collect::<Result<Vec<_>, _>>()?;
    let all =
        (0..input.count(4)?).map(|_| context(input, &boots)).collect::<Result<Vec<_>, _>>()?;
    let of_readings = numbers::decode(input, readings)?
        .into_iter()
        .map(|number| usize::try_from(number).ok().filter(|number| *number < all.len()))
        .collect::<Option<Vec<_>>>()
        .ok_or(DecodeError("an unknown context"))?;
    Ok(Contexts { boots, all, of_readings })
}

fn context(input: &mut Input<'_>, boots: &[BootId]) -> Result<Context, DecodeError> {
    const IMPOSSIBLE: DecodeError = DecodeError("an impossible context");
    let boot = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
    let boot_id = *boots.get(boot).ok_or(IMPOSSIBLE)?;
    let firmware_version = FirmwareVersion::parse(input.text()?).map_err(|_| IMPOSSIBLE)?;
    // Names are never empty: empty means absent.
    let friendly_name = match input.text()? {
        "" => None,
        name => Some(FriendlyName::parse_stored(name).map_err(|_| IMPOSSIBLE)?),
    };
    let statuses = (0..input.count(2)?)
        .map(|_| {
            let name = SensorName::parse(input.text()?).map_err(|_| IMPOSSIBLE)?;
            match input.byte()? {
                0 => Ok((name, SensorStatus::Ok)),
                1 => Ok((name, SensorStatus::Error)),
                _ => Err(IMPOSSIBLE),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    let sensor_status = SensorStatuses::new(statuses).map_err(|_| IMPOSSIBLE)?;
    Ok(Context { boot_id, firmware_version, friendly_name, sensor_status })
}

fn is_same(one: &Reading, other: &Reading) -> bool {
    one.boot_id == other.boot_id
        && one.firmware_version == other.firmware_version
        && one.friendly_name == other.friendly_name
        && one.sensor_status == other.sensor_status
}

/// The number of a boot, which is added if it is new.
fn number(boots: &mut Vec<BootId>, boot: BootId) -> usize {
    boots.iter().position(|held| *held == boot).unwrap_or_else(|| {
        boots.push(boot);
        boots.len() - 1
    })
}
