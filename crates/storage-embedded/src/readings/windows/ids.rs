//! Identities of batch ids. Ids in the canonical form of a device's firmware are windows; every
//! other is stored as its text. An id has exactly one of the two identities, so that it is always
//! found.

use larder_domain::{BatchId, BootId, HardwareId, HouseholdId, InvalidId};
use larder_storage_item::Key;

/// The household part of a key for the operator's own devices. No household's id reads like this.
const OPERATOR: &str = "operator";
/// Follows the household in the partition of ids that are not windows. No device's address begins
/// with it.
const EXACT: &str = "=";

/// An id of the form `{MAC}_{boot}_{start}_{end}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Canonical {
    /// The device that it names.
    pub(crate) of: HardwareId,
    pub(crate) boot: BootId,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Canonical {
    /// The id.
    pub(crate) fn batch_id(&self) -> BatchId {
        let Self { of, boot, start, end } = self;
        BatchId::parse(&format!("{of}_{boot}_{start}_{end}")).expect("the form is a batch id")
    }
}

/// Parses an id of this form, if it is in canonical spelling.
pub(crate) fn parse(id: &str) -> Option<Canonical> {
    let mut parts = id.split('_');
    let (of, boot) = (parts.next()?.parse().ok()?, parts.next()?);
    let (start, end) = (number(parts.next()?)?, number(parts.next()?)?);
    if parts.next().is_some() || boot.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    Some(Canonical { of, boot: boot.parse().ok()?, start, end })
}

/// A number without a sign and without leading zeros.
fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

/// The identity of a household's batch id.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Among the windows of a device's boot.
    Window {
        /// The partition of their blocks.
        pk: String,
        /// The device that the ids name.
        of: HardwareId,
        start: u64,
        end: u64,
    },
    /// In a row of its own.
    Exact(Key),
}

impl Identity {
    pub(crate) fn of(household: Option<HouseholdId>, id: &BatchId) -> Self {
        if let Some(Canonical { of, boot, start, end }) = parse(id.as_str()) {
            let pk = format!("{}{boot}", windows_prefix(household, of));
            Self::Window { pk, of, start, end }
        } else {
            Self::Exact(Key::new(exact_pk(household), id.as_str()))
        }
    }
}

/// The sort key of the block that begins with this window.
pub(crate) fn window_sk(start: u64, end: u64) -> String {
    format!("{start:020}#{end:020}")
}

/// The household part of a key.
pub(crate) fn owner(household: Option<HouseholdId>) -> String {
    household.map_or_else(|| OPERATOR.to_owned(), |household| household.to_string())
}

/// The household named in keys; `None`: the operator.
pub(crate) fn household(owner: &str) -> Result<Option<HouseholdId>, InvalidId> {
    if owner == OPERATOR { Ok(None) } else { owner.parse().map(Some) }
}

/// What the partitions of the ids that name a device begin with.
pub(crate) fn windows_prefix(household: Option<HouseholdId>, of: HardwareId) -> String {
    format!("{}#{of}_", owner(household))
}

/// The partition of ids that are not windows.
pub(crate) fn exact_pk(household: Option<HouseholdId>) -> String {
    format!("{}#{EXACT}", owner(household))
}

/// A partition of batch ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The owner; `None`: the operator.
    pub(crate) household: Option<HouseholdId>,
    /// The device and the boot of its windows; `None`: ids that are not windows.
    pub(crate) windows: Option<(HardwareId, BootId)>,
}

impl Partition {
    /// Parses the key of a partition; `None` if [`Identity::of`] does not build such keys.
    pub(crate) fn parse(pk: &str) -> Option<Self> {
        let (owner, rest) = pk.split_once('#')?;
        let household = household(owner).ok()?;
        let windows = if rest == EXACT {
            None
        } else {
            let (of, boot) = rest.split_once('_')?;
            Some((of.parse().ok()?, boot.parse().ok()?))
        };
        Some(Self { household, windows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

    #[test]
    fn ids_are_windows_only_if_the_form_gives_their_very_text() {
        let parsed = parse(&format!("AA:BB:CC:DD:EE:FF_{BOOT}_0_18446744073709551615")).unwrap();
        assert_eq!(parsed.of.to_string(), "AA:BB:CC:DD:EE:FF");
        assert_eq!(parsed.boot.to_string(), BOOT);
        assert_eq!((parsed.start, parsed.end), (0, u64::MAX));
        assert_eq!(parse(parsed.batch_id().as_str()), Some(parsed));
        for id in [
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_01_2"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_02"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_18446744073709551616"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_+2"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_2_"),
            format!("AA:BB:CC:DD:EE:FF_{BOOT}_1"),
            format!("aa:BB:CC:DD:EE:FF_{BOOT}_1_2"),
            format!("AA:BB:CC:DD:EE:FF_{}_1_2", BOOT.to_uppercase()),
            "AA:BB:CC:DD:EE:FF_7c9e6679-7425-10de-944b-e07fc1f90ae7_1_2".to_owned(),
            "batch-1".to_owned(),
            "_".to_owned(),
        ] {
            assert_eq!(parse(&id), None, "{id}");
        }
    }

    #[test]
    fn every_household_remembers_for_itself() {
        let id = BatchId::parse(&format!("AA:BB:CC:DD:EE:FF_{BOOT}_1_2")).unwrap();
        let odd = BatchId::parse("batch-1").unwrap();
        for household in [None, Some(HouseholdId::fixed(1)), Some(HouseholdId::fixed(2))] {
            let Identity::Window { pk, of, start: 1, end: 2 } = Identity::of(household, &id) else {
                panic!("a window")
            };
            let windows = Some((of, BOOT.parse().unwrap()));
            assert_eq!(Partition::parse(&pk), Some(Partition { household, windows }));
            let Identity::Exact(key) = Identity::of(household, &odd) else { panic!("a text") };
            assert_eq!(Partition::parse(&key.pk), Some(Partition { household, windows: None }));
            assert_eq!(key.sk, "batch-1");
        }
        for pk in ["", "operator", "operator#", "someone#=", "operator#AA:BB:CC:DD:EE:FF"] {
            assert_eq!(Partition::parse(pk), None, "{pk}");
        }
    }

    #[test]
    fn blocks_of_windows_sort_by_start_and_then_by_end() {
        let places = [(9, 10), (10, 9), (10, 11), (u64::MAX, 0)];
        let keys = places.map(|(start, end)| window_sk(start, end));
        assert!(keys.is_sorted());
    }
}
