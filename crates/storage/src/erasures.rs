//! Erasing households, accounts and devices, with everything that belongs to them.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{DeletionId, Erasure, HardwareId, UserId};

use crate::{FleetScope, HouseholdScope, Result};

/// The result of erasing an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EraseAccount {
    /// Nobody can log in to it any more, and the rest goes in the background.
    Begun(Erasure),
    /// There is no such account.
    NotFound,
    /// The person belongs to a household, which they have to leave first.
    InHousehold,
}

/// Erasing households, accounts and devices.
///
/// Each begins with one transaction, after which nobody has access, and continues batch by batch
/// with [`Erasures::continue_erasure`], on any server. It finishes with a look that finds nothing,
/// late enough that no server can have added anything since. After that the store holds no trace of
/// the target: no record, no history, no unique value, no result under an idempotency key. Only the
/// ids of a person stay where others keep a record of what they did together.
#[async_trait]
pub trait Erasures: Send + Sync {
    /// Begins to erase a household, of which the actor is an admin: all members are dismissed at
    /// once. `None` if there is no such household, or the actor is no admin of it (any more).
    async fn erase_household(
        &self,
        scope: HouseholdScope,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>>;

    /// Begins to erase the account of a person without a household.
    async fn erase_account(
        &self,
        user: UserId,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<EraseAccount>;

    /// Begins to erase a device with its readings. Until that is done, nobody sees the device, and
    /// it can neither send readings nor be registered. `None` if the scope sees no such device.
    async fn erase_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        by: Option<UserId>,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>>;

    /// Erases some more. Several servers may do so at once, and after it has finished. `None` if
    /// there is no such erasure (any more).
    async fn continue_erasure(&self, id: DeletionId, at: Timestamp) -> Result<Option<Erasure>>;

    /// An erasure that this person began (`None`: the operator), if it is open or has finished in
    /// the last 24 hours. Of that of an account nothing is left when it has finished.
    async fn find_erasure(&self, by: Option<UserId>, id: DeletionId) -> Result<Option<Erasure>>;
}
