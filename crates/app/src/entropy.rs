//! Randomness is a parameter.

use larder_domain::{
    ApiKeyId, ConfirmationId, DeletionId, HouseholdId, InviteCode, ItemId, NotificationId,
    ProgramTokenId, SessionId, ShoppingItemId, StorageLocationId, StoreId, UrlId, UserId,
};

/// The source of ids, tokens and codes: the operating system in a server, deterministic in a test.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the bytes with unpredictable ones.
    fn fill(&self, bytes: &mut [u8]);
}

impl dyn Entropy {
    /// So many random bytes.
    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A fresh id of the requested entity.
    pub(crate) fn id<T: RandomId>(&self) -> T {
        T::from_random(self.bytes())
    }

    /// A fresh invite code.
    pub(crate) fn invite_code(&self) -> InviteCode {
        InviteCode::from_random(self.bytes())
    }
}

/// An id that we generate.
pub(crate) trait RandomId {
    /// The id with these random bytes.
    fn from_random(bytes: [u8; 16]) -> Self;
}

macro_rules! random_ids {
    ($($id:ident),+) => {$(
        impl RandomId for $id {
            fn from_random(bytes: [u8; 16]) -> Self {
                $id::from_random(bytes)
            }
        }
    )+};
}

random_ids!(
    ApiKeyId,
    ConfirmationId,
    DeletionId,
    HouseholdId,
    ItemId,
    NotificationId,
    ProgramTokenId,
    SessionId,
    ShoppingItemId,
    StorageLocationId,
    StoreId,
    UrlId,
    UserId
);

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    /// Entropy that counts, so that every value differs from the one before.
    #[derive(Default)]
    pub(crate) struct Counting(AtomicU8);

    impl Entropy for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, Ordering::Relaxed) + 1);
        }
    }

    #[test]
    fn every_id_is_a_fresh_one() {
        let entropy: &dyn Entropy = &Counting::default();
        assert_eq!(entropy.id::<UserId>(), UserId::from_random([1; 16]));
        assert_eq!(entropy.id::<ItemId>(), ItemId::from_random([2; 16]));
        assert_eq!(entropy.invite_code(), InviteCode::from_random([3; 12]));
    }
}
