//! Readings of one device from one request, in the form in which they are logged. They are also
//! pending in this form: it takes a twentieth of the memory of the readings themselves.

use std::sync::Arc;

use larder_domain::{BatchId, BootId, HardwareId, HouseholdId, Reading};
use larder_storage::Result;
use larder_storage_item::{AppendReadings, Key};

use super::merge::{DeviceBlocks, due};
use super::windows::ids::{Canonical, Identity, parse};
use super::{block, label};
use crate::codec::DecodeError;
use crate::error::corrupt;

/// Approximate memory of a section besides its bytes.
const SECTION_BYTES: usize = 512;
/// Approximate memory of a pending batch id.
const ID_BYTES: usize = 40;

/// The owner of the readings, and when they arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) device: HardwareId,
    pub(crate) household: Option<HouseholdId>,
    pub(crate) received_at_s: i64,
}

/// Readings of one device, encoded.
pub(crate) struct Section {
    pub(crate) origin: Origin,
    pub(crate) count: usize,
    /// The runs of firmware that the batch ids name.
    pub(crate) streams: Vec<Stream>,
    /// The keys of the batch ids that are not windows.
    pub(crate) exact: Vec<Key>,
    /// The sort keys of the first and the last reading.
    pub(crate) first: String,
    pub(crate) last: String,
    /// When the first of them expires, and when the sweep should look at them as a block.
    pub(crate) gone_from: i64,
    pub(crate) due: i64,
    /// A head, then the block.
    bytes: Vec<u8>,
    block_at: usize,
}

/// Batch ids that differ only in their windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) pk: Arc<str>,
    /// The device that the ids name.
    pub(crate) of: HardwareId,
}

/// The identity of a reading in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Window {
        /// In [`Section::streams`].
        stream: usize,
        start: u64,
        end: u64,
    },
    /// In [`Section::exact`].
    Exact(usize),
}

/// A section that is being stored.
pub(crate) struct Arrival {
    pub(crate) section: Arc<Section>,
    /// Of each reading, in their order.
    pub(crate) names: Vec<Name>,
    /// The position of each reading in the request.
    pub(crate) places: Vec<usize>,
    pub(crate) newest: Arc<Reading>,
}

impl Arrival {
    /// Sorts readings of one device, with their positions in the request. `None` if there are none.
    pub(crate) fn of(origin: Origin, mut readings: Vec<(usize, Reading)>) -> Option<Self> {
        if readings.is_empty() {
            return None;
        }
        readings.sort_by(|(_, a), (_, b)| {
            a.time.cmp(&b.time).then_with(|| a.batch_id.cmp(&b.batch_id))
        });
        let (places, readings): (Vec<_>, Vec<_>) = readings.into_iter().unzip();
        let mut finder = IdFinder { household: origin.household, ..IdFinder::default() };
        let names = readings.iter().map(|reading| finder.name(&reading.batch_id)).collect();
        let IdFinder { streams, exact, .. } = finder;
        let mut bytes = Vec::with_capacity(64 + 16 * readings.len());
        let body = block::encode(&readings);
        write_head(&mut bytes, origin, body.len());
        let block_at = bytes.len();
        bytes.extend_from_slice(&body);
        let section = Section {
            origin,
            count: readings.len(),
            streams,
            exact,
            first: block::sort_key(readings.first()?),
            last: block::sort_key(readings.last()?),
            gone_from: readings.iter().map(|reading| reading.expires_at_s).min()?,
            due: due::<DeviceBlocks>(&readings),
            bytes,
            block_at,
        };
        let newest = Arc::new(readings.into_iter().next_back()?);
        Some(Self { section: Arc::new(section), names, places, newest })
    }

    /// Splits a request by devices, none with more readings than fit into a block.
    pub(crate) fn of_request(append: AppendReadings) -> Vec<Self> {
        let AppendReadings { household, readings, at } = append;
        let mut groups: Vec<(HardwareId, Vec<(usize, Reading)>)> = Vec::new();
        for (place, reading) in readings.into_iter().enumerate() {
            let device = reading.hardware_id;
            let open = groups.iter_mut().rev().find(|(held, _)| *held == device);
            match open.filter(|(_, group)| group.len() < block::MAX_READINGS) {
                Some((_, group)) => group.push((place, reading)),
                None => groups.push((device, vec![(place, reading)])),
            }
        }
        let received_at_s = at.as_second();
        let origin = |device| Origin { device, household, received_at_s };
        groups.into_iter().filter_map(|(device, group)| Self::of(origin(device), group)).collect()
    }

    /// The same with only these readings, by their order in it.
    pub(crate) fn only(&self, kept: &[bool]) -> Result<Option<Self>> {
        let readings = self.section.readings()?;
        let chosen = self.places.iter().zip(readings).zip(kept).filter(|(_, kept)| **kept);
        let chosen = chosen.map(|((place, reading), _)| (*place, reading)).collect();
        Ok(Self::of(self.section.origin, chosen))
    }
}

/// Determines the identities of batch ids. Those of a section usually share their stream, whose key
/// is then built once.
#[derive(Default)]
struct IdFinder {
    household: Option<HouseholdId>,
    seen: Vec<(HardwareId, BootId)>,
    streams: Vec<Stream>,
    exact: Vec<Key>,
}

impl IdFinder {
    fn name(&mut self, id: &BatchId) -> Name {
        let canonical = parse(id.as_str());
        if let Some(Canonical { of, boot, start, end }) = canonical
            && let Some(stream) = self.seen.iter().position(|seen| *seen == (of, boot))
        {
            return Name::Window { stream, start, end };
        }
        match Identity::of(self.household, id) {
            Identity::Window { pk, of, start, end } => {
                self.seen.extend(canonical.map(|Canonical { of, boot, .. }| (of, boot)));
                self.streams.push(Stream { pk: pk.into(), of });
                Name::Window { stream: self.streams.len() - 1, start, end }
            }
            Identity::Exact(key) => {
                self.exact.push(key);
                Name::Exact(self.exact.len() - 1)
            }
        }
    }
}

impl Section {
    /// As it is logged.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its memory while pending, including its batch ids.
    pub(crate) fn weight(&self) -> usize {
        SECTION_BYTES + self.bytes.capacity() + ID_BYTES * self.count
    }

    /// The block that it is.
    pub(crate) fn block(&self) -> &[u8] {
        &self.bytes[self.block_at..]
    }

    /// The readings, in order.
    pub(crate) fn readings(&self) -> Result<Vec<Reading>> {
        let device = self.origin.device;
        block::decode(device, self.block())
            .map_err(|error| corrupt(label(device), format!("in the log: {error}")))
    }
}

const OPERATOR: u8 = 0;
const HOUSEHOLD: u8 = 1;

fn write_head(out: &mut Vec<u8>, origin: Origin, block_length: usize) {
    out.extend_from_slice(origin.device.as_bytes());
    match origin.household {
        None => out.push(OPERATOR),
        Some(household) => {
            out.push(HOUSEHOLD);
            out.extend_from_slice(household.as_bytes());
        }
    }
    out.extend_from_slice(&origin.received_at_s.to_le_bytes());
    let length = u32::try_from(block_length).expect("a block is shorter than 4 GiB");
    out.extend_from_slice(&length.to_le_bytes());
}

/// The sections that were written one after the other.
pub(crate) fn read_all(mut bytes: &[u8]) -> Result<Vec<Arrival>, DecodeError> {
    let mut arrivals = Vec::new();
    while !bytes.is_empty() {
        let (origin, body) = read_one(&mut bytes)?;
        let readings = block::decode(origin.device, body)?;
        arrivals.extend(Arrival::of(origin, readings.into_iter().enumerate().collect()));
    }
    Ok(arrivals)
}

fn read_one<'a>(bytes: &mut &'a [u8]) -> Result<(Origin, &'a [u8]), DecodeError> {
    let device = HardwareId::from_bytes(*take(bytes)?);
    let household = match take::<1>(bytes)? {
        [OPERATOR] => None,
        [HOUSEHOLD] => Some(HouseholdId::from_bytes(*take(bytes)?)),
        _ => return Err(DecodeError("a section is nobody's")),
    };
    let received_at_s = i64::from_le_bytes(*take(bytes)?);
    let length = u32::from_le_bytes(*take(bytes)?) as usize;
    let (body, rest) = bytes.split_at_checked(length).ok_or(TRUNCATED)?;
    *bytes = rest;
    Ok((Origin { device, household, received_at_s }, body))
}

const TRUNCATED: DecodeError = DecodeError("the bytes end within a section");

fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; N], DecodeError> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(TRUNCATED)?;
    *bytes = rest;
    Ok(taken)
}
