//! Erasing a household, an account or a device, with everything that belongs to it.

use jiff::{SignedDuration, Timestamp};

use crate::{DeletionId, HardwareId, HouseholdId, InviteCode, UserId};

/// How long after its beginning an erasure looks for the last time. Servers remember for up to ten
/// seconds who belongs where, and a request takes a moment: by then nothing can be added any more.
pub const LAST_LOOK_AFTER: SignedDuration = SignedDuration::from_secs(15);

/// What is erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureTarget {
    /// A household.
    Household(HouseholdId),
    /// The account of a person without a household.
    Account(UserId),
    /// A device. Its id is free again afterwards.
    Device(HardwareId),
}

impl ErasureTarget {
    /// Its kind.
    pub const fn kind(self) -> ErasureKind {
        match self {
            Self::Household(_) => ErasureKind::Household,
            Self::Account(_) => ErasureKind::Account,
            Self::Device(_) => ErasureKind::Device,
        }
    }
}

/// What an erasure is of. Unlike its target, this is known when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureKind {
    /// A household.
    Household,
    /// An account.
    Account,
    /// A device.
    Device,
}

impl ErasureKind {
    const ALL: [Self; 3] = [Self::Household, Self::Account, Self::Device];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Household => "household",
            Self::Account => "account",
            Self::Device => "device",
        }
    }

    /// The kind of this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An erasure, which goes on in the background. It does not say of what: when it is over, nothing
/// may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// By which it is followed.
    pub id: DeletionId,
    /// What it is of.
    pub kind: ErasureKind,
    /// Who began it; `None`: the operator.
    pub begun_by: Option<UserId>,
    /// How many records are erased.
    pub removed: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// When it finished; `None` while it is open.
    pub finished_at: Option<Timestamp>,
}

impl Erasure {
    /// One that begins.
    pub const fn begin(
        id: DeletionId,
        kind: ErasureKind,
        begun_by: Option<UserId>,
        at: Timestamp,
    ) -> Self {
        Self { id, kind, begun_by, removed: 0, started_at: at, finished_at: None }
    }

    /// The invite code of a household that is being erased: nobody knows it.
    pub fn dead_code(&self) -> InviteCode {
        let mut bytes = [0; InviteCode::LENGTH];
        bytes.copy_from_slice(&self.id.as_bytes()[..InviteCode::LENGTH]);
        InviteCode::from_random(bytes)
    }

    /// Whether what a look finds at this time is all that there can be.
    pub fn is_last_look(&self, at: Timestamp) -> bool {
        at.duration_since(self.started_at) >= LAST_LOOK_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_look_comes_when_no_server_remembers_the_old_state() {
        let start = Timestamp::from_second(100).unwrap();
        let erasure = Erasure::begin(DeletionId::fixed(1), ErasureKind::Device, None, start);
        assert!(!erasure.is_last_look(start));
        assert!(!erasure.is_last_look(Timestamp::from_second(114).unwrap()));
        assert!(erasure.is_last_look(Timestamp::from_second(115).unwrap()));
    }

    #[test]
    fn a_kind_comes_back_from_its_name() {
        for kind in ErasureKind::ALL {
            assert_eq!(ErasureKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ErasureKind::parse("cat"), None);
        let device = ErasureTarget::Device(HardwareId::from_bytes([1; 6]));
        assert_eq!(device.kind(), ErasureKind::Device);
    }
}
